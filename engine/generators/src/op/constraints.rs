//! Functions that check constraints: `__mlir_ods_local_type_constraint_<file><n>` and the like.
//!
//! One for each kind of constraint, predicate and summary, numbered in the order of first use. In this order: types,
//! attributes, properties, successors, regions.

use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
};

use rustc_hash::FxBuildHasher;

use crate::cpp::{Template, Writer, escaped, file_label, from_fn, substitute};
use odsmith_ods::{Constraint, Operation, Property};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{diagnostic::Diagnostic, record::RecordId};

/// The functions of one file.
pub(crate) struct StaticVerifiers<'r> {
    /// The part of each name before its number.
    label: String,
    types: Functions<'r>,
    attributes: Functions<'r>,
    properties: Functions<'r>,
    successors: Functions<'r>,
    regions: Functions<'r>,
}

/// The functions of one kind.
struct Functions<'r> {
    /// The name of the kind in function names.
    kind: &'static str,
    /// The expression for `$_self`.
    subject: &'static str,
    /// The number of each constraint's function, if it has one.
    by_record: HashMap<RecordId, Option<usize>, FxBuildHasher>,
    /// The number of the function for a predicate and a summary.
    by_predicate: HashMap<(RecordId, &'r str), usize, FxBuildHasher>,
    all: Vec<Function<'r>>,
}

struct Function<'r> {
    number: usize,
    condition: String,
    summary: &'r str,
    /// The parameter type of a property's function.
    cpp_type: &'r str,
}

impl<'r> Functions<'r> {
    fn new(kind: &'static str, subject: &'static str) -> Self {
        Functions {
            kind,
            subject,
            by_record: HashMap::default(),
            by_predicate: HashMap::default(),
            all: Vec::new(),
        }
    }

    /// Adds a constraint, unless its condition uses a placeholder that such a function does not have.
    fn add(&mut self, constraint: Constraint<'r>, cpp_type: &'r str) {
        let Functions { kind, subject, by_record, by_predicate, all } = self;
        let rules = constraint.rules();
        // A constraint without a condition has no number.
        let count = match rules.has(Change::SharedConstraints) {
            true => 0,
            false => by_record.values().flatten().count(),
        };
        by_record.entry(constraint.definition().id()).or_insert_with(|| {
            let predicate = constraint.predicate_rec()?;
            let names = [("_self", *subject), ("_op", "*op")];
            let names = if rules.has(Change::SharedConstraints) { &names[..] } else { &names[..1] };
            let condition = substitute(&constraint.condition(), names).to_string();
            let is_value = matches!(*kind, "attr" | "prop");
            if is_value && condition.contains("<no-subst-found>") {
                return None;
            }
            let summary = constraint.summary();
            if !rules.has(Change::SharedConstraints) {
                let known = by_predicate.iter().find(|((known, _), _)| *known == predicate.id());
                if let Some((_, &number)) = known.filter(|((_, text), _)| *text == summary) {
                    return Some(number);
                }
                // Later constraints only find the first function of a predicate.
                if known.is_none() {
                    by_predicate.insert((predicate.id(), summary), count);
                }
                all.push(Function { number: count, condition, summary, cpp_type });
                return Some(count);
            }
            let number = by_predicate.entry((predicate.id(), summary)).or_insert_with(|| {
                let number = all.len() + first_number(constraint);
                all.push(Function { number, condition, summary, cpp_type });
                number
            });
            Some(*number)
        });
    }

    fn number(&self, constraint: Constraint<'_>) -> Option<usize> {
        self.by_record.get(&constraint.definition().id()).copied().flatten()
    }
}

/// Returns the number of the first function of each kind.
pub(crate) fn first_number(constraint: Constraint<'_>) -> usize {
    usize::from(constraint.rules().has(Change::ConstraintsFromOne))
}

/// The kinds of functions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Type,
    Attribute,
    Property,
    Successor,
    Region,
}

impl<'r> StaticVerifiers<'r> {
    /// Creates an empty list of functions; `file` becomes part of their names.
    pub(crate) fn new(file: &str) -> Self {
        StaticVerifiers {
            label: file_label(file),
            types: Functions::new("type", "type"),
            attributes: Functions::new("attr", "attr"),
            properties: Functions::new("prop", "prop"),
            successors: Functions::new("successor", "successor"),
            regions: Functions::new("region", "region"),
        }
    }

