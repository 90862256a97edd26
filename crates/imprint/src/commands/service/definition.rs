//! What the systems are told about the service: a systemd user unit, a launchd agent, a Windows
//! task. Pure: settings in, text out, and the other way round for what `status` says.

use std::fmt::Write as _;

/// How the service runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Service {
    /// The absolute path of this program.
    pub(super) program: String,
    /// `serve` and its options.
    pub(super) arguments: Vec<String>,
    /// The home, where a process without variables would not find it.
    pub(super) home: Option<String>,
    /// Where the output goes on systems that keep no log of their own.
    pub(super) log: String,
}

/// Kept to what leaves the folders of clients writable. Without privileges, `ProtectHome`,
/// `ProtectSystem` and `PrivateTmp` need user namespaces, and would hide or lock those folders;
/// `MemoryDenyWriteExecute` would end clients that are asked for their version and compile while
/// they run.
const HARDENING: &str = "\
# ProtectHome and ProtectSystem stay off: the folders of AI clients lie all over the home folder.
# MemoryDenyWriteExecute stays off: clients that are asked for their version may compile at run time.
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
";

/// The unit for systemd's user session.
pub(super) fn systemd_unit(service: &Service) -> String {
    let mut command = quoted_for_systemd(&service.program);
    for argument in &service.arguments {
        command.push(' ');
        // Variables are put in for words after the program, and only there.
        command.push_str(&quoted_for_systemd(argument).replace('$', "$$"));
    }
    let home = service.home.as_ref().map_or_else(String::new, |home| {
        let variable = quoted_for_systemd(&format!("IMPRINT_HOME={home}"));
        format!("Environment={variable}\n")
    });
    format!(
        "[Unit]\nDescription=Imprint: skills, personas and guidelines for AI clients\n\n\
         [Service]\nExecStart={command}\n{home}Restart=on-failure\nRestartSec=5\n{HARDENING}\n\
         [Install]\nWantedBy=default.target\n"
    )
}

/// One word of a unit: `%` begins a specifier, in quotes too.
fn quoted_for_systemd(word: &str) -> String {
    let word = word
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('%', "%%");
    format!("\"{word}\"")
}

/// The agent for launchd.
pub(super) fn launch_agent(label: &str, service: &Service) -> String {
    let mut words = String::new();
    for word in std::iter::once(&service.program).chain(&service.arguments) {
        let _ = writeln!(words, "    <string>{}</string>", escaped_for_xml(word));
    }
    let home = service.home.as_ref().map_or_else(String::new, |home| {
        format!(
            "  <key>EnvironmentVariables</key>\n  <dict>\n    <key>IMPRINT_HOME</key>\n    \
             <string>{}</string>\n  </dict>\n",
            escaped_for_xml(home)
        )
    });
    let log = escaped_for_xml(&service.log);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{label}</string>\n  \
         <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n{home}  \
         <key>RunAtLoad</key>\n  <true/>\n  <!-- Again after a failure, not after a stop. -->\n  \
         <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>\n  \
         <key>StandardOutPath</key>\n  <string>{log}</string>\n  \
         <key>StandardErrorPath</key>\n  <string>{log}</string>\n</dict>\n</plist>\n"
    )
}

/// The task for Windows, run at log-on as the user. A Windows service would run as another
/// account, which sees none of the user's folders.
pub(super) fn windows_task(service: &Service) -> String {
    let mut arguments = Vec::new();
    // A task has no variables of its own, so the home is an option.
    if let Some(home) = &service.home {
        arguments.extend(["--home".to_owned(), quoted_for_windows(home)]);
    }
    arguments.extend(
        service
            .arguments
            .iter()
            .map(|word| quoted_for_windows(word)),
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n  \
         <Triggers>\n    <LogonTrigger/>\n  </Triggers>\n  \
         <Principals>\n    <Principal id=\"Author\">\n      \
         <LogonType>InteractiveToken</LogonType>\n      <RunLevel>LeastPrivilege</RunLevel>\n    \
         </Principal>\n  </Principals>\n  <Settings>\n    \
         <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n    \
         <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n    \
         <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n    \
         <!-- No limit: it runs as long as the user is logged on. -->\n    \
         <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n    <RestartOnFailure>\n      \
         <Interval>PT1M</Interval>\n      <Count>10</Count>\n    </RestartOnFailure>\n  \
         </Settings>\n  <Actions Context=\"Author\">\n    <Exec>\n      \
         <Command>{}</Command>\n      <Arguments>{}</Arguments>\n    </Exec>\n  </Actions>\n\
         </Task>\n",
        escaped_for_xml(&service.program),
        escaped_for_xml(&arguments.join(" "))
    )
}

/// One word as Windows programs split their command line: backslashes count only before a quote.
fn quoted_for_windows(word: &str) -> String {
    let mut quoted = String::from("\"");
    let mut backslashes = 0;
    for c in word.chars() {
        if c == '"' {
            quoted.push_str(&"\\".repeat(backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        quoted.push(c);
    }
    quoted.push_str(&"\\".repeat(backslashes));
    quoted.push('"');
    quoted
}

fn escaped_for_xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The program that an installed definition starts; `None` where someone wrote it another way.
pub(super) fn program_of(definition: &str) -> Option<String> {
    if let Some((_, command)) = definition.split_once("ExecStart=\"") {
        let end = command.find("\" ")?;
        let word = command[..end].replace("%%", "%");
        return Some(word.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    let (open, close) = if definition.contains("<Command>") {
        ("<Command>", "</Command>")
    } else {
        ("<array>\n    <string>", "</string>")
    };
    let (_, rest) = definition.split_once(open)?;
    let (word, _) = rest.split_once(close)?;
    let word = word.replace("&lt;", "<").replace("&gt;", ">");
    Some(word.replace("&amp;", "&"))
}

/// The address that an installed definition listens on.
pub(super) fn address_of(definition: &str) -> Option<std::net::SocketAddr> {
    let (_, rest) = definition.split_once("--listen")?;
    let is_of_an_address = |c: char| c.is_ascii_hexdigit() || matches!(c, '.' | ':' | '[' | ']');
    // Between the words stand quotes or tags, none of which parses as an address.
    rest.split(|c: char| !is_of_an_address(c))
        .find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests;
