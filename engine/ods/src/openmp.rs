//! Clauses of OpenMP, and operations that consist of them: classes `OpenMP_Clause` and `OpenMP_Op`.

use super::TypeConstraint;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

const PREFIX: &str = "OpenMP_";

/// An operation that consists of clauses.
#[derive(Clone, Copy, Debug)]
pub struct ClauseOperation<'r>(Rec<'r>);

impl<'r> ClauseOperation<'r> {
    identity!();

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    /// Wraps a record of class `OpenMP_Op`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        ClauseOperation(rec)
    }

    /// Returns the record's name without prefix and suffix: `Parallel`.
    #[must_use]
    pub fn short_name(self) -> &'r str {
        let name = self.0.name().strip_prefix(PREFIX).unwrap_or(self.0.name());
        name.strip_suffix("Op").unwrap_or(name)
    }

    /// Returns its clauses, in order.
    ///
    /// # Errors
    /// The field is no list of records.
    pub fn clauses(self) -> Result<Vec<Clause<'r>>, Diagnostic> {
        Ok(self.0.defs("clauseList")?.into_iter().map(Clause).collect())
    }

    /// Returns whether the text of a clause is part of the operation's text.
    #[must_use]
    pub fn contains(self, text: &ClauseText, clause: Clause<'_>) -> bool {
        self.0.optional_string(text.op_field).unwrap_or_default().contains(clause.text(text))
    }

    /// Returns the arguments of a clause that the operation lacks, as they are written.
    ///
    /// # Errors
    /// The arguments of the operation or of the clause are unset.
    pub fn lacking_arguments(self, clause: Clause<'r>) -> Result<Vec<String>, Diagnostic> {
        let arguments = self.0.dag(name!("arguments"))?;
        let of_clause = clause.0.dag(name!("arguments"))?.args();
        let lacking = of_clause.filter(|argument| arguments.args().all(|own| own != *argument));
        Ok(lacking.map(|(value, name)| format!("{value}:${}", name.unwrap_or_default())).collect())
    }
}

/// A clause.
#[derive(Clone, Copy, Debug)]
pub struct Clause<'r>(Rec<'r>);

/// A text that a clause gives to its operations.
#[derive(Clone, Copy, Debug)]
pub struct ClauseText {
    /// The field of the clause.
    pub field: &'static str,
    /// The bit with which a clause leaves it out.
    ignored_by: &'static str,
    /// The operation's field that should hold it.
    op_field: &'static str,
    /// The text that the operation should concatenate.
    pub hint: &'static str,
    /// True if the operation must hold it.
    pub is_required: bool,
}

const ONE_FORMAT: &[ClauseText] = &[ClauseText {
    field: "assemblyFormat",
    ignored_by: "ignoreAsmFormat",
    op_field: "assemblyFormat",
    hint: "clausesAssemblyFormat",
    is_required: false,
}];

const TWO_FORMATS: &[ClauseText] = &[
    ClauseText {
        field: "reqAssemblyFormat",
        ignored_by: "ignoreAsmFormat",
        op_field: "assemblyFormat",
        hint: "clauses[{Req,Opt}]AssemblyFormat",
        is_required: false,
    },
    ClauseText {
        field: "optAssemblyFormat",
        ignored_by: "ignoreAsmFormat",
        op_field: "assemblyFormat",
        hint: "clauses[{Req,Opt}]AssemblyFormat",
        is_required: false,
    },
];

const TEXTS: &[ClauseText] = &[
    ClauseText {
        field: "description",
        ignored_by: "ignoreDesc",
        op_field: "description",
        hint: "clausesDescription",
        is_required: true,
    },
    ClauseText {
        field: "extraClassDeclaration",
        ignored_by: "ignoreExtraDecl",
        op_field: "extraClassDeclaration",
        hint: "clausesExtraClassDeclaration",
        is_required: false,
    },
];

