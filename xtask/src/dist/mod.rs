//! `cargo xtask dist`: the packages of a release, for the machine that this runs on.
//!
//! Pure functions say what lies in each package; [`run`] builds the program, asks it for its
//! completions and manual, and writes. One commit makes the same packages wherever it is built
//! with the same compiler and C library.

mod contents;
mod debian;
mod formats;
mod licences;
mod mcpb;
mod needs;
mod platform;
mod release;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use cargo_metadata::{Metadata, MetadataCommand};
use clap::Args;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use contents::Contents;
use formats::{lines, tar_gz, zip};
use platform::{Platform, System};
use release::{PACKAGE, Release};

use crate::{
    task::{Done, TaskError},
    workspace,
};

/// Where the packages go, in Cargo's target folder.
const FOLDER: &str = "dist";
/// The list of checksums, in the form of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

#[derive(Args, Clone, Debug)]
pub(crate) struct DistArgs {
    /// Print what was made as one JSON object
    #[arg(long)]
    json: bool,
}

/// A package, ready to be written.
#[derive(Debug)]
struct Made {
    name: String,
    bytes: Vec<u8>,
}

/// What was made, for people and scripts.
#[derive(Debug, Serialize)]
struct Report {
    version: String,
    target: String,
    folder: PathBuf,
    /// Seconds that the build took, which is short when nothing has changed.
    build_seconds: f64,
    files: Vec<FileReport>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    name: String,
    bytes: usize,
    sha256: String,
}

/// Builds the program and makes all packages.
pub(crate) fn run(args: &DistArgs) -> Done {
    let platform = host()?;
    let metadata = metadata(&platform)?;
    let release = Release::read(&metadata)?;
    eprintln!("dist: building `{PACKAGE}` for release, which takes minutes the first time");
    let began = Instant::now();
    let program = workspace::build_without_paths(PACKAGE, PACKAGE)?;
    let build_seconds = began.elapsed().as_secs_f64();
    let contents = Contents::gather(&program, licences::third_party(&metadata)?)?;
    let made = make(&release, &platform, &contents)?;
    let folder = metadata.target_directory.join(FOLDER).into_std_path_buf();
    let files = write(&folder, &made)?;
    tell(
        &Report {
            version: release.version,
            target: platform.triple,
            folder,
            build_seconds,
            files,
        },
        args.json,
    )
}

/// The machine that this runs on.
fn host() -> Result<Platform, TaskError> {
    let what = "rustc -vV";
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output();
    let said = output.map_err(TaskError::io(what))?.stdout;
    let said = String::from_utf8_lossy(&said);
    let triple = said
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or_else(|| TaskError::Impossible(format!("`{what}` names no host")))?;
    Platform::of(triple)
        .ok_or_else(|| TaskError::Impossible(format!("there are no packages for `{triple}` yet")))
}

/// The workspace with the dependencies that this platform has.
fn metadata(platform: &Platform) -> Result<Metadata, TaskError> {
    let platform = ["--filter-platform", &platform.triple, "--locked"];
    let mut command = MetadataCommand::new();
    command.current_dir(workspace::root());
    command.other_options(platform.map(str::to_owned));
    Ok(command.exec()?)
}

/// All packages for this platform.
fn make(
    release: &Release,
    platform: &Platform,
    contents: &Contents,
) -> Result<Vec<Made>, TaskError> {
    let mut made = vec![archive(release, platform, contents)?];
    made.extend(debian_package(release, platform, contents)?);
    let tools = imprint_server::tools();
    let legal = contents.legal();
    let files = mcpb::files(release, platform, &tools, &contents.program, legal);
    made.push(Made {
        name: format!("{}.mcpb", release.name),
        bytes: zip(&files, release.time).map_err(TaskError::io("pack the MCP bundle"))?,
    });
    Ok(made)
}

/// The archive that people unpack by hand: a zip where that is what the system opens.
fn archive(release: &Release, platform: &Platform, contents: &Contents) -> Result<Made, TaskError> {
    let stem = format!("{}-{}-{}", release.name, release.version, platform.triple);
    let prefix = format!("{stem}/");
    let mut files = contents.archive(release, platform);
    let packed = match platform.system {
        System::Windows => {
            for file in &mut files {
                file.path.insert_str(0, &prefix);
            }
            zip(&files, release.time).map(|bytes| ("zip", bytes))
        }
        System::Linux | System::MacOs => {
            tar_gz(&prefix, &files, release.time).map(|bytes| ("tar.gz", bytes))
        }
    };
    let (ending, bytes) = packed.map_err(TaskError::io("pack the archive"))?;
    let name = format!("{stem}.{ending}");
    Ok(Made { name, bytes })
}

