use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

/// Unpacks an archive with these bytes.
fn unpacked(bytes: &[u8], limits: &ImportLimits) -> Result<Unpacked, ArchiveFault> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let form = ArchiveForm::of(bytes).expect("the bytes of an archive");
    unpack(file, form, limits)
}

fn paths(bytes: &[u8]) -> Result<Vec<String>, ArchiveFault> {
    let unpacked = unpacked(bytes, &ImportLimits::default())?;
    Ok(unpacked.files.into_keys().collect())
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A tar whose names are written as they are, which the writer's own functions refuse.
fn tar(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The bytes with every occurrence of one text replaced by another of the same length.
fn patched(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut patched = bytes.to_vec();
    for at in 0..=patched.len() - from.len() {
        if patched[at..].starts_with(from) {
            patched[at..at + to.len()].copy_from_slice(to);
        }
    }
    patched
}

const FILE: tar::EntryType = tar::EntryType::Regular;

#[test]
fn every_form_is_unpacked_and_junk_dropped() {
    let expected = ["tea/SKILL.md", "tea/x.md"];
    let zipped = zip(&[
        ("./tea/SKILL.md", b"a"),
        ("tea\\x.md", b"b"),
        ("__MACOSX/tea/._x.md", b"c"),
        ("tea/.DS_Store", b"d"),
    ]);
    assert_eq!(paths(&zipped).unwrap(), expected);
    let tarred = tar(&[
        ("./", tar::EntryType::Directory, b""),
        ("./tea/SKILL.md", FILE, b"a"),
        ("tea//x.md", FILE, b"b"),
        ("tea/._x.md", FILE, b"c"),
    ]);
    assert_eq!(paths(&tarred).unwrap(), expected);
    assert_eq!(paths(&gzip(&tarred)).unwrap(), expected);
}

#[test]
fn the_executable_bit_is_kept() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mode) in [("run.sh", 0o755), ("data", 0o644)] {
        let options = SimpleFileOptions::default().unix_permissions(mode);
        writer.start_file(name, options).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    let unpacked = unpacked(&bytes, &ImportLimits::default()).unwrap();
    let executable = |name: &str| match &unpacked.files[name] {
        UnpackedFile::Kept(file) => file.executable,
        UnpackedFile::TooLarge => panic!("{name} is small"),
    };
    assert!(executable("run.sh"));
    assert!(!executable("data"));
}

#[test]
fn one_entry_that_leads_out_refuses_the_whole_archive() {
    for name in [
        "../x",
        "tea/../../x",
        "tea/..",
        "/etc/x",
        "\\x",
        "\\\\server\\share\\x",
        "..\\x",
        "tea\\..\\..\\x",
        "C:\\x",
        "c:/x",
        "C:x",
        ".. /x",
    ] {
        let fault = ArchiveFault::Escapes {
            entry: name.to_owned(),
        };
        let zipped = zip(&[("tea/SKILL.md", b"a"), (name, b"b")]);
        assert_eq!(paths(&zipped).as_ref(), Err(&fault), "{name}");
        let tarred = tar(&[("tea/SKILL.md", FILE, b"a"), (name, FILE, b"b")]);
        assert_eq!(paths(&tarred).as_ref(), Err(&fault), "{name}");
    }
}

#[test]
fn links_and_devices_refuse_the_whole_archive() {
    let link = |entry: &str| ArchiveFault::Link {
        entry: entry.to_owned(),
    };
    let special = ArchiveFault::Special {
        entry: "x".to_owned(),
    };
    for (kind, fault) in [
        (tar::EntryType::Symlink, link("x")),
        (tar::EntryType::Link, link("x")),
        (tar::EntryType::Fifo, special.clone()),
        (tar::EntryType::Block, special.clone()),
        (tar::EntryType::Char, special),
    ] {
        let bytes = tar(&[("tea/SKILL.md", FILE, b"a"), ("x", kind, b"")]);
        assert_eq!(paths(&bytes), Err(fault), "{kind:?}");
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_symlink("tea/out", "/etc", options).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(paths(&bytes), Err(link("tea/out")));
}

#[test]
fn two_entries_of_one_name_refuse_the_archive() {
    let bytes = zip(&[("aaaa.md", b"a"), ("bbbb.md", b"b")]);
    let bytes = patched(&bytes, b"bbbb.md", b"aaaa.md");
    assert!(matches!(paths(&bytes), Err(ArchiveFault::Duplicate { .. })));
    let bytes = tar(&[("a.md", FILE, b"a"), ("./a.md", FILE, b"b")]);
    let entry = "a.md".to_owned();
    assert_eq!(paths(&bytes), Err(ArchiveFault::Duplicate { entry }));
}

#[test]
fn encrypted_and_oddly_packed_entries_are_named() {
    let plain = zip(&[("tea.md", b"a")]);
    // The flags stand 6 bytes into a local header and 8 into one of the directory.
    let mut encrypted = plain.clone();
    let directory = plain.windows(4).position(|bytes| bytes == b"PK\x01\x02");
    let directory = directory.unwrap();
    encrypted[6] |= 1;
    encrypted[directory + 8] |= 1;
    let entry = "tea.md".to_owned();
    let fault = ArchiveFault::Encrypted {
        entry: entry.clone(),
    };
    assert_eq!(paths(&encrypted), Err(fault));
    let mut packed = plain;
    packed[8] = 14;
    packed[directory + 10] = 14;
    assert_eq!(paths(&packed), Err(ArchiveFault::Packing { entry }));
}

#[test]
fn bytes_are_counted_as_they_come_out() {
    let limits = ImportLimits {
        archive_bytes: 100_000,
        ..ImportLimits::default()
    };
    let zeros = vec![0; 60_000];
    let limit = limits.archive_bytes;
    let too_large = Err(ArchiveFault::TooLarge { limit });
    let count = |bytes: &[u8]| unpacked(bytes, &limits).map(|unpacked| unpacked.files.len());
    let deflated = SimpleFileOptions::default();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a", "b"] {
        writer.start_file(name, deflated).unwrap();
        writer.write_all(&zeros).unwrap();
    }
    let bomb = writer.finish().unwrap().into_inner();
    assert!(bomb.len() < 1_000);
    assert_eq!(count(&bomb), too_large);
    assert_eq!(count(&zip(&[("a", &zeros)])), Ok(1));
    // An archive that says that there is less in it: the size of `a` in the directory.
    let told = 60_000_u32.to_le_bytes();
    let lying = patched(&bomb, &told, &5_u32.to_le_bytes());
    assert!(count(&lying).is_err());
    let tarred = tar(&[("a", FILE, &zeros), ("b", FILE, &zeros)]);
    assert_eq!(count(&gzip(&tarred)), too_large);
    assert_eq!(count(&tarred), too_large);
}

#[test]
fn what_is_skipped_in_a_tar_counts_too() {
    let limits = ImportLimits {
        archive_bytes: 1_000,
        archive_entries: 10,
        ..ImportLimits::default()
    };
    let zeros = vec![0; 200_000];
    let bytes = gzip(&tar(&[("._junk", FILE, &zeros), ("a", FILE, b"a")]));
    let limit = limits.archive_bytes;
    assert_eq!(
        unpacked(&bytes, &limits).map(|unpacked| unpacked.files.len()),
        Err(ArchiveFault::TooLarge { limit })
    );
}

#[test]
fn entries_are_counted() {
    let limits = ImportLimits {
        archive_entries: 2,
        ..ImportLimits::default()
    };
    let fault = ArchiveFault::TooManyEntries { limit: 2 };
    let zipped = zip(&[("a", b""), ("b", b""), ("c", b"")]);
    assert_eq!(unpacked(&zipped, &limits).map(|_| ()), Err(fault.clone()));
    let tarred = tar(&[("a", FILE, b""), ("b", FILE, b""), ("c", FILE, b"")]);
    assert_eq!(unpacked(&tarred, &limits).map(|_| ()), Err(fault));
}

#[test]
fn damaged_archives_are_told() {
    let zipped = zip(&[("tea/SKILL.md", &[b'a'; 500])]);
    let tarred = gzip(&tar(&[("tea/SKILL.md", FILE, &[b'a'; 5_000])]));
    for bytes in [&zipped[..zipped.len() - 30], &tarred[..tarred.len() - 20]] {
        assert!(matches!(paths(bytes), Err(ArchiveFault::Damaged { .. })));
    }
    let mut content = zipped.clone();
    content[45] ^= 0xFF;
    assert!(matches!(paths(&content), Err(ArchiveFault::Damaged { .. })));
    assert!(matches!(
        paths(&gzip(b"no tar")),
        Err(ArchiveFault::Damaged { .. })
    ));
}

/// Names of the parts that attacks are made of.
fn names() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "..", ".", "/", "\\", "C:", "a", "b", "SKILL.md", " ", "\u{202E}", "ü", "\u{1}", "//", "x",
    ]);
    prop::collection::vec(parts, 1..8).prop_map(|parts| parts.concat())
}

