//! Names that some releases of the library define and others do not, so that an error about one can explain it.

use crate::Release;

/// The first and the last of the releases that define a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The first.
    pub first: u8,
    /// The last.
    pub last: u8,
}

/// `name first last` in each line, sorted: classes, records and fields below `mlir/`, without dialects. Names of a
/// single word are left out as well, because projects use them for definitions of their own. `tests/setup/markers.sh`
/// writes the table from the libraries of all releases.
const NAMES: &str = include_str!("names.txt");

/// Returns the lifetime of a name; nothing for one that every release defines, or none.
fn lifetime(name: &str) -> Option<Lifetime> {
    NAMES.lines().find_map(|line| {
        let mut words = line.strip_prefix(name)?.strip_prefix(' ')?.split(' ');
        let mut number = || words.next()?.parse().ok();
        Some(Lifetime { first: number()?, last: number()? })
    })
}

/// Returns the first release that defines a name, if some do not.
#[must_use]
pub fn since(name: &str) -> Option<u8> {
    /// The first release that was measured.
    const OLDEST: u8 = 13;
    lifetime(name).map(|lifetime| lifetime.first).filter(|first| *first > OLDEST)
}

/// Returns the releases that define a name, if `release` does not.
#[must_use]
pub fn elsewhere(name: &str, release: u8) -> Option<String> {
    let Lifetime { first, last } = lifetime(name)?;
    if (first..=last).contains(&release) {
        return None;
    }
    Some(match (first, last) {
        (first, last) if last == Release::newest().number() => format!("MLIR {first} and later"),
        (first, last) if first == last => format!("MLIR {first} alone"),
        (first, last) => format!("MLIR {first} to {last}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_say_something() {
        let names: Vec<&str> = NAMES.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        for name in names {
            let Lifetime { first, last } = lifetime(name).unwrap_or_else(|| panic!("{name}"));
            assert!(first <= last && last <= Release::newest().number(), "{name}");
        }
    }

    #[test]
    fn a_name_of_another_release() {
        assert_eq!(elsewhere("AncestorOneOf", 22).as_deref(), Some("MLIR 23 and later"));
        assert_eq!(elsewhere("AncestorOneOf", 23), None);
        assert_eq!(elsewhere("EnumAttrParameter", 23).as_deref(), Some("MLIR 24 and later"));
        assert_eq!(elsewhere("AllAttrConstraintsOf", 22).as_deref(), Some("MLIR 13 to 15"));
        assert_eq!(elsewhere("Op", 22), None);
        assert_eq!(
            (since("AncestorOneOf"), since("AllAttrConstraintsOf"), since("Op")),
            (Some(23), None, None)
        );
        assert_eq!(elsewhere("", 22), None);
    }
}
