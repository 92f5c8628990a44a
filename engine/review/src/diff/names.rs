//! Names in pieces of C++, as C++ finds them inside a namespace.
//!
//! ```text
//! isa<TokType>($_self)                   inside ::d
//! ::llvm::isa<::d::TokType>($_self)      anywhere          both are isa<TokType>($_self)
//! $_self.isa<d::TokType>()               with the method
//! ```
//!
//! MLIR's header brings the names of `llvm` into `mlir`, and its own are seen from each dialect, so that both prefixes
//! say nothing. Classes that were renamed have their new names on both sides.

use std::{borrow::Cow, collections::BTreeMap};

use crate::code::{self, CASTS, MethodCall, quoted_length};

/// Names of `llvm` that mean something else than the name of `mlir`.
const OF_LLVM: &[&str] = &[
    "Argument",
    "ArrayType",
    "Attribute",
    "BasicBlock",
    "Constant",
    "Function",
    "FunctionType",
    "Instruction",
    "IntegerType",
    "Module",
    "Operator",
    "PointerType",
    "StructType",
    "Type",
    "Use",
    "User",
    "Value",
    "VectorType",
];

/// The classes that have another name on the new side: from the old name to the new one, both with their namespaces.
pub(super) type Renames = BTreeMap<String, String>;

/// A namespace, in which names are found, and the classes that were renamed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'n> {
    /// The namespace, as it is written.
    pub namespace: &'n str,
    /// The renamed classes.
    pub renames: Option<&'n Renames>,
}

impl Scope<'_> {
    /// The scope of names outside of all namespaces.
    pub const NONE: Scope<'static> = Scope { namespace: "", renames: None };

    /// Returns a piece of C++ with each name in its shortest form, and blanks only between words.
    pub(super) fn normal(self, text: &str) -> String {
        let text = blanks(text);
        if !text.contains("::") && self.renames.is_none_or(BTreeMap::is_empty) {
            return if text.contains('.') { functions(text) } else { text };
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let is_start = |c: char| c.is_alphabetic() || c == '_';
            // A name after `>::` belongs to the one before it.
            let may_begin = !out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
            let after_member =
                out.ends_with(['.']) || out.ends_with("->") || out.ends_with(">") && rest.starts_with("::");
            let bare = rest.strip_prefix("::").unwrap_or(rest);
            if let Some(length) = quoted_length(rest, out.chars().last()) {
                let (literal, after) = rest.split_at(length);
                out += literal;
                rest = after;
            } else if may_begin && !after_member && bare.starts_with(is_start) {
                let length = path_length(bare);
                let (path, after) = bare.split_at(length);
                out += &self.shortest(path);
                rest = after;
            } else {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                let (c, after) = rest.split_at(length);
                out += c;
                rest = after;
            }
        }
        let trimmed = out.trim_start_matches("::").trim_end_matches("::");
        let out = if trimmed.len() == out.len() { out } else { trimmed.to_owned() };
        if out.contains('.') { functions(out) } else { out }
    }

    /// Returns the shortest form of a name without leading `::`.
    fn shortest(self, path: &str) -> Cow<'_, str> {
        let mut name = Cow::Borrowed(without_library(path));
        let own = without_library(self.namespace.trim().trim_start_matches("::").trim_end_matches("::"));
        if let Some(new) = self.renames.and_then(|renames| renamed(&name, own, renames)) {
            name = Cow::Owned(new);
        }
        // Names of the old side have those of the new one here.
        let own =
            self.renames.and_then(|renames| renamed(own, "", renames)).map_or(Cow::Borrowed(own), Cow::Owned);
        let mut outer = &*own;
        while !outer.is_empty() {
            if let Some(rest) = name.strip_prefix(outer).and_then(|rest| rest.strip_prefix("::")) {
                return Cow::Owned(rest.to_owned());
            }
            // Inside of `a::b`, `b::X` is found in `a`.
            outer = outer.split_once("::").map_or("", |(_, inner)| inner);
        }
        Cow::Owned(name.into_owned())
    }
}

/// Returns the new form of a name that begins with a renamed class.
fn renamed(name: &str, namespace: &str, renames: &Renames) -> Option<String> {
    let ends: Vec<usize> = name.match_indices("::").map(|(at, _)| at).chain([name.len()]).collect();
    ends.into_iter().rev().find_map(|end| {
        let (class, rest) = (&name[..end], &name[end..]);
        let new = renames.get(class).or_else(|| renames.get(&format!("{namespace}::{class}")))?;
        Some(format!("{new}{rest}"))
    })
}

/// Returns a name without the prefixes that say nothing.
fn without_library(path: &str) -> &str {
    let mut path = path;
    while let Some((first, rest)) = path.split_once("::") {
        let last = rest.split("::").next().unwrap_or_default();
        match first {
            "mlir" => path = rest,
            "llvm" if !OF_LLVM.contains(&last) => path = rest,
            _ => break,
        }
    }
    path
}

/// Returns the length of the name that a text begins with: words with `::` between them.
fn path_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        length += word;
        let after = &text[length..];
        let continues = after
            .strip_prefix("::")
            .is_some_and(|next| next.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if !continues {
            return length;
        }
        length += 2;
    }
}

/// Rewrites methods as functions: `$_self.isa<T>()` is `isa<T>($_self)`.
fn functions(text: String) -> String {
    let mut text = text;
    // Each round rewrites one call, the innermost first.
    while let Some(call) = first_method(&text) {
        let Some(function) = call.function else { break };
        text.replace_range(call.start..call.end, &function);
    }
    text
}

