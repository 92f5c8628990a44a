//! Passes: class `PassBase`, with options and statistics.

use crate::{
    diagnostic::Diagnostic,
    record::{Rec, name},
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
        let dependent_dialects =
            record.list(name!("dependentDialects"))?.map(|name| name.as_str().unwrap_or_default());
        Ok(Pass {
            name: record.name(),
            argument: record.string(name!("argument"))?,
            base_class: record.string(name!("baseClass"))?,
            summary: record.string(name!("summary"))?,
            description: record.string(name!("description"))?,
            constructor: non_empty(record.string(name!("constructor"))?),
            dependent_dialects: dependent_dialects.collect(),
            options: record.defs("options")?.into_iter().map(PassOption::new).collect::<Result<_, _>>()?,
            statistics: record
                .defs(name!("statistics"))?
                .into_iter()
                .map(PassStatistic::new)
                .collect::<Result<_, _>>()?,
        })
    }
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
