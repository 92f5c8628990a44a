//! Previews of a definition's output: C++, Python, documentation, an example, the record.
//!
//! The text is that of the generators, so it is the same as in a build; for an operation it covers that one alone.

use odsmith_engine::{
    Target,
    artefact::Artefact,
    generators::{Action, Generator, Options},
    job::{self, OnDeprecated, Output, OutputOutcome},
    ods::{
        DefKind, Definition, DefinitionKind, Interface, Operation, format::OpFormat, interface::InterfaceKind,
    },
    record::{Rec, print},
    release::Change,
};
use odsmith_witness::{program::Programs, skeleton::Extent};

use crate::{analysis::Analysis, context, symbols, workspace::Workspace};

/// A kind of preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// C++ declarations.
    Declarations,
    /// C++ definitions.
    Definitions,
    /// Python bindings.
    Python,
    /// The documentation as Markdown.
    Markdown,
    /// An example in MLIR.
    Example,
    /// The example as a program that can be parsed.
    Program,
    /// The record.
    Record,
}

impl View {
    /// All views.
    pub const ALL: [View; 7] = [
        View::Declarations,
        View::Definitions,
        View::Python,
        View::Markdown,
        View::Example,
        View::Program,
        View::Record,
    ];

    /// Returns its name in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            View::Declarations => "declarations",
            View::Definitions => "definitions",
            View::Python => "python",
            View::Markdown => "markdown",
            View::Example => "example",
            View::Program => "program",
            View::Record => "record",
        }
    }

    /// Returns the view of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<View> {
        View::ALL.into_iter().find(|view| view.name() == name)
    }

    /// Returns the language of its text, by the identifier that editors use.
    #[must_use]
    pub fn language(self) -> &'static str {
        match self {
            View::Declarations | View::Definitions => "cpp",
            View::Python => "python",
            View::Markdown => "markdown",
            View::Example | View::Program => "mlir",
            View::Record => "tablegen",
        }
    }

    /// Returns the file extension for its text.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            View::Declarations => "h.inc",
            View::Definitions => "cpp.inc",
            View::Python => "py",
            View::Markdown => "md",
            View::Example | View::Program => "mlir",
            View::Record => "td",
        }
    }
}

/// The most bytes of a text that is not made by a generator, so that no generator limit covers it.
const MOST_BYTES: usize = 16 << 20;

/// A preview of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The name of the record.
    pub record: String,
    /// Its other names: in the IR, and its C++ class.
    pub names: Vec<String>,
    /// The view.
    pub view: View,
    /// The text, or a message if there is none.
    pub text: String,
    /// The line, from 0, where the definition's own part begins.
    pub line: usize,
    /// True if the text is from an earlier version, because the current one has an error.
    pub is_stale: bool,
    /// True if an error prevents the preview; the text is then its message.
    pub has_failed: bool,
}

/// Returns the preview of the definition at an offset.
#[must_use]
pub fn preview(workspace: &Workspace, path: &str, offset: usize, view: View) -> Option<Preview> {
    let document = workspace.document(path)?;
    let all = context::analyses(workspace, path);
    let current = all.first()?;
    let name = symbols::record_near(current, &document, offset).map(|rec| rec.name().to_owned());
    let name = name.or_else(|| {
        let statement = document.path_to(offset).last().copied()?;
        Some(document.text_of(statement.name?).to_owned())
    })?;
    // A broken definition is shown as it was before.
    let good =
        all.iter().find(|analysis| record(analysis, &name).is_some_and(|rec| !analysis.is_partial(rec)))?;
    let rec = record(good, &name)?;
    let Text { text, line, has_failed } = text(workspace, good, rec, view);
    let is_stale = !std::rc::Rc::ptr_eq(good, current);
    Some(Preview { record: name, names: names(rec), view, text, line, is_stale, has_failed })
}