/// Returns the first call of a method that is a function today.
fn first_method(text: &str) -> Option<MethodCall> {
    if !text.contains('<') {
        return None;
    }
    let tokens = code::tokens(text);
    let mut names = (0..tokens.len()).filter(|&at| CASTS.contains(&tokens[at].text));
    names.find_map(|at| code::method_call(text, &tokens, at, "").filter(|call| call.function.is_some()))
}

/// Returns a piece of C++ with names in their shortest form, outside of all namespaces.
pub(super) fn cpp(text: &str) -> String {
    Scope::NONE.normal(text)
}

/// Returns C++ whose words are separated by one blank, but for texts in quotes.
fn blanks(code: &str) -> String {
    if !code.contains(['"', '\'']) {
        return words(code);
    }
    let mut out = String::with_capacity(code.len());
    let mut rest = code.trim();
    while let Some(c) = rest.chars().next() {
        if let Some(length) = quoted_length(rest, out.chars().last()) {
            out += &rest[..length];
            rest = &rest[length..];
        } else if c.is_whitespace() {
            out.push(' ');
            rest = rest.trim_start();
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Returns C++ without its comments.
pub(super) fn without_comments(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = if let Some(length) = quoted_length(rest, out.chars().last()) {
            out += &rest[..length];
            length
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            out.push(' ');
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

/// Fixed names of C++'s integers on the platforms of MLIR.
const INTEGERS: &[(&str, &str)] = &[
    ("int8_t", "signed char"),
    ("uint8_t", "unsigned char"),
    ("int16_t", "short"),
    ("uint16_t", "unsigned short"),
    ("int32_t", "int"),
    ("uint32_t", "unsigned"),
    ("unsigned int", "unsigned"),
    ("signed int", "int"),
    ("signed", "int"),
];

/// Returns true if two types in their shortest form are one: `int` and `int32_t`.
pub(super) fn is_same_type(one: &str, other: &str) -> bool {
    let plain = |ty: &'_ str| -> String {
        let ty = ty.strip_prefix("std::").unwrap_or(ty);
        INTEGERS.iter().find(|(name, _)| *name == ty).map_or(ty, |(_, plain)| plain).to_owned()
    };
    one == other || plain(one) == plain(other)
}

/// Returns the name of a class with its namespace, for messages.
pub(super) fn whole_class(namespace: &str, class: &str) -> String {
    let namespace = namespace.trim().trim_start_matches("::").trim_end_matches("::");
    if namespace.is_empty() { class.to_owned() } else { format!("{namespace}::{class}") }
}

/// Returns the words of a text, separated by one blank.
pub(super) fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Returns the declarations in the body of a class, each without its own body, comments and blanks at its ends.
pub(super) fn members(body: &str, scope: Scope<'_>) -> Vec<String> {
    let mut members = Vec::new();
    let (mut depth, mut parentheses) = (0_i32, 0_i32);
    let mut current = String::new();
    let mut finish = |current: &mut String| {
        let text = scope.normal(current);
        if !text.is_empty() {
            members.push(text);
        }
        current.clear();
    };
    for c in without_comments(body).chars() {
        match c {
            '(' if depth == 0 => parentheses += 1,
            ')' if depth == 0 => parentheses -= 1,
            '{' if parentheses == 0 => {
                depth += 1;
                continue;
            }
            '}' if parentheses == 0 => {
                depth -= 1;
                if depth == 0 {
                    finish(&mut current);
                }
                continue;
            }
            ';' if depth == 0 && parentheses == 0 => {
                finish(&mut current);
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            current.push(c);
        }
    }
    finish(&mut current);
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_their_namespace() {
        let renames = Renames::from([("a::b::Old".to_owned(), "a::b::New".to_owned())]);
        let scope = Scope { namespace: "::a::b", renames: Some(&renames) };
        for (text, wanted) in [
            ("::llvm::isa<::a::b::T>($_self)", "isa<T>($_self)"),
            ("isa<T>($_self)", "isa<T>($_self)"),
            ("$_self.isa<b::T>()", "isa<T>($_self)"),
            ("(x.cast<a::T>().isa<T>())", "(isa<T>(cast<a::T>(x)))"),
            ("isa<Old>($_self) && !a::b::Old::is()", "isa<New>($_self) && !New::is()"),
            ("::mlir::LogicalResult", "LogicalResult"),
            ("llvm::LogicalResult", "LogicalResult"),
            ("llvm::Type", "llvm::Type"),
            ("my_mlir::X", "my_mlir::X"),
            ("Foo<T>::Bar", "Foo<T>::Bar"),
            ("::mlir", "mlir"),
            ("ä.isa<", "ä.isa<"),
            ("x == \"llvm::foo  a\"  && y", "x == \"llvm::foo  a\" && y"),
            ("x == \"\\\"mlir::\" && ::mlir::y", "x == \"\\\"mlir::\" && y"),
            ("x == 'a' && n < 1'000 && mlir::z", "x == 'a' && n < 1'000 && z"),
            ("\"::zed::q", "\"::zed::q"),
            ("", ""),
        ] {
            assert_eq!(scope.normal(text), wanted, "{text}");
        }
    }

    #[test]
    fn members_of_a_class() {
        let body = "unsigned width() const; // the width\n /* none; */ bool is(int x = {}) { return f(x); }\nusing T = ::mlir::Type;";
        let members = members(body, Scope::NONE);
        assert_eq!(members, ["unsigned width() const", "bool is(int x = {})", "using T = Type"]);
        assert!(super::members("}}{{((", Scope::NONE).len() <= 1);
    }

    #[test]
    fn integers_have_several_names() {
        assert!(is_same_type("int", "int32_t") && is_same_type("std::uint32_t", "unsigned"));
        assert!(!is_same_type("int", "int64_t") && !is_same_type("int", "unsigned"));
    }
}
