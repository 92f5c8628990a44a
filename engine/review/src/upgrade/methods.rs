//! Methods of interfaces that lost their default implementation, and operations of the project that relied on it.
//!
//! ```text
//! def My_GlobalOp : My_Op<"global", [Symbol]>             since 24 `getNameAttr` has no default
//! def My_GlobalOp : My_Op<"global", [SymbolName, Symbol]> the trait implements it by the attribute `sym_name`
//! ```

use std::collections::{BTreeMap, BTreeSet};

use odsmith_ods::{Interface, Model, Operation, Trait};
use odsmith_release::cpp::{METHOD_PROVIDERS, MethodProvider};
use odsmith_tablegen::{
    outline::{Kind, Outline, Token},
    record::{Rec, Records},
};

use super::edits::{Files, Fix};

/// The row of reports about methods.
pub const METHODS_ROW: &str = "UM01";

/// The description of the row.
pub const METHODS_TEXT: &str = "A method of an interface lost its default implementation, and an operation of the project relied on it. \
    `--fix` adds the library's traits that implement it (`SymbolName` and `SymbolVisibility` before `Symbol`, since 24) if the operation \
    has their attributes; else declare and define the method";

/// An operation that has to implement methods of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnimplementedMethods {
    /// The operation.
    pub operation: String,
    /// The definition of the interface.
    pub interface: String,
    /// The methods without an implementation.
    pub methods: Vec<String>,
    /// The traits of the library that implement all of them, if there are such.
    pub providers: Vec<&'static str>,
    /// The file, line and column of the operation.
    pub place: (String, u32, u32),
    /// The edit that adds the traits.
    pub fix: Option<Fix>,
}

/// Returns the operations of a root that relied on defaults which the newer release does not have.
#[must_use]
pub fn unimplemented_methods(
    old: &Records,
    new: &Records,
    files: &Files<'_>,
    to: u8,
) -> Vec<UnimplementedMethods> {
    let model = Model::new(new);
    let mut found = Vec::new();
    let mut lost: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rec in model.operation_records() {
        let Some((buffer, at)) = new.sources().position(rec.span()) else { continue };
        let Some(text) = files.get(&*buffer.name) else { continue };
        let Some(op) = Operation::lenient(rec) else { continue };
        let traits = Trait::closed(op.traits().iter().copied());
        for interface in traits.iter().filter_map(|it| it.interface()) {
            let name = interface.rec().name().to_owned();
            let without = lost.entry(name).or_insert_with_key(|name| lost_defaults(old, interface, name));
            let methods: Vec<String> =
                without.iter().filter(|method| !is_implemented(&op, &traits, method, to)).cloned().collect();
            if methods.is_empty() {
                continue;
            }
            let providers = providers(&op, interface, &methods, to);
            // The interface itself, or the traits that imply it.
            let own = interface.rec().name();
            let mut words: BTreeSet<&str> = op.traits().iter().map(|it| it.rec().name()).collect();
            if words.contains(own) {
                words = BTreeSet::from([own]);
            }
            let outline = Outline::new(&*buffer.name, text);
            let fix =
                (!providers.is_empty()).then(|| with_traits(&outline, rec, &words, &providers)).flatten();
            found.push(UnimplementedMethods {
                operation: op.name(),
                interface: interface.rec().name().to_owned(),
                methods,
                providers,
                place: (buffer.name.to_string(), at.line, at.column),
                fix,
            });
        }
    }
    found
}

/// Returns the methods that have a default in the old release and none in the new one.
fn lost_defaults(old: &Records, interface: Interface<'_>, name: &str) -> Vec<String> {
    let Some(before) = old.def(name).map(Interface::new) else { return Vec::new() };
    let had_default: BTreeSet<String> = before
        .methods()
        .into_iter()
        .filter(|method| method.default_body().is_some())
        .map(|method| method.name().to_owned())
        .collect();
    let methods = interface.methods().into_iter();
    let without = methods.filter(|method| method.default_body().is_none() && method.body().is_none());
    without.map(|method| method.name().to_owned()).filter(|name| had_default.contains(name)).collect()
}

/// Returns true if the class of an operation declares a method, or a trait does.
fn is_implemented(op: &Operation<'_>, traits: &[Trait<'_>], method: &str, to: u8) -> bool {
    let has_word =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == method);
    let has_trait = |name: &str| traits.iter().any(|it| it.trait_name() == name);
    let is_provided = METHOD_PROVIDERS
        .iter()
        .any(|it| it.is_in(to) && it.methods.contains(&method) && has_trait(it.provider));
    is_provided || has_word(op.extra_class_declaration()) || has_word(op.extra_class_definition())
}

/// Returns traits that implement all of these methods by attributes that the operation has.
fn providers(op: &Operation<'_>, interface: Interface<'_>, methods: &[String], to: u8) -> Vec<&'static str> {
    let fits = |it: &&MethodProvider| {
        it.is_in(to)
            && interface.rec().name() == it.interface
            && op.attributes().iter().any(|attribute| attribute.name == it.attribute)
    };
    let all: Vec<&MethodProvider> = METHOD_PROVIDERS.iter().filter(fits).collect();
    let is_whole = methods.iter().all(|method| all.iter().any(|it| it.methods.contains(&&**method)));
    let needed = all.iter().filter(|it| methods.iter().any(|method| it.methods.contains(&&**method)));
    if is_whole { needed.map(|it| it.provider).collect() } else { Vec::new() }
}

/// Returns the edit that adds traits before the first of these that a definition names in its own list.
fn with_traits(
    outline: &Outline,
    rec: Rec<'_>,
    words: &BTreeSet<&str>,
    providers: &[&'static str],
) -> Option<Fix> {
    let tokens: Vec<Token> = outline.code().collect();
    let is_def = |pair: &[Token]| outline.text_of(pair[0]) == "def" && outline.text_of(pair[1]) == rec.name();
    let first = tokens.windows(2).position(is_def)?;
    let head = tokens[first..].iter().take_while(|token| !token.is(b'{') && !token.is(b';'));
    let head: Vec<Token> = head.copied().collect();
    let list = head.iter().position(|token| token.is(b'['))?;
    let at = head[list..]
        .iter()
        .find(|token| token.kind == Kind::Word && words.contains(outline.text_of(**token)))?;
    let text = format!("{}, ", providers.join(", "));
    Some(Fix::Insert { file: outline.file.to_string(), at: at.start, text })
}
