//! The files that name ignored paths: `.gitignore`, `.ignore`, `.odsmithignore`, and `.git/info/exclude`.

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};

use super::tree::Tree;

/// The names of these files, the strongest first.
pub(super) const NAMES: [&str; 3] = [".odsmithignore", ".ignore", ".gitignore"];
/// The file of a repository that git reads as well.
const EXCLUDE: &str = ".git/info/exclude";

/// The ignore files of a folder and of those above it.
pub(super) struct Ignores<'a> {
    above: Option<&'a Ignores<'a>>,
    folder: String,
    /// In the order of `NAMES`, and then that of the repository.
    own: [Option<Gitignore>; 4],
}

/// The verdict on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No pattern matches it.
    Unmatched,
    /// A pattern ignores it: the pattern, and the file that has it.
    Ignored(String),
    /// `.odsmithignore` takes it back, whatever it is.
    TakenBack,
}

impl<'a> Ignores<'a> {
    /// Reads the ignore files among the entries of a folder.
    pub fn read(
        tree: &dyn Tree,
        folder: &str,
        names: &[&str],
        above: Option<&'a Ignores<'a>>,
    ) -> Option<Ignores<'a>> {
        let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let matcher = |name: &str| {
            let bytes = tree.read(&path(name)).ok()?;
            let mut builder = GitignoreBuilder::new("");
            for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
                // As in git, a line that is no pattern matches nothing.
                let _ = builder.add_line(None, line);
            }
            builder.build().ok()
        };
        let mut own = NAMES.map(|name| if names.contains(&name) { matcher(name) } else { None }).to_vec();
        own.push(if folder.is_empty() && names.contains(&".git") { matcher(EXCLUDE) } else { None });
        let own: [Option<Gitignore>; 4] = own.try_into().ok()?;
        own.iter().any(Option::is_some).then(|| Ignores { above, folder: folder.to_owned(), own })
    }

    /// Returns the verdict on a file or folder.
    pub fn verdict(&self, path: &str, is_folder: bool) -> Verdict {
        for (index, name) in NAMES.iter().chain([&EXCLUDE]).enumerate() {
            let mut folder = Some(self);
            while let Some(ignores) = folder {
                let below = match &*ignores.folder {
                    "" => path,
                    above => path.strip_prefix(above).map_or(path, |below| below.trim_start_matches('/')),
                };
                match ignores.own[index].as_ref().map(|own| own.matched(below, is_folder)) {
                    Some(Match::Ignore(glob)) => {
                        return Verdict::Ignored(format!("{} in {name}", glob.original()));
                    }
                    Some(Match::Whitelist(_)) if index == 0 => return Verdict::TakenBack,
                    Some(Match::Whitelist(_)) => return Verdict::Unmatched,
                    Some(Match::None) | None => folder = ignores.above,
                }
            }
        }
        Verdict::Unmatched
    }
}
