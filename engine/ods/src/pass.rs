//! Passes: class `PassBase`, with options and statistics.

use super::lenient::Mistake;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Known, Name as _, Rec, name},
};

/// A pass.
#[derive(Debug)]
pub struct Pass<'r> {
    /// The record's name, which is the C++ name.
    pub name: &'r str,
    /// The name on the command line.
    pub argument: &'r str,
    /// The C++ base class.
    pub base_class: &'r str,
    /// One line; may be empty.
    pub summary: &'r str,
    /// Markdown; may be empty.
    pub description: &'r str,
    /// The C++ expression that makes one, if the user brings it.
    pub constructor: Option<&'r str>,
    /// C++ names of the dialects that it loads.
    pub dependent_dialects: Vec<&'r str>,
    /// Its options, in order.
    pub options: Vec<PassOption<'r>>,
    /// Its statistics, in order.
    pub statistics: Vec<PassStatistic<'r>>,
}

/// An option of a pass: class `Option`.
#[derive(Debug)]
pub struct PassOption<'r> {
    /// The C++ variable.
    pub cpp_name: &'r str,
    /// The name on the command line.
    pub argument: &'r str,
    /// The C++ type; of an element for a list.
    pub ty: &'r str,
    /// The C++ default, if there is one.
    pub default_value: Option<&'r str>,
    /// One line.
    pub description: &'r str,
    /// More arguments of the option's constructor, if there are any.
    pub flags: Option<&'r str>,
    /// Whether it takes any number of values.
    pub is_list: bool,
}

/// A statistic of a pass: class `Statistic`.
#[derive(Debug)]
pub struct PassStatistic<'r> {
    /// The C++ variable.
    pub cpp_name: &'r str,
    /// The name that is shown.
    pub name: &'r str,
    /// One line.
    pub description: &'r str,
}

/// Texts that must have values for what is generated; the others may be unset.
#[derive(Clone, Copy, Debug)]
pub struct Needed {
    /// Those of a pass.
    pub pass: &'static [&'static str],
    /// Those of its options and statistics.
    pub options: &'static [&'static str],
}

/// All texts.
const ALL: Needed = Needed {
    pass: &["argument", "baseClass", "summary", "description", "constructor"],
    options: &["cppName", "argument", "name", "type", "defaultValue", "description", "additionalOptFlags"],
};

impl<'r> Pass<'r> {
    /// Reads a record that derives from `PassBase`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        Pass::reading(record, &ALL)
    }

    /// Reads what is needed of a record that derives from `PassBase`.
    ///
    /// # Errors
    /// A field that is needed has no value.
    pub fn reading(record: Rec<'r>, needed: &Needed) -> Result<Self, Diagnostic> {
        let mut mistake = Mistake::default();
        let pass = Pass::read(record, needed, &mut mistake);
        mistake.refuse(pass)
    }

    /// The same with what there is.
    #[must_use]
    pub fn lenient(record: Rec<'r>) -> Self {
        Pass::read(record, &ALL, &mut Mistake::default())
    }

    fn read(record: Rec<'r>, needed: &Needed, mistake: &mut Mistake) -> Self {
        // In the order in which the reference looks at them, so that the first mistake is the same.
        let options = mistake.keep(record.defs("options"));
        let statistics = mistake.keep(record.defs("statistics"));
        let dependent_dialects = mistake.keep(record.strings(name!("dependentDialects")));
        let mut text = |field: Known| match needed.pass.contains(&field.text()) {
            true => mistake.keep(record.string(field)),
            false => record.optional_string(field).unwrap_or_default(),
        };
        if record.records().rules().has(Change::PassParts) {
            text(name!("constructor"));
        }
        Pass {
            name: record.name(),
            base_class: text(name!("baseClass")),
            argument: text(name!("argument")),
            summary: text(name!("summary")),
            description: text(name!("description")),
            constructor: non_empty(text(name!("constructor"))),
            dependent_dialects,
            options: all(options, |option| PassOption::new(option, needed.options), mistake),
            statistics: all(statistics, |one| PassStatistic::new(one, needed.options), mistake),
        }
    }
}

/// What is in a list, without what can not be read.
fn all<'r, T>(
    records: Vec<Rec<'r>>,
    read: impl Fn(Rec<'r>) -> Result<T, Diagnostic>,
    mistake: &mut Mistake,
) -> Vec<T> {
    records.into_iter().filter_map(|record| mistake.keep(read(record).map(Some))).collect()
}

impl<'r> PassOption<'r> {
    fn new(record: Rec<'r>, needed: &[&str]) -> Result<Self, Diagnostic> {
        let text = |field: Known| text(record, field, needed);
        let (ty, cpp_name) = (text(name!("type"))?, text(name!("cppName"))?);
        if record.records().rules().has(Change::PassParts) {
            text(name!("defaultValue"))?;
        }
        Ok(PassOption {
            cpp_name,
            argument: text(name!("argument"))?,
            ty,
            description: text(name!("description"))?,
            default_value: non_empty(text(name!("defaultValue"))?),
            flags: non_empty(text(name!("additionalOptFlags"))?),
            is_list: record.is_subclass_of(name!("ListOption")),
        })
    }
}

impl<'r> PassStatistic<'r> {
    fn new(record: Rec<'r>, needed: &[&str]) -> Result<Self, Diagnostic> {
        let text = |field: Known| text(record, field, needed);
        Ok(PassStatistic {
            cpp_name: text(name!("cppName"))?,
            name: text(name!("name"))?,
            description: text(name!("description"))?,
        })
    }
}

/// A text, which may be unset where it is not needed.
fn text<'r>(record: Rec<'r>, field: Known, needed: &[&str]) -> Result<&'r str, Diagnostic> {
    match needed.contains(&field.text()) {
        true => record.string(field),
        false => Ok(record.optional_string(field).unwrap_or_default()),
    }
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
