//! The containers: files in, bytes out, the same bytes for the same files. Owners, modes and dates
//! of the machine that packs never get in.

use std::{
    collections::BTreeSet,
    io::{self, Cursor, Write as _},
};

use flate2::{Compression, GzBuilder};
use jiff::{Timestamp, tz::TimeZone};
use zip::{ZipWriter, write::SimpleFileOptions};

/// A file in a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    /// Where it lies in the package: relative, with `/`.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) executable: bool,
}

impl File {
    pub(super) fn plain(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            executable: false,
        }
    }

    pub(super) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            executable: true,
            ..Self::plain(path, bytes)
        }
    }

    const fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// These lines as one text, each with its end.
pub(super) fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines
        .into_iter()
        .flat_map(|line| [line, "\n".to_owned()])
        .collect()
}

/// Every folder that the files lie in, parents first, without a slash at the end.
pub(super) fn folders(files: &[File]) -> BTreeSet<&str> {
    let paths = files.iter().map(|file| file.path.as_str());
    paths
        .flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]))
        .collect()
}

/// A gzipped tar with an entry for every folder. `prefix` stands before every path.
pub(super) fn tar_gz(prefix: &str, files: &[File], time: Timestamp) -> io::Result<Vec<u8>> {
    let mut tar = tar::Builder::new(Vec::new());
    let header = |kind, mode, size| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(size);
        header.set_mtime(time.as_second().try_into().unwrap_or(0));
        header.set_uid(0);
        header.set_gid(0);
        header.set_username("root")?;
        header.set_groupname("root")?;
        io::Result::Ok(header)
    };
    for folder in folders(files) {
        let mut header = header(tar::EntryType::Directory, 0o755, 0)?;
        tar.append_data(&mut header, format!("{prefix}{folder}/"), io::empty())?;
    }
    for file in sorted(files) {
        let size = file.bytes.len() as u64;
        let mut header = header(tar::EntryType::Regular, file.mode(), size)?;
        let path = format!("{prefix}{}", file.path);
        tar.append_data(&mut header, path, file.bytes.as_slice())?;
    }
    gzip(&tar.into_inner()?)
}

/// Compressed as far as gzip goes, without a name or a date in it.
pub(super) fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    gzip.finish()
}

/// A zip whose entries keep their modes, for those who unpack it on a Unix.
pub(super) fn zip(files: &[File], time: Timestamp) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().last_modified_time(zip_time(time));
    for file in sorted(files) {
        zip.start_file(&file.path, options.unix_permissions(file.mode()))?;
        zip.write_all(&file.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// An archive of `ar`, which a Debian package is: its members in the order given.
pub(super) fn ar(members: &[(&str, Vec<u8>)], time: Timestamp) -> io::Result<Vec<u8>> {
    let mut ar = ar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(time.as_second().try_into().unwrap_or(0));
        ar.append(&header, bytes.as_slice())?;
    }
    ar.into_inner()
}

fn sorted(files: &[File]) -> Vec<&File> {
    let mut files: Vec<_> = files.iter().collect();
    files.sort();
    files
}

/// A zip counts from 1980, in local time; here that is UTC.
fn zip_time(time: Timestamp) -> zip::DateTime {
    let time = TimeZone::UTC.to_datetime(time);
    let part = |part: i8| u8::try_from(part).unwrap_or_default();
    u16::try_from(time.year())
        .ok()
        .and_then(|year| {
            zip::DateTime::from_date_and_time(
                year,
                part(time.month()),
                part(time.day()),
                part(time.hour()),
                part(time.minute()),
                part(time.second()),
            )
            .ok()
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn files() -> Vec<File> {
        vec![
            File::plain("doc/b", "two"),
            File::program("bin/a", "one"),
            File::plain("doc/deep/c", vec![b'x'; 5_000]),
        ]
    }

    const TIME: Timestamp = Timestamp::constant(1_780_000_000, 0);

    #[test]
    fn a_tar_lists_folders_first_and_belongs_to_root() {
        let bytes = tar_gz("./", &files(), TIME).unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let listed: Vec<_> = tar
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
                assert_eq!(header.username().unwrap(), Some("root"));
                assert_eq!(header.mtime().unwrap(), 1_780_000_000);
                let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
                format!("{:o} {path}", header.mode().unwrap())
            })
            .collect();
        insta::assert_snapshot!(listed.join("\n"), @"
        755 bin/
        755 doc/
        755 doc/deep/
        755 bin/a
        644 doc/b
        644 doc/deep/c
        ");
    }

    #[test]
    fn a_zip_keeps_modes_and_the_date() {
        let bytes = zip(&files(), TIME).unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut program = zip.by_name("bin/a").unwrap();
        assert_eq!(program.unix_mode(), Some(0o100_755));
        assert_eq!(
            program.last_modified().unwrap().to_string(),
            "2026-05-28 20:26:40"
        );
        let mut text = String::new();
        program.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
        drop(program);
        assert_eq!(zip.by_name("doc/b").unwrap().unix_mode(), Some(0o100_644));
    }

    #[test]
    fn the_same_files_make_the_same_bytes_in_any_order() {
        let mut turned = files();
        turned.reverse();
        assert_eq!(
            tar_gz("x/", &files(), TIME).unwrap(),
            tar_gz("x/", &turned, TIME).unwrap()
        );
        assert_eq!(zip(&files(), TIME).unwrap(), zip(&turned, TIME).unwrap());
        let before_1980 = Timestamp::constant(0, 0);
        assert!(zip(&files(), before_1980).is_ok());
    }
}
