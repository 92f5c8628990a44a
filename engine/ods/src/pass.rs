//! Passes: class `PassBase`, with options and statistics.

use super::lenient::Mistake;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Known, Rec, name},
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

impl<'r> Pass<'r> {
    /// Reads a record that derives from `PassBase`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut mistake = Mistake::default();
        let pass = Pass::read(record, &mut mistake);
        mistake.refuse(pass)
    }

    /// The same with what there is.
    #[must_use]
    pub fn lenient(record: Rec<'r>) -> Self {
        Pass::read(record, &mut Mistake::default())
    }

    fn read(record: Rec<'r>, mistake: &mut Mistake) -> Self {
        let dialects = mistake.keep(record.list(name!("dependentDialects")).map(Some));
        let mut text = |field: Known| mistake.keep(record.string(field));
        Pass {
            name: record.name(),
            argument: text(name!("argument")),
            base_class: text(name!("baseClass")),
            summary: text(name!("summary")),
            description: text(name!("description")),
            constructor: non_empty(text(name!("constructor"))),
            dependent_dialects: dialects
                .into_iter()
                .flatten()
                .map(|name| name.as_str().unwrap_or_default())
                .collect(),
            options: all(record, "options", PassOption::new, mistake),
            statistics: all(record, "statistics", PassStatistic::new, mistake),
        }
    }
}

/// What is in a list, without what can not be read.
fn all<'r, T>(
    record: Rec<'r>,
    field: &str,
    read: fn(Rec<'r>) -> Result<T, Diagnostic>,
    mistake: &mut Mistake,
) -> Vec<T> {
    let recs = mistake.keep(record.defs(field)).into_iter();
    recs.filter_map(|rec| mistake.keep(read(rec).map(Some))).collect()
}

impl<'r> PassOption<'r> {
    fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        Ok(PassOption {
            cpp_name: record.string(name!("cppName"))?,
            argument: record.string(name!("argument"))?,
            ty: record.string(name!("type"))?,
            default_value: non_empty(record.string(name!("defaultValue"))?),
            description: record.string(name!("description"))?,
            flags: non_empty(record.string(name!("additionalOptFlags"))?),
            is_list: record.is_subclass_of(name!("ListOption")),
        })
    }
}

impl<'r> PassStatistic<'r> {
    fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        Ok(PassStatistic {
            cpp_name: record.string(name!("cppName"))?,
            name: record.string(name!("name"))?,
            description: record.string(name!("description"))?,
        })
    }
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
