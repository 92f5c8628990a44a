//! Classes whose members are declared in one file and defined in another.
//!
//! A [`Class`] is built once; [`Class::declaration`] writes the class and [`Class::definitions`] the code after it, in
//! the order in which the members were added. A body is a closure, so that a file without the body does not pay for it.
//!
//! ```text
//! class:      [template-head] ("class" | "struct") name [":" bases] "{" {member} "};"
//! member:     [access ":"] (line | code | method)
//! method:     [template-head] [deprecated] {"static" | …} type name "(" parameters ")" ["const"] (";" | body)
//! definition: type class "::" name "(" parameters ")" ["const"] body
//! ```
//!
//! An empty line follows each member with a body and each constructor, but no other member.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    fmt,
    hash::BuildHasher,
};

use rustc_hash::FxBuildHasher;

use super::{Writer, escaped, join};

/// The access of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `public`.
    Public,
    /// `protected`.
    Protected,
    /// `private`.
    Private,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Public => "public",
            Access::Protected => "protected",
            Access::Private => "private",
        })
    }
}

/// A class or struct.
#[derive(Debug)]
pub struct Class<'a> {
    /// The name without its namespace.
    pub name: Cow<'a, str>,
    /// The template head before the class: `template <typename RangeT>`.
    pub template_head: Option<&'static str>,
    /// The base classes with their access: `public ::mlir::Dialect`.
    pub bases: Vec<String>,
    /// True if every line is indented, even those inside the users' code.
    pub indents_every_line: bool,
    /// True for the layout of old releases: no blank lines after members with a body, but some in place of the
    /// definition of a member without one.
    pub is_dense: bool,
    keyword: &'static str,
    /// The access of members before the first label.
    default_access: Access,
    access: Access,
    members: Vec<(Access, Member<'a>)>,
    /// By the hash of a method's name: a position before which no method of that name is. Methods are compared only if
    /// two may share a name.
    names: HashMap<u64, usize, FxBuildHasher>,
}

/// Few classes have more members, except those of operations.
const USUAL_MEMBERS: usize = 16;

enum Member<'a> {
    /// `public:` and the like, written even if it changes nothing.
    Label,
    /// Text of one or more lines, as is.
    Text(Cow<'a, str>),
    /// The user's own code, in the class and after it.
    Code {
        declaration: Cow<'a, str>,
        definition: Cow<'a, str>,
    },
    /// Lines that are written only inside the class.
    Lines(BodyFn<'a>),
    Method(Method<'a>),
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Member::Label => f.write_str("Label"),
            Member::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Member::Code { .. } => f.write_str("Code"),
            Member::Lines(_) => f.write_str("Lines"),
            Member::Method(method) => f.debug_tuple("Method").field(method).finish(),
        }
    }
}

impl<'a> Class<'a> {
    /// Creates an empty `class`, whose members are public until [`Class::access`] changes that.
    #[must_use]
    pub fn new(name: impl Into<Cow<'a, str>>) -> Self {
        Class {
            name: name.into(),
            template_head: None,
            bases: Vec::new(),
            indents_every_line: false,
            is_dense: false,
            keyword: "class",
            default_access: Access::Private,
            access: Access::Public,
            members: Vec::with_capacity(USUAL_MEMBERS),
            names: HashMap::default(),
        }
    }

    /// Creates an empty `struct`.
    #[must_use]
    pub fn structure(name: impl Into<Cow<'a, str>>) -> Self {
        Class { keyword: "struct", default_access: Access::Public, ..Class::new(name) }
    }

    /// Sets the access of the members that are added from now on.
    pub fn access(&mut self, access: Access) {
        self.access = access;
    }

    /// Sets the access, and writes its label even if it changes nothing.
    pub fn label(&mut self, access: Access) {
        self.access = access;
        self.members.push((access, Member::Label));
    }

    /// Removes a label that no member follows.
    pub fn trim_label(&mut self) {
        if let Some((_, Member::Label)) = self.members.last() {
            self.members.pop();
        }
    }

