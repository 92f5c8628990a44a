//! Passes: class `PassBase`, with options and statistics.

use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{KnownName, Rec, name},
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
    /// The C++ expression that creates the pass, if the author gives one.
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
    /// The C++ type; for a list, that of an element.
    pub ty: &'r str,
    /// The C++ default, if there is one.
    pub default_value: Option<&'r str>,
    /// One line.
    pub description: &'r str,
    /// More arguments of the option's constructor, if there are any.
    pub flags: Option<&'r str>,
    /// True if it takes any number of values.
    pub is_list: bool,
}

/// A statistic of a pass: class `Statistic`.
#[derive(Debug)]
pub struct PassStatistic<'r> {
    /// The C++ variable.
    pub cpp_name: &'r str,
    /// The displayed name.
    pub name: &'r str,
    /// One line.
    pub description: &'r str,
}

/// The fields of a pass that must have values.
#[derive(Clone, Copy, Debug)]
pub enum RequiredFields {
    /// The lists of the pass.
    Lists,
    /// These texts of the pass.
    OfPass(&'static [KnownName]),
    /// These of each of its options.
    OfOptions(&'static [KnownName]),
    /// These of each of its statistics.
    OfStatistics(&'static [KnownName]),
}

/// All fields.
const ALL: &[RequiredFields] = &[
    RequiredFields::Lists,
    RequiredFields::OfPass(&[
        Pass::CONSTRUCTOR,
        Pass::BASE_CLASS,
        Pass::ARGUMENT,
        Pass::SUMMARY,
        Pass::DESCRIPTION,
    ]),
    RequiredFields::OfOptions(PassOption::TEXTS),
    RequiredFields::OfStatistics(PassStatistic::TEXTS),
];

impl<'r> Pass<'r> {
    /// The name on the command line, as a required field.
    pub const ARGUMENT: KnownName = name!("argument");
    /// The C++ base class, as a required field.
    pub const BASE_CLASS: KnownName = name!("baseClass");
    /// The C++ expression that creates the pass, as a required field.
    pub const CONSTRUCTOR: KnownName = name!("constructor");
    /// The description, as a required field.
    pub const DESCRIPTION: KnownName = name!("description");
    /// The summary, as a required field.
    pub const SUMMARY: KnownName = name!("summary");

    /// Reads the name on the command line alone.
    ///
    /// # Errors
    /// The field has no value.
    pub fn argument_of(record: Rec<'r>) -> Result<&'r str, Diagnostic> {
        record.string(Self::ARGUMENT)
    }

    /// Reads a record that derives from `PassBase`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        Pass::requiring(record, ALL)
    }

    /// Reads a record that derives from `PassBase`. The required fields are checked in the given order.
    ///
    /// # Errors
    /// The first required field without a value.
    pub fn requiring(record: Rec<'r>, required: &[RequiredFields]) -> Result<Self, Diagnostic> {
        required.iter().try_for_each(|required| required.check(record))?;
        Ok(Pass::lenient(record))
    }

    /// Reads a record that derives from `PassBase`; a field without a value is empty.
    #[must_use]
    pub fn lenient(record: Rec<'r>) -> Self {
        let list = |field: &str| record.defs(field).unwrap_or_default();
        Pass {
            name: record.name(),
            base_class: text(record, name!("baseClass")),
            argument: text(record, name!("argument")),
            summary: text(record, name!("summary")),
            description: text(record, name!("description")),
            constructor: non_empty(text(record, name!("constructor"))),
            dependent_dialects: record.strings(name!("dependentDialects")).unwrap_or_default(),
            options: list("options").into_iter().map(PassOption::lenient).collect(),
            statistics: list("statistics").into_iter().map(PassStatistic::lenient).collect(),
        }
    }
}

impl RequiredFields {
    /// Checks that a record that derives from `PassBase` has these fields.
    ///
    /// # Errors
    /// The first field without a value.
    pub fn check(self, record: Rec<'_>) -> Result<(), Diagnostic> {
        match self {
            RequiredFields::Lists => {
                record.defs("options")?;
                record.defs("statistics")?;
                record.strings(name!("dependentDialects")).map(drop)
            }
            RequiredFields::OfPass(texts) => check_texts(&[record], texts),
            RequiredFields::OfOptions(texts) => check_texts(&record.defs("options")?, texts),
            RequiredFields::OfStatistics(texts) => check_texts(&record.defs("statistics")?, texts),
        }
    }
}

fn check_texts(records: &[Rec<'_>], texts: &[KnownName]) -> Result<(), Diagnostic> {
    records.iter().try_for_each(|record| texts.iter().try_for_each(|text| record.string(*text).map(drop)))
}

impl<'r> PassOption<'r> {
    /// The name on the command line, as a required field.
    pub const ARGUMENT: KnownName = name!("argument");
    /// The description, as a required field.
    pub const DESCRIPTION: KnownName = name!("description");
    /// The texts of a field in the struct of options.
    pub const MEMBER: &'static [KnownName] = &[name!("type"), name!("cppName"), name!("defaultValue")];
    /// All texts, in the order of the generated C++.
    pub const TEXTS: &'static [KnownName] = &[
        name!("type"),
        name!("cppName"),
        Self::ARGUMENT,
        Self::DESCRIPTION,
        name!("defaultValue"),
        name!("additionalOptFlags"),
    ];

    fn lenient(record: Rec<'r>) -> Self {
        PassOption {
            cpp_name: text(record, name!("cppName")),
            argument: text(record, name!("argument")),
            ty: text(record, name!("type")),
            description: text(record, name!("description")),
            default_value: non_empty(text(record, name!("defaultValue"))),
            flags: non_empty(text(record, name!("additionalOptFlags"))),
            is_list: record.is_subclass_of(name!("ListOption")),
        }
    }
}

impl<'r> PassStatistic<'r> {
    /// The displayed name, as a required field.
    pub const NAME: KnownName = name!("name");
    /// The description, as a required field.
    pub const DESCRIPTION: KnownName = name!("description");
    /// All texts, in the order of the generated C++.
    pub const TEXTS: &'static [KnownName] = &[name!("cppName"), Self::NAME, Self::DESCRIPTION];

    fn lenient(record: Rec<'r>) -> Self {
        PassStatistic {
            cpp_name: text(record, name!("cppName")),
            name: text(record, name!("name")),
            description: text(record, name!("description")),
        }
    }
}

fn text(record: Rec<'_>, field: KnownName) -> &str {
    record.optional_string(field).unwrap_or_default()
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
