//! Patterns of paths, in the syntax of `.gitignore`: `exclude` and `ignore_errors`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// A list of patterns.
#[derive(Clone, Debug)]
pub struct Patterns {
    texts: Vec<String>,
    matcher: Gitignore,
    /// Each pattern alone, to find those without a match.
    single: Vec<Gitignore>,
}

impl Patterns {
    /// Compiles patterns.
    ///
    /// # Errors
    /// A pattern is malformed.
    pub fn new(texts: &[String]) -> Result<Patterns, String> {
        let single: Vec<Gitignore> =
            texts.iter().map(|text| matcher(std::slice::from_ref(text))).collect::<Result<_, _>>()?;
        Ok(Patterns { texts: texts.to_vec(), matcher: matcher(texts)?, single })
    }

    /// Returns true if there is no pattern.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns true if a file is matched, or a folder above it.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        !self.is_empty() && self.matcher.matched_path_or_any_parents(path, false).is_ignore()
    }

    /// Returns the pattern that takes a file or a folder back, whatever earlier patterns match.
    #[must_use]
    pub fn taking_back(path: &str) -> String {
        let mut pattern = "!/".to_owned();
        for char in path.chars() {
            if matches!(char, '\\' | '*' | '?' | '[' | ']') {
                pattern.push('\\');
            }
            pattern.push(char);
        }
        pattern
    }

    /// Returns true if a file itself is matched, not a folder above it.
    #[must_use]
    pub fn has_itself(&self, path: &str) -> bool {
        !self.is_empty() && self.matcher.matched(path, false).is_ignore()
    }

    /// Returns the patterns that match none of these paths.
    #[must_use]
    pub fn unmatched(&self, paths: &[&str]) -> Vec<&str> {
        let pairs = self.texts.iter().zip(&self.single);
        let is_unmatched = |(text, one): &(&String, &Gitignore)| {
            !text.starts_with('!')
                && !paths.iter().any(|path| one.matched_path_or_any_parents(path, false).is_ignore())
        };
        pairs.filter(is_unmatched).map(|(text, _)| text.as_str()).collect()
    }
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns { texts: Vec::new(), matcher: Gitignore::empty(), single: Vec::new() }
    }
}

fn matcher(texts: &[String]) -> Result<Gitignore, String> {
    let mut builder = GitignoreBuilder::new("");
    for text in texts {
        // `llvm/**` means the folder, as `llvm` and `llvm/` do.
        let plain = text.strip_prefix("./").unwrap_or(text);
        let plain = plain.strip_suffix("/**").filter(|folder| !folder.is_empty()).unwrap_or(plain);
        let wrong = |error: ignore::Error| format!("the pattern '{}': {error}", text.escape_debug());
        builder.add_line(None, plain).map_err(wrong)?;
    }
    builder.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Patterns {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        Patterns::new(&texts).expect("patterns")
    }

    #[test]
    fn patterns_are_those_of_gitignore() {
        for (pattern, path) in [
            ("a/b.td", "a/b.td"),
            ("./a/b.td", "a/b.td"),
            ("llvm", "llvm/b/c.td"),
            ("llvm/", "llvm/b/c.td"),
            ("llvm/**", "llvm/b/c.td"),
            ("llvm", "x/llvm/c.td"),
            ("*.td", "a/b.td"),
            ("**/c.td", "c.td"),
            ("**/b/*.td", "a/b/c.td"),
            ("a/*Ops*.td", "a/FooOpsBase.td"),
            ("a/**/c.td", "a/c.td"),
        ] {
            assert!(patterns(&[pattern]).has(path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("/a.td", "b/a.td"), ("a/b.td", "x/a/b.td"), ("a/*x*x.td", "a/x.td"), ("b.td/", "a/b.td")]
        {
            assert!(!patterns(&[pattern]).has(path), "{pattern} {path}");
        }
        assert!(!patterns(&["a", "!a"]).has("a/b.td"));
        for (pattern, selected, path) in
            [("*.td", "a/[b].td", "a/[b].td"), ("a", "a", "a/x.td"), ("a/", "a/b", "a/b/x.td")]
        {
            let taken_back = Patterns::taking_back(selected);
            assert!(!patterns(&[pattern, &taken_back]).has(path), "{pattern} {taken_back} {path}");
        }
        assert!(patterns(&["a", &Patterns::taking_back("a/b")]).has("a/c/x.td"));
        assert!(!Patterns::default().has("a"));
    }

    #[test]
    fn patterns_without_a_match_are_named() {
        let all = patterns(&["a", "nowhere", "!b"]);
        assert_eq!(all.unmatched(&["a/x.td", "b/y.td"]), ["nowhere"]);
    }
}