/// Returns the names of a definition in the IR and in C++.
fn names(rec: Rec<'_>) -> Vec<String> {
    let definition = Definition::new(rec);
    let dialect = rec.is_subclass_of("Dialect").then(|| rec.optional_string("name")).flatten();
    let all =
        [dialect.map(str::to_owned), Some(definition.name()), Some(definition.cpp_class_name().to_owned())];
    all.into_iter().flatten().filter(|name| !name.is_empty()).collect()
}

/// Renders the examples or records of all that a root defines in files of the workspace; `None` for other views.
#[must_use]
pub fn of_root(workspace: &Workspace, root: &str, view: View) -> Option<String> {
    let analysis = workspace.analysis(root).filter(|analysis| analysis.is_ok)?;
    let is_own = |rec: &Rec<'_>| {
        let place = analysis.place(rec.span());
        place.is_some_and(|place| !place.path.starts_with(workspace.library().root()))
    };
    let own = analysis.records.defs_as_made().filter(is_own);
    let programs = (view == View::Program).then(|| Programs::new(&[&analysis.records]));
    let texts = own.filter_map(|rec| match view {
        View::Example => {
            let text = example(&analysis, rec)?;
            Some(format!("// --- {}\n\n{text}", Definition::new(rec).name()))
        }
        View::Program => program(programs.as_ref()?, rec),
        View::Record => Some(dump(&analysis, rec)),
        View::Declarations | View::Definitions | View::Python | View::Markdown => None,
    });
    let mut whole = String::new();
    for text in texts {
        if workspace.is_stopped() || whole.len() > MOST_BYTES {
            return None;
        }
        // Each program is read on its own.
        if view == View::Program && !whole.is_empty() {
            whole.push_str("// -----\n\n");
        }
        whole.push_str(&text);
        whole.push('\n');
    }
    Some(whole)
}

/// Returns all outputs of a root; `None` if its definitions have an error.
#[must_use]
pub fn outputs(workspace: &Workspace, root: &str) -> Option<Vec<Artefact>> {
    let analysis = workspace.analysis(root).filter(|analysis| analysis.is_ok)?;
    let outcome = job::make(workspace.job(), &workspace.target_of(root), &analysis.records);
    outcome.outputs.into_iter().map(|output| output.artefact).collect()
}

/// Returns the outcome of each output of a root; `None` if its definitions have an error.
#[must_use]
pub fn made(workspace: &Workspace, root: &str) -> Option<Vec<OutputOutcome>> {
    let analysis = workspace.analysis(root).filter(|analysis| analysis.is_ok)?;
    let outcome = job::make(workspace.job(), &workspace.target_of(root), &analysis.records);
    Some(outcome.outputs)
}

fn record<'a>(analysis: &'a Analysis, name: &str) -> Option<Rec<'a>> {
    analysis.records.def(name).or_else(|| analysis.records.class(name))
}

/// A text, the line of a record in it, and whether it is an error message instead.
#[derive(Default)]
struct Text {
    text: String,
    line: usize,
    has_failed: bool,
}

fn text(workspace: &Workspace, analysis: &Analysis, rec: Rec<'_>, view: View) -> Text {
    let whole = |text| Text { text, ..Text::default() };
    match view {
        View::Record => whole(dump(analysis, rec)),
        View::Example => whole(example(analysis, rec).unwrap_or_else(|| none(rec, view))),
        View::Program => {
            let programs = Programs::new(&[&analysis.records]);
            whole(program(&programs, rec).unwrap_or_else(|| none(rec, view)))
        }
        _ => match generate(workspace, analysis, rec, view) {
            Ok(Some(text)) => Text { line: line_of(&text, rec, view), text, has_failed: false },
            Ok(None) => whole(none(rec, view)),
            Err(text) => Text { text, line: 0, has_failed: true },
        },
    }
}

fn none(rec: Rec<'_>, view: View) -> String {
    format!("'{}' has no {}\n", rec.name(), view.name())
}

fn dump(analysis: &Analysis, rec: Rec<'_>) -> String {
    let mut text = String::new();
    match print::record(analysis.records.keeper(), rec.id(), &mut text) {
        Ok(()) => text,
        Err(error) => error.message,
    }
}