    /// Adds lines such as a `using` or a field.
    pub fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.members.push((self.access, Member::Text(text.into())));
    }

    /// Adds the user's own code: the part in the class, and the part after it.
    pub fn code(&mut self, declaration: impl Into<Cow<'a, str>>, definition: impl Into<Cow<'a, str>>) {
        let (declaration, definition) = (declaration.into(), definition.into());
        self.members.push((self.access, Member::Code { declaration, definition }));
    }

    /// Adds lines that are written only inside the class.
    pub fn lines(&mut self, lines: impl Fn(&mut Writer) + 'a) {
        self.members.push((self.access, Member::Lines(Box::new(lines))));
    }

    /// Adds a method, unless an existing one already accepts every call of it. Removes existing methods whose calls the
    /// new one accepts. Returns whether the method was added.
    pub fn method(&mut self, method: Method<'a>) -> bool {
        let first = match self.names.entry(FxBuildHasher.hash_one(&*method.name)) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(self.members.len());
                None
            }
        };
        if let Some(first) = first {
            let mut takes_some = false;
            for other in methods(&self.members[first..]).filter(|other| other.name == method.name) {
                if other.accepts_calls_of(&method) {
                    return false;
                }
                takes_some |= method.accepts_calls_of(other);
            }
            if takes_some {
                self.members.retain(|(_, member)| match member {
                    Member::Method(other) => !method.accepts_calls_of(other),
                    Member::Label | Member::Text(_) | Member::Code { .. } | Member::Lines(_) => true,
                });
                // Members have moved to lower positions.
                self.names.values_mut().for_each(|first| *first = 0);
            }
        }
        self.members.push((self.access, Member::Method(method)));
        true
    }

    /// Returns the existing method that accepts every call of this one.
    #[must_use]
    pub fn accepting_method(&self, method: &Method<'_>) -> Option<&Method<'a>> {
        self.methods().find(|other| other.accepts_calls_of(method))
    }

    /// Returns the methods, in order.
    pub fn methods(&self) -> impl Iterator<Item = &Method<'a>> {
        methods(&self.members)
    }

    /// Writes the class.
    pub fn declaration(&self, w: &mut Writer) {
        match self.indents_every_line {
            true => w.every_line(|w| self.write_declaration(w)),
            false => self.write_declaration(w),
        }
    }

    fn write_declaration(&self, w: &mut Writer) {
        if let Some(head) = self.template_head {
            w.line(head);
        }
        let colon = if self.bases.is_empty() { "" } else { " : " };
        let before = w.position();
        w.line(format_args!("{} {}{colon}{} {{", self.keyword, self.name, join(&self.bases, ", ")));
        if !self.is_dense {
            w.empty_blank_lines(before);
        }
        let mut current = self.default_access;
        for (access, member) in &self.members {
            if *access != current || matches!(member, Member::Label) {
                if self.is_dense && current != self.default_access {
                    w.blank();
                }
                w.line(format_args!("{access}:"));
                current = *access;
            }
            w.indented(|w| match member {
                Member::Label => {}
                Member::Lines(lines) => {
                    let before = w.position();
                    lines(w);
                    if !self.is_dense {
                        w.empty_blank_lines(before);
                    }
                }
                Member::Text(text) => text.split_terminator('\n').for_each(|line| match line {
                    "" => w.blank(),
                    line => w.line(line),
                }),
                Member::Code { declaration, .. } => w.code(declaration),
                Member::Method(method) => method.declaration(self.is_dense, w),
            });
        }
        w.line("};");
    }

    /// Writes the methods that are defined after the class, and the user's code between them.
    pub fn definitions(&self, w: &mut Writer) {
        match self.indents_every_line {
            true => w.every_line(|w| self.write_definitions(w)),
            false => self.write_definitions(w),
        }
    }

    fn write_definitions(&self, w: &mut Writer) {
        for (_, member) in &self.members {
            match member {
                Member::Label | Member::Text(_) | Member::Lines(_) => {}
                Member::Code { definition, .. } => w.code(definition),
                Member::Method(method) if self.is_dense => method.dense_definition(&self.name, w),
                Member::Method(method) => method.definition(&self.name, w),
            }
        }
    }
}