/// The Debian package, on a machine that Debian has packages for.
fn debian_package(
    release: &Release,
    platform: &Platform,
    contents: &Contents,
) -> Result<Option<Made>, TaskError> {
    let Some(architecture) = platform.debian_architecture() else {
        return Ok(None);
    };
    let depends =
        needs::depends(&contents.program).map_err(|error| TaskError::Failed(error.to_string()))?;
    let target = debian::Target {
        architecture,
        depends,
    };
    let bytes = debian::package(release, &target, contents)
        .map_err(TaskError::io("pack the Debian package"))?;
    let name = debian::file_name(release, &target);
    Ok(Some(Made { name, bytes }))
}

/// Writes the packages and their checksums into a folder that holds nothing else afterwards.
fn write(folder: &Path, made: &[Made]) -> Result<Vec<FileReport>, TaskError> {
    let place = || folder.display().to_string();
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(TaskError::io(place()))?;
    }
    fs::create_dir_all(folder).map_err(TaskError::io(place()))?;
    let mut reports = Vec::with_capacity(made.len());
    for Made { name, bytes } in made {
        fs::write(folder.join(name), bytes).map_err(TaskError::io(name))?;
        reports.push(FileReport {
            name: name.clone(),
            bytes: bytes.len(),
            sha256: hex::encode(Sha256::digest(bytes)),
        });
    }
    let sums = reports.iter();
    let sums = lines(sums.map(|file| format!("{}  {}", file.sha256, file.name)));
    fs::write(folder.join(SUMS), sums).map_err(TaskError::io(SUMS))?;
    Ok(reports)
}

fn tell(report: &Report, json: bool) -> Done {
    if json {
        let line = serde_json::to_string(report)
            .map_err(|error| TaskError::Impossible(error.to_string()))?;
        println!("{line}");
        return Ok(());
    }
    println!(
        "imprint {} for {}, in {}:",
        report.version,
        report.target,
        report.folder.display()
    );
    for file in &report.files {
        println!("  {:>10} bytes  {}", file.bytes, file.name);
    }
    println!("  checksums in {SUMS}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive_for(triple: &str) -> Made {
        let platform = Platform::of(triple).unwrap();
        archive(&release::sample(), &platform, &contents::sample()).unwrap()
    }

    #[test]
    fn an_archive_unpacks_into_a_folder_of_its_name() {
        let made = archive_for("x86_64-unknown-linux-gnu");
        assert_eq!(made.name, "imprint-1.2.3-x86_64-unknown-linux-gnu.tar.gz");
        let tar = flate2::read::GzDecoder::new(made.bytes.as_slice());
        let program = "imprint-1.2.3-x86_64-unknown-linux-gnu/imprint";
        let mut tar = tar::Archive::new(tar);
        let mut paths = tar.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            entry.path().unwrap().display().to_string()
        });
        assert!(paths.any(|path| path == program));

        let made = archive_for("x86_64-pc-windows-msvc");
        assert_eq!(made.name, "imprint-1.2.3-x86_64-pc-windows-msvc.zip");
        let zip = ::zip::ZipArchive::new(std::io::Cursor::new(made.bytes)).unwrap();
        let program = "imprint-1.2.3-x86_64-pc-windows-msvc/imprint.exe";
        assert!(zip.index_for_name(program).is_some());
    }

    #[test]
    fn only_linux_gets_a_debian_package() {
        for triple in ["aarch64-apple-darwin", "x86_64-pc-windows-msvc"] {
            let platform = Platform::of(triple).unwrap();
            let made = make(&release::sample(), &platform, &contents::sample()).unwrap();
            assert_eq!(made.len(), 2);
            assert_eq!(made[1].name, "imprint.mcpb");
        }
    }

    #[test]
    fn the_folder_holds_what_was_made_last_and_its_sums() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("dist");
        let made = |name: &str| {
            vec![Made {
                name: name.to_owned(),
                bytes: b"abc".to_vec(),
            }]
        };
        write(&folder, &made("old")).unwrap();
        write(&folder, &made("new")).unwrap();
        assert!(!folder.join("old").exists());
        let sums = fs::read_to_string(folder.join(SUMS)).unwrap();
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums, format!("{digest}  new\n"));
    }
}
