//! `odsmith completions` and `odsmith man`: completions for shells, and manual pages. Both are generated from the
//! command line's parser and from the table of `tblgen`'s flags, so that they stay in step with them.

use std::{fs, io, path::PathBuf};

use clap::{Arg, ArgAction, Args, Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use odsmith_engine::generators::{GENERATORS, OPTIONS};
use odsmith_tblgen::flags::{DUMPS, GENERAL};

use super::{display, exit::ExitStatus, help};
use crate::store::disk;

/// Which shell.
#[derive(Clone, Debug, Args)]
pub struct Completions {
    /// The shell that reads it
    shell: Shell,
}

impl Completions {
    /// Prints the completions.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn run(&self) -> Result<ExitStatus, String> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut described(), "odsmith", &mut text);
        display::print(&String::from_utf8_lossy(&text))?;
        Ok(ExitStatus::Done)
    }
}

/// The folder of the pages.
#[derive(Clone, Debug, Args)]
pub struct Manual {
    /// The folder, which is made if it is not there
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
}

impl Manual {
    /// Writes a page for each command. The folder also holds the pages of other programs, so it gets no list of written
    /// files: each page names its program.
    ///
    /// # Errors
    /// A page cannot be written, or another file has its name.
    pub fn run(&self) -> Result<ExitStatus, String> {
        let mut command = described().disable_help_subcommand(true);
        command.build();
        let mut pages = Vec::new();
        render(command, &mut pages).map_err(|error| disk::reason(&error))?;
        for (name, _) in &pages {
            let place = self.out.join(name);
            if fs::symlink_metadata(&place).is_ok() && !fs::read(&place).is_ok_and(|old| is_page(&old)) {
                let what =
                    "the file is there already, and is no page of odsmith: remove it, or name another folder";
                return Err(format!("{}: {what}", place.display()));
            }
        }
        pages.iter().try_for_each(|(name, text)| disk::write(&self.out.join(name), text))?;
        Ok(ExitStatus::Done)
    }
}

/// Renders the pages of a command and of its subcommands, with their file names.
fn render(command: Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()).cloned() {
        render(below, pages)?;
    }
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    Ok(())
}

/// Returns true if this program wrote the page.
fn is_page(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| line.starts_with(b".TH odsmith"))
}

/// Returns the command line with the flags of `tblgen`, which parses them itself.
fn described() -> Command {
    help::command().mut_subcommand("tblgen", |_| tblgen())
}

fn tblgen() -> Command {
    let general = GENERAL.iter().map(|flag| option(flag.name, flag.value, flag.about));
    let generators = GENERATORS.iter().map(|generator| option(generator.name, None, generator.about));
    let dumps = DUMPS.iter().map(|(name, about)| option(name, None, about));
    let options = OPTIONS.iter().map(|flag| option(flag.name, flag.value, flag.about));
    Command::new("tblgen")
        .about("Behave as mlir-tblgen: one output of one .td file")
        .disable_help_flag(true)
        .args(general.map(|arg| arg.help_heading("General")))
        .args(generators.chain(dumps).map(|arg| arg.help_heading("Generator to run")))
        .args(options.map(|arg| arg.help_heading("Options of the generators")))
        .arg(Arg::new("input").value_name("INPUT").value_hint(ValueHint::FilePath).help("The .td file"))
}

/// Creates a flag; a one-letter flag has one dash.
fn option(name: &'static str, value: Option<&'static str>, about: &'static str) -> Arg {
    let arg = Arg::new(name).help(about);
    let arg = match (name.len(), name.chars().next()) {
        (1, Some(letter)) => arg.short(letter),
        _ => arg.long(name),
    };
    let Some(value) = value else { return arg.action(ArgAction::SetTrue) };
    let arg = arg.action(ArgAction::Append).value_name(value);
    match value {
        "directory" => arg.value_hint(ValueHint::DirPath),
        "filename" => arg.value_hint(ValueHint::FilePath),
        _ if value.contains('|') => arg.value_parser(value.split('|').collect::<Vec<_>>()),
        _ => arg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_one_that_clap_takes() {
        described().debug_assert();
    }

    #[test]
    fn every_flag_of_tblgen_is_described() {
        let command = tblgen();
        let names: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
        for name in
            GENERATORS.iter().map(|generator| generator.name).chain(OPTIONS.iter().map(|flag| flag.name))
        {
            assert!(names.contains(&name), "{name}");
        }
        let ways = command.get_arguments().find(|arg| arg.get_id() == "on-deprecated").expect("a flag");
        let ways: Vec<String> =
            ways.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        assert_eq!(ways, ["none", "warn", "error"]);
    }

    #[test]
    fn shells_know_commands_and_flags() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut described(), "odsmith", &mut text);
            let text = String::from_utf8(text).expect("text");
            for word in ["gen-op-decls", "min-coverage", "generate"] {
                assert!(text.contains(word), "{shell} does not know {word}");
            }
        }
    }
}
