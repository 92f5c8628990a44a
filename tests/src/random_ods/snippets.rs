//! Random snippets of C++, and string literals split into lines.
//!
//! Every field that holds code, a type or a text gets one of these, so that blanks, line ends, comments and
//! placeholders occur in all of them.

use super::{Tree, Writer};
use crate::random::Random;

/// Parts of code: every placeholder of any field, text that looks like one, quotes, brackets, comments.
const PARTS: &[&str] = &[
    "$_self",
    "$_self",
    "$_self.x()",
    "$_builder",
    "$_ctxt",
    "$_op",
    "$_type",
    "$_attr",
    "$0",
    "$1",
    "$2",
    "$$",
    "$",
    "$_",
    "$_selfish",
    "${_self}",
    "$a",
    "$value",
    "$_storage",
    "$_value",
    "$_diag",
    "$_reader",
    "$_writer",
    "$_parser",
    "$_printer",
    "$_dst",
    "$_allocator",
    "$_lhs",
    "$_rhs",
    "$_state",
    "$_get",
    "$cppClass",
    "$_resultType",
    "$_var",
    "$_args",
    "$_getter",
    "$_member",
    "$_getMember",
    "$_attrType",
    "$_name",
    "$_val",
    "f(",
    ")",
    ", ",
    " ",
    " == ",
    ".x",
    "{0}",
    "{{",
    "}",
    "\"s\"",
    "'c'",
    "\\\\",
    "\\n",
    "// no",
    "/* c */",
    ";",
    "return",
    "::a::B<int, 3>",
    "unsigned long",
    "const T &",
    "<x>",
    "& |",
    "#if 1",
];

impl Writer<'_> {
    /// A string literal with code.
    pub(super) fn code(&mut self) -> String {
        let count = 1 + self.below(4);
        let parts: String = (0..count).map(|_| self.pick(PARTS)).collect();
        self.literal_of(&parts)
    }

    /// A string literal with an expression about `$_self`, with balanced brackets.
    pub(super) fn expression(&mut self) -> String {
        let text = match self.below(9) {
            0 => "$_self.good()".to_owned(),
            1 => format!("f($_self, {})", self.pick(PARTS)),
            2 => "isA($_self) && isB($_self)".to_owned(),
            3 => "::llvm::isa<A, B>($_self)".to_owned(),
            4 => "$_self == \"s\"".to_owned(),
            5 => "[](T t) { return t; }($_self)".to_owned(),
            6 => "$_ctxt && $_builder".to_owned(),
            7 => "true".to_owned(),
            _ => "g($_self,  h( $_self ))".to_owned(),
        };
        self.literal_of(&text)
    }

    /// A string literal with a C++ type.
    pub(super) fn cpp_type(&mut self) -> String {
        let text = self.pick(&[
            "int",
            "::fuzz::T",
            "T",
            "std::vector<int>",
            "std::pair<A, B>",
            "const char *",
            "T &",
            "::llvm::ArrayRef<int64_t>",
            "std::optional<::fuzz::T>",
            "::llvm::StringRef",
            "::llvm::APInt",
            "::mlir::Attribute",
            "::mlir::IntegerAttr",
            "unsigned  long",
            "::mlir::Type",
            "",
            "void",
            "bool",
            "T *",
        ]);
        self.literal_of(text)
    }

    /// A literal of this text: quoted, or as code.
    pub(super) fn literal_of(&mut self, text: &str) -> String {
        match self.below(4) {
            0 if !text.contains("}]") => format!("[{{{text}}}]"),
            _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")),
        }
    }

    /// A predicate.
    pub(super) fn predicate(&mut self, depth: usize) -> String {
        if depth == 0 || self.one_in(2) {
            return format!("CPred<{}>", self.expression());
        }
        let one = self.predicate(depth - 1);
        match self.below(8) {
            0 | 1 => format!("And<[{one}, {}]>", self.predicate(depth - 1)),
            2 | 3 => format!("Or<[{one}, {}, {}]>", self.predicate(depth - 1), self.predicate(depth - 1)),
            4 => format!("Neg<{one}>"),
            5 => {
                let to = self.expression();
                let from = self.pick(&["$_self", "isA", "$_builder", "x"]);
                format!("SubstLeaves<\"{from}\", {to}, {one}>")
            }
            6 => format!("Concat<{}, {one}, {}>", self.expression(), self.expression()),
            _ => self.pick(&["And<[]>", "Or<[]>", "CPred<\"true\">", "CPred<\"false\">"]).to_owned(),
        }
    }

    /// Splits string literals of the tree, each with a chance of one in `n`.
    pub(super) fn broken(&mut self, tree: Tree, n: usize) -> Tree {
        tree.with_texts(&mut |text| broken(text, self.random, n))
    }
}

/// The text with some of its string literals rewritten as code of many lines.
fn broken(text: &str, random: &mut Random, n: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '[', '/']) {
        out += &rest[..start];
        rest = &rest[start..];
        let (length, content) = if let Some(content) = rest.strip_prefix("[{") {
            match content.find("}]") {
                Some(end) => (end + 4, content[..end].to_owned()),
                None => return out + rest,
            }
        } else if rest.starts_with('"') {
            match quoted(rest) {
                Some(both) => both,
                None => return out + rest,
            }
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            out += &rest[..end];
            rest = &rest[end..];
            continue;
        } else {
            out += &rest[..1];
            rest = &rest[1..];
            continue;
        };
        let is_name = content.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        // The C++ and dialect names of a definition are neither code nor types.
        let line = out.rsplit('\n').next().unwrap_or_default();
        let is_first = !line.contains('"') && !line.contains("[{");
        let is_title = is_name
            && (line.starts_with("def ") && is_first
                || line.contains("InterfaceMethods<")
                || line.contains("ClassName = "));
        if content.contains("}]") || is_title || !random.one_in(if is_name { 5 * n } else { n }) {
            out += &rest[..length];
        } else {
            out += &with_lines(&content, random);
        }
        rest = &rest[length..];
    }
    out + rest
}

/// The length of the string literal at the start of the text, and its content.
fn quoted(text: &str) -> Option<(usize, String)> {
    let mut content = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((index, c)) = chars.next() {
        match c {
            '"' => return Some((index + 1, content)),
            '\\' => match chars.next()?.1 {
                'n' => content.push('\n'),
                't' => content.push('\t'),
                other => content.push(other),
            },
            c => content.push(c),
        }
    }
    None
}

/// A code literal of this content with blanks, comments and line ends inserted.
fn with_lines(content: &str, random: &mut Random) -> String {
    const ENDS: &[&str] =
        &["\n", "\n    ", "\n\n  ", "\n      ", "  \n  ", "\n\t", "\r\n    ", "// why\n    ", " /* c */ "];
    let mut text = content.to_owned();
    for _ in 0..random.below(3) {
        let places: Vec<usize> = text
            .char_indices()
            .filter(|(_, c)| matches!(c, ' ' | ',' | '(' | ')' | '<' | '>' | ';' | '{' | '\n'))
            .map(|(index, c)| index + c.len_utf8())
            .collect();
        if let Some(&place) = places.get(random.below(places.len())) {
            text.insert_str(place, random.pick::<&str>(ENDS));
        }
    }
    let (open, close) = *random.pick(&[
        ("", ""),
        (" ", " "),
        ("\n      ", "\n    "),
        ("\n  ", ""),
        ("\n\n      ", "\n\n"),
        ("\t", "\t"),
        ("", "\n"),
        ("// note\n", ""),
        ("\n", "// end\n"),
    ]);
    format!("[{{{open}{text}{close}}}]")
}