    /// Collects the functions that the verifiers of these operations call.
    pub(super) fn of_operations(
        operations: impl Iterator<Item = &'r Operation<'r>>,
        file: &str,
    ) -> StaticVerifiers<'r> {
        let mut verifiers = StaticVerifiers::new(file);
        for op in operations {
            let operands = op.operands().iter().map(|operand| operand.constraint);
            for constraint in operands.chain(op.results().iter().map(|result| result.constraint)) {
                verifiers.add(Kind::Type, constraint.constraint());
            }
            if !op.rules().has(Change::SharedConstraints) {
                continue;
            }
            for named in op.natural_attributes() {
                verifiers.add(Kind::Attribute, named.attribute.constraint());
            }
            for named in op.properties().iter().filter(|named| is_checked(named.property)) {
                let property = named.property;
                // A function needs a type for its parameter.
                if property.interface_type().is_empty() {
                    continue;
                }
                verifiers.properties.add(property.constraint(), property.interface_type());
            }
            for successor in op.successors() {
                verifiers.add(Kind::Successor, successor.constraint());
            }
            for region in op.regions() {
                verifiers.add(Kind::Region, region.constraint());
            }
        }
        verifiers
    }

    /// Adds a constraint, but not one of properties.
    pub(crate) fn add(&mut self, kind: Kind, constraint: Constraint<'r>) {
        let functions = match kind {
            Kind::Type => &mut self.types,
            Kind::Attribute => &mut self.attributes,
            Kind::Property => &mut self.properties,
            Kind::Successor => &mut self.successors,
            Kind::Region => &mut self.regions,
        };
        functions.add(constraint, "");
    }

    /// Returns the name of a constraint's function, if it has one.
    pub(crate) fn name(&self, kind: Kind, constraint: Constraint<'_>) -> Option<impl Display> {
        let functions = match kind {
            Kind::Type => &self.types,
            Kind::Attribute => &self.attributes,
            Kind::Property => &self.properties,
            Kind::Successor => &self.successors,
            Kind::Region => &self.regions,
        };
        functions.number(constraint).map(|number| self.function_name(functions, number))
    }

    fn function_name(&self, functions: &Functions<'r>, number: usize) -> impl Display {
        from_fn(move |f| write!(f, "__mlir_ods_local_{}_constraint_{}{number}", functions.kind, self.label))
    }

    /// Writes all functions.
    pub(crate) fn emit(&self, w: &mut Writer) {
        let rules = *w.rules();
        let stream = Stream::Started.of(&rules);
        let has_functions = w.rules().has(Change::AttributesWithoutOperation);
        let attribute = if has_functions { ATTRIBUTE_FUNCTION } else { OLDER_ATTRIBUTE_FUNCTION };
        for (functions, template) in [
            (
                &self.types,
                if w.rules().has(Change::SharedConstraints) { TYPE_FUNCTION } else { OLDER_TYPE_FUNCTION },
            ),
            (&self.attributes, attribute),
            (&self.properties, PROPERTY_FUNCTION),
            (&self.successors, SUCCESSOR_FUNCTION),
            (&self.regions, REGION_FUNCTION),
        ] {
            for function in &functions.all {
                let names = [("_self", functions.subject), ("_op", "*op")];
                w.fill_variant(
                    template,
                    &[
                        ("name", &self.function_name(functions, function.number)),
                        ("type", &function.cpp_type),
                        ("condition", &function.condition),
                        ("message", &streamed(function.summary, &names, stream, &rules)),
                    ],
                );
            }
        }
    }
}

/// Checks that the conditions of functions can be written.
///
/// # Errors
/// A text of a condition is unset.
pub(super) fn check_conditions(operations: &[&Operation<'_>]) -> Result<(), Diagnostic> {
    let mut seen = HashSet::<RecordId, FxBuildHasher>::default();
    for op in operations {
        let values = op.operands().iter().map(|operand| operand.constraint);
        let values =
            values.chain(op.results().iter().map(|result| result.constraint)).map(|it| it.constraint());
        let attributes = op.natural_attributes().iter().map(|named| named.attribute.constraint());
        let properties = op.properties().iter().map(|named| named.property.constraint());
        let successors = op.successors().iter().map(|successor| successor.constraint());
        let regions = op.regions().iter().map(|region| region.constraint());
        let all = values.chain(attributes).chain(properties).chain(successors).chain(regions);
        let mut new = all.filter(|constraint| seen.insert(constraint.definition().id()));
        new.try_for_each(Constraint::check_condition)?;
    }
    Ok(())
}

/// Returns whether a property's condition needs a check.
pub(super) fn is_checked(property: Property<'_>) -> bool {
    property.constraint().condition() != "true"
}

/// The way in which a message is written to its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// One of several values.
    Started,
    /// The argument that opens the stream.
    Argument,
    /// Text without any values.
    Verbatim,
    /// Text without any values, and unescaped.
    Raw,
}

impl Stream {
    /// Returns the way that this release uses: only some releases have values in messages.
    pub(crate) fn of(self, rules: &Rules) -> Stream {
        match rules.has(Change::EscapedSummaries) {
            true if rules.has(Change::InterpolatedSummaries) => self,
            true => Stream::Verbatim,
            false => Stream::Raw,
        }
    }
}

