//! The three definitions as people see them, and what is read back from them.

use super::{Service, address_of, launch_agent, program_of, systemd_unit, windows_task};

fn service() -> Service {
    Service {
        program: "/opt/100% $mine/imprint".to_owned(),
        arguments: ["serve", "--listen", "127.0.0.1:4750", "--allow-host", "a&b"]
            .map(str::to_owned)
            .to_vec(),
        home: Some("/srv/im print".to_owned()),
        log: "/srv/im print/service.log".to_owned(),
    }
}

#[test]
fn a_unit_for_systemd() {
    insta::assert_snapshot!(systemd_unit(&service()), @r#"
    [Unit]
    Description=Imprint: skills, personas and guidelines for AI clients

    [Service]
    ExecStart="/opt/100%% $mine/imprint" "serve" "--listen" "127.0.0.1:4750" "--allow-host" "a&b"
    Environment="IMPRINT_HOME=/srv/im print"
    Restart=on-failure
    RestartSec=5
    # ProtectHome and ProtectSystem stay off: the folders of AI clients lie all over the home folder.
    # MemoryDenyWriteExecute stays off: clients that are asked for their version may compile at run time.
    NoNewPrivileges=yes
    LockPersonality=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native

    [Install]
    WantedBy=default.target
    "#);
}

#[test]
fn an_agent_for_launchd() {
    insta::assert_snapshot!(launch_agent("imprint", &service()), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>Label</key>
      <string>imprint</string>
      <key>ProgramArguments</key>
      <array>
        <string>/opt/100% $mine/imprint</string>
        <string>serve</string>
        <string>--listen</string>
        <string>127.0.0.1:4750</string>
        <string>--allow-host</string>
        <string>a&amp;b</string>
      </array>
      <key>EnvironmentVariables</key>
      <dict>
        <key>IMPRINT_HOME</key>
        <string>/srv/im print</string>
      </dict>
      <key>RunAtLoad</key>
      <true/>
      <!-- Again after a failure, not after a stop. -->
      <key>KeepAlive</key>
      <dict>
        <key>SuccessfulExit</key>
        <false/>
      </dict>
      <key>StandardOutPath</key>
      <string>/srv/im print/service.log</string>
      <key>StandardErrorPath</key>
      <string>/srv/im print/service.log</string>
    </dict>
    </plist>
    "#);
}

#[test]
fn a_task_for_windows() {
    insta::assert_snapshot!(windows_task(&service()), @r#"
    <?xml version="1.0" encoding="UTF-16"?>
    <Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
      <Triggers>
        <LogonTrigger/>
      </Triggers>
      <Principals>
        <Principal id="Author">
          <LogonType>InteractiveToken</LogonType>
          <RunLevel>LeastPrivilege</RunLevel>
        </Principal>
      </Principals>
      <Settings>
        <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
        <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
        <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
        <!-- No limit: it runs as long as the user is logged on. -->
        <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
        <RestartOnFailure>
          <Interval>PT1M</Interval>
          <Count>10</Count>
        </RestartOnFailure>
      </Settings>
      <Actions Context="Author">
        <Exec>
          <Command>/opt/100% $mine/imprint</Command>
          <Arguments>--home "/srv/im print" "serve" "--listen" "127.0.0.1:4750" "--allow-host" "a&amp;b"</Arguments>
        </Exec>
      </Actions>
    </Task>
    "#);
}

#[test]
fn program_and_address_are_read_back_from_each() {
    let service = service();
    for text in [
        systemd_unit(&service),
        launch_agent("imprint", &service),
        windows_task(&service),
    ] {
        assert_eq!(program_of(&text).as_deref(), Some(&*service.program));
        assert_eq!(address_of(&text), "127.0.0.1:4750".parse().ok());
    }
    assert_eq!(program_of("ExecStart=/usr/bin/imprint serve"), None);
    assert_eq!(address_of("serve --listen"), None);
}

#[test]
fn quotes_and_backslashes_reach_a_windows_program_as_they_are() {
    let quoted = super::quoted_for_windows;
    assert_eq!(quoted(r"C:\a b\"), r#""C:\a b\\""#);
    assert_eq!(quoted(r#"a\"b"#), r#""a\\\"b""#);
}