fn example(analysis: &Analysis, rec: Rec<'_>) -> Option<String> {
    analysis.check().ok()?;
    let op = Operation::named(rec).ok().filter(|_| rec.is_subclass_of("Op"))?;
    let format = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok());
    let skeleton = analysis.synthesiser().skeleton(&op, format.as_ref())?;
    let mut text = String::new();
    for (title, form) in [("custom form", skeleton.custom), ("generic form", skeleton.generic)] {
        if let Some(form) = form {
            text.push_str(&format!("// {title}\n{form}\n\n"));
        }
    }
    for value in &skeleton.values {
        text.push_str(&format!("// {} : {}\n", value.name, value.ty));
    }
    Some(text)
}

/// Returns the program of an operation, in custom form if it has one, and if it is known that the verifier accepts it.
fn program(programs: &Programs<'_>, rec: Rec<'_>) -> Option<String> {
    let op = Operation::named(rec).ok().filter(|_| rec.is_subclass_of("Op"))?;
    let program = programs.program(&op.name(), Extent::Least).filter(|program| program.unsure.is_empty())?;
    Some(program.custom.unwrap_or(program.generic))
}

/// Returns the generator for a view of a record, with its options.
fn generator(rec: Rec<'_>, view: View) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let definition = Definition::new(rec);
    let dialect = definition.dialect().map(|dialect| dialect.name().to_owned());
    let pick = |names: [&'static str; 4]| {
        let name = match view {
            View::Declarations => names[0],
            View::Definitions => names[1],
            View::Python => names[2],
            View::Markdown => names[3],
            View::Example | View::Program | View::Record => "",
        };
        (!name.is_empty()).then_some(name)
    };
    let with = |name: &'static str, options: Vec<(&'static str, Option<String>)>| {
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
        (name, given.collect::<Vec<_>>())
    };
    match definition.kind() {
        DefinitionKind::Operation => {
            let name = pick(["gen-op-decls", "gen-op-defs", "gen-python-op-bindings", "gen-op-doc"])?;
            let only = Some(format!("^{}$", regex_of(&definition.name())));
            Some(match view {
                View::Python => with(name, vec![("bind-dialect", dialect)]),
                _ => with(name, vec![("op-include-regex", only)]),
            })
        }
        DefinitionKind::AttrOrType if DefKind::of(rec) == Some(DefKind::Type) => {
            let name = pick(["gen-typedef-decls", "gen-typedef-defs", "", "gen-typedef-doc"])?;
            Some(with(name, vec![("typedefs-dialect", dialect)]))
        }
        DefinitionKind::AttrOrType => {
            let name = pick(["gen-attrdef-decls", "gen-attrdef-defs", "", "gen-attrdef-doc"])?;
            Some(with(name, vec![("attrdefs-dialect", dialect)]))
        }
        DefinitionKind::Enum => {
            let name = pick(["gen-enum-decls", "gen-enum-defs", "gen-python-enum-bindings", "gen-enum-doc"])?;
            Some(with(name, Vec::new()))
        }
        DefinitionKind::Interface => {
            let names = match Interface::new(rec).kind() {
                InterfaceKind::Operation => {
                    ["gen-op-interface-decls", "gen-op-interface-defs", "", "gen-op-interface-docs"]
                }
                InterfaceKind::Attribute => {
                    ["gen-attr-interface-decls", "gen-attr-interface-defs", "", "gen-attr-interface-docs"]
                }
                InterfaceKind::Type => {
                    ["gen-type-interface-decls", "gen-type-interface-defs", "", "gen-type-interface-docs"]
                }
                InterfaceKind::Dialect => ["gen-dialect-interface-decls", "", "", ""],
                InterfaceKind::Other => [""; 4],
            };
            Some(with(pick(names)?, Vec::new()))
        }
        DefinitionKind::EnumCase | DefinitionKind::Constraint => None,
        DefinitionKind::Other if rec.is_subclass_of("Dialect") => {
            let name = pick(["gen-dialect-decls", "gen-dialect-defs", "", "gen-dialect-doc"])?;
            let option = Some(rec.optional_string("name").unwrap_or_default().to_owned());
            Some(with(name, vec![("dialect", option)]))
        }
        DefinitionKind::Other if rec.is_subclass_of("PassBase") => {
            Some(with(pick(["gen-pass-decls", "", "", "gen-pass-doc"])?, Vec::new()))
        }
        DefinitionKind::Other if rec.is_subclass_of("Pattern") => {
            Some(with(pick(["gen-rewriters", "gen-rewriters", "", ""])?, Vec::new()))
        }
        DefinitionKind::Other => None,
    }
}