fn methods<'m, 'a>(members: &'m [(Access, Member<'a>)]) -> impl Iterator<Item = &'m Method<'a>> {
    members.iter().filter_map(|(_, member)| match member {
        Member::Method(method) => Some(method),
        Member::Label | Member::Text(_) | Member::Code { .. } | Member::Lines(_) => None,
    })
}

/// A function that writes a body.
pub type BodyFn<'a> = Box<dyn Fn(&mut Writer) + 'a>;

/// The place of a method's body.
pub enum Body<'a> {
    /// Elsewhere: the method is only declared here.
    None,
    /// In the class.
    Inline(BodyFn<'a>),
    /// After the class.
    Defined(BodyFn<'a>),
}

impl fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Body::None => "None",
            Body::Inline(_) => "Inline",
            Body::Defined(_) => "Defined",
        })
    }
}

/// A method, or a constructor: a method without a return type.
#[derive(Debug)]
pub struct Method<'a> {
    /// True for a constructor, which has no return type.
    pub is_constructor: bool,
    /// The return type.
    pub return_type: Cow<'a, str>,
    /// The name.
    pub name: Cow<'a, str>,
    /// The parameters.
    pub parameters: Vec<Parameter<'a>>,
    /// The line before the declaration: `template <typename T>`.
    pub template_head: Option<Cow<'a, str>>,
    /// The deprecation message.
    pub deprecated: Option<&'a str>,
    /// The specifiers before the return type of the declaration: `static `, `static constexpr `.
    pub specifiers: &'static str,
    /// True if it is `const`.
    pub is_const: bool,
    /// The initializers after the colon of a constructor.
    pub initializers: Cow<'a, str>,
    /// True if it neither replaces other methods nor is replaced by one.
    pub is_apart: bool,
    /// Its body.
    pub body: Body<'a>,
}

impl<'a> Method<'a> {
    /// Creates a method without parameters and body.
    #[must_use]
    pub fn new(return_type: impl Into<Cow<'a, str>>, name: impl Into<Cow<'a, str>>) -> Self {
        Method {
            is_constructor: false,
            return_type: return_type.into(),
            name: name.into(),
            parameters: Vec::new(),
            template_head: None,
            deprecated: None,
            specifiers: "",
            is_const: false,
            initializers: Cow::Borrowed(""),
            is_apart: false,
            body: Body::None,
        }
    }

    /// Creates a constructor.
    #[must_use]
    pub fn constructor(class: impl Into<Cow<'a, str>>) -> Self {
        Method { is_constructor: true, ..Method::new("", class) }
    }

    /// Reserves space for the parameters of most builders.
    #[must_use]
    pub fn preallocated(mut self) -> Self {
        self.parameters.reserve_exact(8);
        self
    }

    /// Adds a parameter without a default value.
    #[must_use]
    pub fn parameter(mut self, cpp_type: impl Into<Cow<'a, str>>, name: impl Into<Cow<'a, str>>) -> Self {
        self.parameters.push(Parameter::new(cpp_type, name));
        self
    }