impl<'r> Clause<'r> {
    identity!();

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    /// Wraps a record of class `OpenMP_Clause`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Clause(rec)
    }

    /// Returns the name: that of its class below `OpenMP_Clause`, such as `Align` of `OpenMP_AlignClauseSkip`; its own,
    /// if it is directly an instance of `OpenMP_Clause`.
    #[must_use]
    pub fn name(self) -> &'r str {
        let class = self.0.superclasses().find(|class| class.is_subclass_of("OpenMP_Clause"));
        let name = class.map_or(self.0.name(), Rec::name);
        let name = name.strip_prefix(PREFIX).unwrap_or(name);
        let name = name.strip_suffix("Skip").unwrap_or(name);
        name.strip_suffix("Clause").unwrap_or(name)
    }

    /// Returns the texts that a clause may give to its operations.
    pub fn texts(self) -> impl Iterator<Item = &'static ClauseText> {
        let has_two_formats = self.rules().has(Change::RequiredClauseFormats);
        let formats = if has_two_formats { TWO_FORMATS } else { ONE_FORMAT };
        formats.iter().chain(TEXTS)
    }

    fn text(self, text: &ClauseText) -> &'r str {
        self.0.optional_string(text.field).unwrap_or_default().trim_ascii()
    }

    /// Returns whether the clause leaves out a text.
    ///
    /// # Errors
    /// The field that decides is missing or no bit.
    pub fn ignores(self, text: &ClauseText) -> Result<bool, Diagnostic> {
        self.0.bit(text.ignored_by)
    }

    /// Returns whether the clause leaves out its arguments.
    ///
    /// # Errors
    /// The field that decides is missing or no bit.
    pub fn ignores_arguments(self) -> Result<bool, Diagnostic> {
        self.0.bit("ignoreArgs")
    }

    /// Returns the arguments with their names.
    ///
    /// # Errors
    /// The field is unset; an argument is no record or has no name.
    pub fn arguments(
        self,
    ) -> Result<impl Iterator<Item = Result<(ClauseArgument<'r>, &'r str), Diagnostic>>, Diagnostic> {
        let arguments = self.0.dag(name!("arguments"))?.args();
        Ok(arguments.map(move |(value, name)| {
            let error = |message: &str| Err(Diagnostic::error(self.0.span(), message));
            let Some(rec) = value.as_def() else { return error("arguments of a clause must be records") };
            let Some(name) = name else { return error("arguments of a clause must be named") };
            Ok((ClauseArgument(rec), name))
        }))
    }
}

/// The constraint on a clause's argument, or on an element of it.
#[derive(Clone, Copy, Debug)]
pub struct ClauseArgument<'r>(Rec<'r>);

impl<'r> ClauseArgument<'r> {
    /// More nested attributes than any argument has, unless it contains itself.
    pub const MAX_DEPTH: usize = 100;

    /// Returns the attribute inside `OptionalAttr`.
    ///
    /// # Errors
    /// The inner attribute is unset, or the attribute contains itself.
    pub fn without_options(self) -> Result<Self, Diagnostic> {
        let mut rec = self.0;
        for _ in 0..Self::MAX_DEPTH {
            if !rec.is_subclass_of(name!("OptionalAttr")) {
                return Ok(ClauseArgument(rec));
            }
            rec = rec.def(name!("baseAttr"))?;
        }
        Err(Diagnostic::error(rec.span(), "an optional attribute without an end: mend `baseAttr`"))
    }

    /// Returns the element of a list of attributes; nothing for anything else.
    ///
    /// # Errors
    /// The element is unset.
    pub fn list_element(self) -> Result<Option<Self>, Diagnostic> {
        match self.0.is_subclass_of("TypedArrayAttrBase") {
            true => self.0.def(name!("elementAttr")).map(|rec| Some(ClauseArgument(rec))),
            false => Ok(None),
        }
    }

    /// Returns the C++ type of a number in an attribute that is known to be a list of numbers.
    ///
    /// # Errors
    /// The type of the list is unset.
    pub fn number_type(self) -> Result<Option<&'r str>, Diagnostic> {
        if let Some((_, number)) = NUMBERS.iter().find(|(class, _)| self.0.is_subclass_of(*class)) {
            return Ok(Some(*number));
        }
        if !self.0.is_subclass_of("DenseArrayAttrBase") {
            return Ok(None);
        }
        let list = self.0.string(name!("returnType"))?;
        let element = list.strip_prefix("::llvm::ArrayRef<").unwrap_or(list);
        Ok(Some(element.strip_suffix('>').unwrap_or(element)))
    }

    /// Returns whether the attribute holds elements of any type.
    #[must_use]
    pub fn has_elements(self) -> bool {
        self.0.is_subclass_of("ElementsAttrBase")
    }

    /// Returns the constraint on the type, if the argument is an operand.
    #[must_use]
    pub fn operand(self) -> Option<TypeConstraint<'r>> {
        self.0.is_subclass_of(name!("TypeConstraint")).then(|| TypeConstraint::new(self.0))
    }

    /// Returns the C++ class that stores the attribute.
    ///
    /// # Errors
    /// The field has no text.
    pub fn storage_type(self) -> Result<&'r str, Diagnostic> {
        self.0.string(name!("storageType")).map(str::trim_ascii)
    }
}

/// Classes of attributes with numbers, and the type of a number. The first class that matches counts.
const NUMBERS: &[(&str, &str)] = &[
    ("IntElementsAttrBase", "::llvm::APInt"),
    ("FloatElementsAttr", "::llvm::APFloat"),
    ("RankedFloatElementsAttr", "::llvm::APFloat"),
];
