//! The system libraries that a Linux program needs, and the Debian packages that have them.

use std::collections::BTreeMap;

use object::{
    Endianness, FileKind, Object as _,
    read::elf::{ElfFile, ElfFile32, ElfFile64, FileHeader},
};

/// What Debian's package of glibc is called, and the beginning of the versions of its symbols.
const GLIBC: (&str, &str) = ("libc6", "GLIBC_");
/// The same of the compiler's library. All versions of its symbols that Rust's unwinding needs
/// have been there since 4.2, which is how Debian's own tools state it.
const LIBGCC: (&str, &str) = ("libgcc-s1", "4.2");

/// Why the dependencies can't be told.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum NeedsError {
    /// The file is no Linux program, or a damaged one.
    #[error("the program can't be read: {0}")]
    Unreadable(#[from] object::Error),
    /// A library that the table of packages doesn't have.
    #[error("the program needs `{0}`, and which Debian package has that library isn't known here")]
    UnknownLibrary(String),
}

/// Each library that a program needs, with the versions of symbols that it needs of it.
type Needs = BTreeMap<String, Vec<String>>;

/// The field `Depends` for this program; none if it needs no library.
pub(super) fn depends(program: &[u8]) -> Result<Option<String>, NeedsError> {
    let needs = match FileKind::parse(program)? {
        FileKind::Elf32 => needs(&ElfFile32::<Endianness>::parse(program)?)?,
        _ => needs(&ElfFile64::<Endianness>::parse(program)?)?,
    };
    field(&needs)
}

fn needs<Elf: FileHeader>(program: &ElfFile<'_, Elf>) -> Result<Needs, object::Error> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let mut needs = Needs::new();
    for library in program.import_libraries()? {
        needs.entry(text(library?.name())).or_default();
    }
    let (endian, data) = (program.endian(), program.data());
    let sections = program.elf_section_table();
    let Some((mut libraries, link)) = sections.gnu_verneed(endian, data)? else {
        return Ok(needs);
    };
    let strings = sections.strings(endian, data, link)?;
    while let Some((library, mut versions)) = libraries.next()? {
        let known = needs
            .entry(text(library.file(endian, strings)?))
            .or_default();
        while let Some(version) = versions.next()? {
            known.push(text(version.name(endian, strings)?));
        }
    }
    Ok(needs)
}

fn field(needs: &Needs) -> Result<Option<String>, NeedsError> {
    let mut glibc = None;
    let mut packages = Vec::new();
    for (library, versions) in needs {
        match library.split(".so").next().unwrap_or(library) {
            "libgcc_s" => packages.push(format!("{} (>= {})", LIBGCC.0, LIBGCC.1)),
            "libc" | "libm" | "libdl" | "libpthread" | "librt" | "ld-linux" | "ld-linux-x86-64"
            | "ld-linux-aarch64" | "ld-linux-armhf" | "ld64" => {
                let newest = versions.iter().filter_map(|version| glibc_version(version));
                glibc = glibc.max(Some(newest.max().unwrap_or_default()));
            }
            _ => return Err(NeedsError::UnknownLibrary(library.clone())),
        }
    }
    if let Some(version) = glibc {
        let package = GLIBC.0;
        let numbers: Vec<_> = version.iter().map(u32::to_string).collect();
        packages.push(match numbers.as_slice() {
            [] => package.to_owned(),
            numbers => format!("{package} (>= {})", numbers.join(".")),
        });
    }
    packages.sort();
    Ok((!packages.is_empty()).then(|| packages.join(", ")))
}

/// `GLIBC_2.34` as numbers, so that 2.4 comes before 2.34. `GLIBC_PRIVATE` and others have none.
fn glibc_version(version: &str) -> Option<Vec<u32>> {
    let numbers = version.strip_prefix(GLIBC.1)?.split('.');
    numbers.map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(needs: &[(&str, &[&str])]) -> Result<Option<String>, NeedsError> {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let needs = needs
            .iter()
            .map(|(library, versions)| ((*library).to_owned(), owned(versions)));
        field(&needs.collect())
    }

    #[test]
    fn the_newest_symbol_decides() {
        let needs = of(&[
            ("ld-linux-x86-64.so.2", &["GLIBC_2.3"]),
            ("libc.so.6", &["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.4"]),
            ("libgcc_s.so.1", &["GCC_3.0", "GCC_4.2.0"]),
            ("libm.so.6", &["GLIBC_2.29"]),
        ]);
        assert_eq!(
            needs.unwrap().as_deref(),
            Some("libc6 (>= 2.34), libgcc-s1 (>= 4.2)")
        );
    }

    #[test]
    fn a_static_program_depends_on_nothing_and_an_unknown_library_is_told() {
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&[("libc.so.6", &[])]), Ok(Some("libc6".to_owned())));
        assert_eq!(
            of(&[("libssl.so.3", &[])]),
            Err(NeedsError::UnknownLibrary("libssl.so.3".to_owned()))
        );
    }

    #[test]
    fn no_program_is_no_panic() {
        for bytes in [&b""[..], b"#!/bin/sh\n", b"\x7fELF", b"\x7fELF\x02\x01\x01"] {
            assert!(matches!(depends(bytes), Err(NeedsError::Unreadable(_))));
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn a_real_program_depends_on_the_c_library() {
        let this = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let depends = depends(&this).unwrap().unwrap();
        assert!(depends.starts_with("libc6 (>= 2."), "{depends}");
    }
}