    /// Adds parameters.
    #[must_use]
    pub fn parameters(mut self, parameters: impl IntoIterator<Item = Parameter<'a>>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Makes it `static`.
    #[must_use]
    pub fn as_static(self) -> Self {
        self.specifiers("static ")
    }

    /// Sets the specifiers before the return type of the declaration.
    #[must_use]
    pub fn specifiers(mut self, specifiers: &'static str) -> Self {
        self.specifiers = specifiers;
        self
    }

    /// Makes it `const`.
    #[must_use]
    pub fn constant(mut self) -> Self {
        self.is_const = true;
        self
    }

    /// Gives it a body in the class.
    #[must_use]
    pub fn inline(mut self, body: impl Fn(&mut Writer) + 'a) -> Self {
        self.body = Body::Inline(Box::new(body));
        self
    }

    /// Gives it a body after the class.
    #[must_use]
    pub fn defined(mut self, body: impl Fn(&mut Writer) + 'a) -> Self {
        self.body = Body::Defined(Box::new(body));
        self
    }

    /// Returns whether this method accepts every call of the other one: its extra parameters have default values.
    #[must_use]
    pub fn accepts_calls_of(&self, other: &Method<'_>) -> bool {
        let count = other.parameters.len();
        self.name == other.name
            && !(self.is_apart || other.is_apart)
            && self.parameters.len() >= count
            && self.parameters[count..].iter().all(|parameter| parameter.default.is_some())
            // From the end, where the parameters of builders differ most.
            && self.parameters[..count].iter().zip(&other.parameters).rev().all(|(a, b)| a.cpp_type == b.cpp_type)
    }

    fn declaration(&self, is_dense: bool, w: &mut Writer) {
        if let Some(head) = &self.template_head {
            w.line(head);
        }
        if let Some(reason) = self.deprecated {
            w.line(format_args!("[[deprecated(\"{}\")]]", escaped(reason)));
        }
        w.margin();
        match is_dense {
            true => self.prototype(w),
            false => w.every_line(|w| self.prototype(w)),
        }
        match &self.body {
            Body::None | Body::Defined(_) => {
                w.raw(if self.is_constructor && !is_dense { ";\n\n" } else { ";\n" });
            }
            Body::Inline(body) => {
                self.braced(body, w);
                w.raw(if is_dense { "" } else { "\n" });
            }
        }
    }

    /// Writes a declaration up to its semicolon.
    pub fn prototype(&self, w: &mut Writer) {
        w.raw(self.specifiers);
        self.signature("", true, w);
    }

    fn definition(&self, class: &str, w: &mut Writer) {
        let Body::Defined(body) = &self.body else { return };
        w.margin();
        w.every_line(|w| self.signature(class, false, w));
        self.braced(body, w);
        w.blank();
    }

    /// Writes the definition in a dense class, where a member without one leaves lines in its place.
    fn dense_definition(&self, class: &str, w: &mut Writer) {
        let Body::Defined(body) = &self.body else { return w.raw("\n\n") };
        self.signature(class, false, w);
        if !self.initializers.is_empty() {
            write!(w, "  : {}", self.initializers);
        }
        w.raw(" {\n");
        let before = w.position();
        w.indented(|w| body(w));
        let begun = w.since(before).trim_start_matches('\n').to_owned();
        w.replace(before, &begun);
        if !begun.ends_with('\n') {
            w.end_line();
        }
        w.raw("}\n\n");
    }

    /// Writes `type class::name(parameters) const`; inside the class without `class::`.
    fn signature(&self, class: &str, has_defaults: bool, w: &mut Writer) {
        w.raw(&self.return_type);
        if needs_blank(&self.return_type) {
            w.raw(" ");
        }
        if !class.is_empty() {
            w.raw(class);
            w.raw("::");
        }
        w.raw(&self.name);
        w.raw("(");
        for (index, parameter) in self.parameters.iter().enumerate() {
            // An omitted default value still leaves its blanks.
            let is_after_default = index > 0 && {
                let before = &self.parameters[index - 1];
                before.is_dense && before.default.is_some() && !has_defaults
            };
            if index > 0 {
                w.raw(if is_after_default { ",  " } else { ", " });
            }
            parameter.write(has_defaults, w);
        }
        w.raw(if self.is_const { ") const" } else { ")" });
    }

    fn braced(&self, body: &BodyFn<'a>, w: &mut Writer) {
        if self.is_constructor {
            // The reference breaks the line after the body of a constructor, not before it.
            if !self.initializers.is_empty() {
                write!(w, " : {}", self.initializers);
            }
            w.raw(" {");
            let before = w.position();
            w.indented(|w| body(w));
            if w.position() > before {
                w.margin();
            }
        } else {
            w.raw(" {\n");
            let before = w.position();
            w.indented(|w| body(w));
            clean_body(before, w);
            w.margin();
        }
        w.raw("}\n");
    }
}

/// Cleans a body that starts at byte `start` as the reference does: it has no empty lines at its start (lines of blanks
/// stay), no blanks in otherwise empty lines, and a line end after the last line.
fn clean_body(start: usize, w: &mut Writer) {
    let written = w.since(start);
    let begun = written.trim_start_matches('\n');
    if begun.len() < written.len() {
        let begun = begun.to_owned();
        w.replace(start, &begun);
    }
    w.empty_blank_lines(start);
    if !matches!(w.since(start).as_bytes(), [] | [.., b'\n']) {
        w.end_line();
    }
}

/// A parameter of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    /// True if a comment marks it as optional: `/*optional*/`.
    pub is_optional: bool,
    /// The C++ type.
    pub cpp_type: Cow<'a, str>,
    /// The name; may be empty.
    pub name: Cow<'a, str>,
    /// The default value, written only in the declaration.
    pub default: Option<Cow<'a, str>>,
    /// True for the layout of old releases: a blank after the type, and another one before a default value.
    pub is_dense: bool,
}

