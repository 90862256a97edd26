//! `imprint manual`: the pages for `man`, one for the program and one for each of its commands.
//! Packages are made with it; people find the same in `--help`.

use std::{io, path::Path};

use clap::Command;
use clap_mangen::Man;

use crate::{cli, failure::Failure};

pub(super) fn run(folder: &Path) -> Result<(), Failure> {
    let mut command = cli::command().disable_help_subcommand(true);
    command.build();
    write(&command, folder)
        .map_err(|error| Failure::failed(format!("can't write into {}: {error}", folder.display())))
}

fn write(command: &Command, folder: &Path) -> io::Result<()> {
    Man::new(command.clone())
        .source(concat!("imprint ", env!("CARGO_PKG_VERSION")))
        .manual("Imprint")
        .generate_to(folder)?;
    command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set())
        .try_for_each(|subcommand| write(subcommand, folder))
}
