//! The machine that packages are made for, and what each package system calls it.

/// An operating system that there are packages for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    MacOs,
    Windows,
}

/// A target that packages are made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Platform {
    /// As rustc calls it, such as `x86_64-unknown-linux-gnu`.
    pub(super) triple: String,
    pub(super) system: System,
}

impl Platform {
    /// The platform of this target, if there are packages for its system.
    pub(super) fn of(triple: &str) -> Option<Self> {
        let system = match triple.split('-').nth(2)? {
            "linux" => System::Linux,
            "darwin" => System::MacOs,
            "windows" => System::Windows,
            _ => return None,
        };
        let triple = triple.to_owned();
        Some(Self { triple, system })
    }

    /// A program's file name.
    pub(super) fn executable(&self, name: &str) -> String {
        match self.system {
            System::Windows => format!("{name}.exe"),
            System::Linux | System::MacOs => name.to_owned(),
        }
    }

    /// What Debian calls the processor (`dpkg --print-architecture`), if this is a Linux that it
    /// has packages for.
    pub(super) fn debian_architecture(&self) -> Option<&'static str> {
        if self.system != System::Linux {
            return None;
        }
        let is_hard_float = self.triple.ends_with("eabihf");
        Some(match self.triple.split('-').next()? {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "i686" => "i386",
            "armv7" if is_hard_float => "armhf",
            "riscv64gc" => "riscv64",
            "powerpc64le" => "ppc64el",
            "s390x" => "s390x",
            _ => return None,
        })
    }

    /// What MCP bundles call the system: Node's `process.platform`.
    pub(super) const fn node_name(&self) -> &'static str {
        match self.system {
            System::Linux => "linux",
            System::MacOs => "darwin",
            System::Windows => "win32",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_system_has_its_own_name_for_a_machine() {
        let names = |triple| {
            let platform = Platform::of(triple).unwrap();
            let executable = platform.executable("imprint");
            (
                executable,
                platform.debian_architecture(),
                platform.node_name(),
            )
        };
        let imprint = || "imprint".to_owned();
        assert_eq!(
            names("x86_64-unknown-linux-gnu"),
            (imprint(), Some("amd64"), "linux")
        );
        assert_eq!(
            names("aarch64-unknown-linux-musl"),
            (imprint(), Some("arm64"), "linux")
        );
        assert_eq!(
            names("armv7-unknown-linux-gnueabihf"),
            (imprint(), Some("armhf"), "linux")
        );
        assert_eq!(
            names("loongarch64-unknown-linux-gnu"),
            (imprint(), None, "linux")
        );
        assert_eq!(names("aarch64-apple-darwin"), (imprint(), None, "darwin"));
        assert_eq!(
            names("x86_64-pc-windows-msvc"),
            ("imprint.exe".to_owned(), None, "win32")
        );
        assert_eq!(Platform::of("wasm32-unknown-unknown"), None);
        assert_eq!(Platform::of(""), None);
    }
}