impl<'a> Parameter<'a> {
    /// Creates a parameter without a default value.
    #[must_use]
    pub fn new(cpp_type: impl Into<Cow<'a, str>>, name: impl Into<Cow<'a, str>>) -> Self {
        Parameter {
            is_optional: false,
            cpp_type: cpp_type.into(),
            name: name.into(),
            default: None,
            is_dense: false,
        }
    }

    /// Sets whether the parameter is marked as optional.
    #[must_use]
    pub fn optional(self, is_optional: bool) -> Self {
        Parameter { is_optional, ..self }
    }

    /// Sets its default value.
    #[must_use]
    pub fn default(mut self, value: impl Into<Cow<'a, str>>) -> Self {
        self.default = Some(value.into());
        self
    }

    fn write(&self, has_default: bool, w: &mut Writer) {
        if self.is_optional {
            w.raw("/*optional*/");
        }
        w.raw(&self.cpp_type);
        if needs_blank(&self.cpp_type) || self.is_dense {
            w.raw(" ");
        }
        w.raw(&self.name);
        match &self.default {
            Some(value) if has_default => write!(w, " = {value}"),
            Some(_) if self.is_dense => w.raw(" "),
            _ => {}
        }
    }
}

/// Returns whether a name after this type needs a blank in between.
fn needs_blank(cpp_type: &str) -> bool {
    !cpp_type.is_empty() && !cpp_type.ends_with(['&', '*'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(write: impl Fn(&mut Writer), expected: &str) {
        let mut w = Writer::new(10_000, odsmith_release::Rules::default());
        write(&mut w);
        assert_eq!(w.finish().as_deref(), Some(expected));
    }

    fn sample() -> Class<'static> {
        let mut class = Class::new("C");
        class.bases.push("public B".to_owned());
        class.text("using B::B;");
        class.method(
            Method::new("int", "f")
                .as_static()
                .parameters([Parameter::new("int &", "x"), Parameter::new("int", "y").default("1")])
                .defined(|w| w.line("return x + y;")),
        );
        class.access(Access::Private);
        class.method(Method::new("bool", "isOk").constant().inline(|w| w.line("return true;")));
        class.method(Method::constructor("C").inline(|_| {}));
        class
    }

    #[test]
    fn declares_and_defines() {
        check(
            |w| sample().declaration(w),
            "class C : public B {\npublic:\n  using B::B;\n  static int f(int &x, int y = 1);\nprivate:\n  \
             bool isOk() const {\n    return true;\n  }\n\n  C() {}\n\n};\n",
        );
        check(|w| sample().definitions(w), "int C::f(int &x, int y) {\n  return x + y;\n}\n\n");
    }

    #[test]
    fn a_method_that_takes_the_calls_of_another_replaces_it() {
        let mut class = sample();
        assert!(!class.method(Method::new("int", "f").parameter("int &", "z")));
        let long = [Parameter::new("int &", "x"), Parameter::new("int", "y"), Parameter::new("int", "z")];
        assert!(class.method(Method::new("int", "f").parameters(long)));
        assert_eq!(class.methods().filter(|method| method.name == "f").count(), 2);
        assert!(
            class.method(Method::new("int", "isOk").parameters([Parameter::new("int", "x").default("0")]))
        );
        assert_eq!(class.methods().filter(|method| method.name == "isOk").count(), 1);
    }
}