#[test]
fn a_root_or_drive_behind_a_dot_is_a_way_out_too() {
    for name in [r".//\x", "./C:x", r"./\"] {
        let refused = paths(&zip(&[(name, b"x")]));
        assert!(
            matches!(refused, Err(ArchiveFault::Escapes { .. })),
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_name_yields_a_path_outside(names in prop::collection::hash_set(names(), 1..6)) {
        let entries: Vec<_> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        let tarred: Vec<_> = entries.iter().map(|(name, bytes)| (*name, FILE, *bytes)).collect();
        for bytes in [zip(&entries), tar(&tarred)] {
            for path in paths(&bytes).unwrap_or_default() {
                prop_assert!(!path.starts_with(['/', '\\']), "{path}");
                let climbs = path.split(['/', '\\']).any(|part| part == "..");
                prop_assert!(!climbs && !path.is_empty(), "{path}");
            }
        }
    }

    #[test]
    fn any_bytes_are_unpacked_or_refused(
        start in prop::sample::select(vec![&b"PK\x03\x04"[..], b"PK\x05\x06", b"\x1F\x8B\x08\x00"]),
        rest in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let bytes = [start, &rest].concat();
        let _ = paths(&bytes);
        let mut headed = vec![0; 512];
        headed[257..262].copy_from_slice(b"ustar");
        headed[..rest.len().min(256)].copy_from_slice(&rest[..rest.len().min(256)]);
        let _ = paths(&headed);
    }
}