/// Returns a regular expression that matches exactly a text.
fn regex_of(text: &str) -> String {
    text.replace('.', "\\.")
}

fn generate(
    workspace: &Workspace,
    analysis: &Analysis,
    rec: Rec<'_>,
    view: View,
) -> Result<Option<String>, String> {
    let Some((name, options)) = generator(rec, view) else { return Ok(None) };
    let Some(generator) = Generator::find(name).filter(|generator| generator.is_in(analysis.records.rules()))
    else {
        return Ok(None);
    };
    let mut given = Options::default();
    options.into_iter().for_each(|(name, value)| given.set(name, value));
    let wants_dialect = view == View::Markdown && given.get("dialect").is_none();
    if wants_dialect && analysis.records.rules().has(Change::DocumentsOfOneDialect) {
        // An enum belongs to no dialect, so it is shown for any `-dialect`.
        let own = Definition::new(rec).dialect().map(|dialect| dialect.name());
        let last = || analysis.records.derived("Dialect").filter_map(|it| it.optional_string("name")).last();
        own.or_else(last).into_iter().for_each(|dialect| given.set("dialect", dialect));
    }
    let target = Target {
        outputs: vec![Output { path: name.to_owned(), action: Action::Generate(generator, given) }],
        on_deprecated: OnDeprecated::Ignore,
        ..Target::new(analysis.root.clone())
    };
    let outcome = job::make(workspace.job(), &target, &analysis.records);
    let Some(output) = outcome.outputs.first() else { return Ok(None) };
    match &output.artefact {
        Some(Artefact { bytes, .. }) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            Ok(Some(if view == View::Python { python_class(&text, rec).unwrap_or(text) } else { text }))
        }
        None => {
            let messages: Vec<&str> =
                output.diagnostics.iter().map(|report| report.message.trim_end()).collect();
            Err(format!("{}\n", messages.join("\n")))
        }
    }
}

/// Returns the class of one operation in the Python bindings of a dialect.
fn python_class(text: &str, rec: Rec<'_>) -> Option<String> {
    let operation = format!("OPERATION_NAME = \"{}\"", Definition::new(rec).name());
    let at = text.find(&operation)?;
    let start = text[..at].rfind("\n@")? + 1;
    let class = text[at..].find("\n@").map_or(text.len(), |end| at + end);
    Some(format!("{}\n", text[start..class].trim_end()))
}

/// Returns the line at which the part about a record begins.
fn line_of(text: &str, rec: Rec<'_>, view: View) -> usize {
    let definition = Definition::new(rec);
    let class = definition.cpp_class_name();
    let name = definition.name();
    let is_it = |line: &&str| match view {
        View::Declarations => {
            let rest = line
                .trim_start()
                .strip_prefix("class ")
                .or_else(|| line.trim_start().strip_prefix("enum class "));
            rest.and_then(|rest| rest.strip_prefix(class))
                .is_some_and(|rest| rest.trim_start().starts_with([':', '{']))
        }
        View::Markdown => line.starts_with('#') && (line.contains(&name) || line.contains(class)),
        _ => line.contains(&format!("{class}::")) || line.contains(&format!(" {class}")),
    };
    text.lines().enumerate().find(|(_, line)| is_it(line)).map_or(0, |(line, _)| line)
}