/// Returns a summary inside a C++ string literal; the text in `{{…}}` is C++ for a value that is printed there.
pub(crate) fn streamed<'a>(
    summary: &'a str,
    names: &'a [(&'a str, &'a str)],
    stream: Stream,
    rules: &'a Rules,
) -> impl Display + 'a {
    let closes_values = rules.has(Change::ClosedValues);
    from_fn(move |f| {
        match stream {
            Stream::Raw => return f.write_str(summary),
            Stream::Verbatim => return write!(f, "{}", escaped(summary)),
            Stream::Started | Stream::Argument => {}
        }
        let (text, mut rest) = values_after(summary);
        if rest.is_empty() {
            return write!(f, "{}", escaped(summary));
        }
        write!(f, "{}", escaped(text))?;
        // As in the reference, only the first value closes the literal before it.
        f.write_str(if stream == Stream::Argument { "\") << " } else { "\" << " })?;
        loop {
            let (value, after) = rest.split_once("}}").unwrap_or((rest, ""));
            let value = escaped(value).to_string();
            write!(f, "{}", substitute(&value, names))?;
            let (text, next) = values_after(after);
            if !after.is_empty() || closes_values {
                // Earlier releases only open a new literal after the last value.
                let opens_literal = next.is_empty() || closes_values;
                f.write_str(if opens_literal && stream == Stream::Argument { " << (\"" } else { " << \"" })?;
            }
            write!(f, "{}", escaped(text))?;
            if next.is_empty() {
                return Ok(());
            }
            f.write_str(" << ")?;
            rest = next;
        }
    })
}

/// Splits the text before the first value from the rest after the opening braces.
fn values_after(text: &str) -> (&str, &str) {
    text.split_once("{{").unwrap_or((text, ""))
}

const TYPE_FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::Operation *op, ::mlir::Type type, ::llvm::StringRef valueKind,
    unsigned valueIndex) {
  if (!(@condition)) {
    return op->emitOpError(valueKind) << " #" << valueIndex
        << " must be @message, but got " << type;
  }
  return ::mlir::success();
}
"#,
);

const OLDER_TYPE_FUNCTION: Template = Template(
    r#"
static @LogicalResult @name(::mlir::Operation *op, ::mlir::Type type, ::llvm::StringRef valueKind, unsigned valueGroupStartIndex) {
  if (!(@condition)) {
    return op->emitOpError(valueKind) << " #" << valueGroupStartIndex << " must be @message, but got " << type;
  }
  return ::mlir::success();
}

"#,
);

const ATTRIBUTE_FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::Attribute attr, ::llvm::StringRef attrName, llvm::function_ref<::mlir::InFlightDiagnostic()> @error_function) {
  if (attr && !(@condition))
    return @error_function() << "attribute '" << attrName
        << "' failed to satisfy constraint: @message";
  return ::mlir::success();
}
static @LogicalResult @name(
    ::mlir::Operation *op, ::mlir::Attribute attr, ::llvm::StringRef attrName) {
  return @name(attr, attrName, [op]() {
    return op->emitOpError();
  });
}
"#,
);

const OLDER_ATTRIBUTE_FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::Operation *op, ::mlir::Attribute attr, ::llvm::StringRef attrName) {
  if (attr && !(@condition)) {
    return op->emitOpError("attribute '") << attrName
        << "' failed to satisfy constraint: @message";
  }
  return ::mlir::success();
}
"#,
);

const PROPERTY_FUNCTION: Template = Template(
    r#"

  static @LogicalResult @name(
      @type prop, ::llvm::StringRef propName, llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) {
    if (!(@condition))
      return emitError() << "property '" << propName
          << "' failed to satisfy constraint: @message";
    return ::mlir::success();
  }
  static @LogicalResult @name(
      ::mlir::Operation *op, @type prop, ::llvm::StringRef propName) {
    return @name(prop, propName, [op]() {
      return op->emitOpError();
    });
  }
  "#,
);

const SUCCESSOR_FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::Operation *op, ::mlir::Block *successor,
    ::llvm::StringRef successorName, unsigned successorIndex) {
  if (!(@condition)) {
    return op->emitOpError("successor #") << successorIndex << " ('"
        << successorName << "@SuccessorEnd failed to verify constraint: @message";
  }
  return ::mlir::success();
}
"#,
);

const REGION_FUNCTION: Template = Template(
    r#"

static @LogicalResult @name(
    ::mlir::Operation *op, ::mlir::Region &region, ::llvm::StringRef regionName,
    unsigned regionIndex) {
  if (!(@condition)) {
    return op->emitOpError("region #") << regionIndex
        << (regionName.empty() ? " " : " ('" + regionName + "') ")
        << "failed to verify constraint: @message";
  }
  return ::mlir::success();
}
"#,
);
