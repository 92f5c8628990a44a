//! Reads formats of the model's operations, attributes and types.

use std::collections::BTreeSet;

use super::{Class, Clause, Element, Entity, Field, Follow, Format, Kind, Parameter};
use crate::Document;
use odsmith_ods::{
    AttrOrTypeDef, Attribute, DefKind, EnumInfo, Model, Operation, TypeConstraint,
    format::{self as ods, DefFormat, OpFormat, TypeOf, TypeSource, Variable, VariableKind, Whitespace},
};
use odsmith_tablegen::diagnostic::Diagnostic;

/// The data of a model on which the classes of a format depend.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// C++ classes of types that have a printer of their own.
    printed: BTreeSet<String>,
    /// C++ classes of attributes that have a printer of their own.
    printed_attributes: BTreeSet<String>,
}

impl Classes {
    /// Collects the classes of these models.
    #[must_use]
    pub fn new(models: &[&Model<'_>]) -> Self {
        let mut classes = Classes::default();
        models.iter().for_each(|model| classes.add(model));
        classes
    }

    /// Adds the classes of a model.
    pub fn add(&mut self, model: &Model<'_>) {
        let attributes = model.definitions(DefKind::Attribute).unwrap_or_default();
        // A definition without parameters and format has no printer.
        let is_printed = |it: &&AttrOrTypeDef<'_>| {
            let is_written = it.assembly_format().is_some()
                || it.has_custom_assembly_format()
                || !it.parameters().is_empty();
            it.mnemonic().is_some() && is_written && it.dialect().name() != "builtin"
        };
        let own = attributes.iter().filter(is_printed);
        self.printed_attributes.extend(own.map(|it| bare(&it.qualified_cpp_class_name()).to_owned()));
        let types = model.definitions(DefKind::Type).unwrap_or_default();
        let own = types.iter().filter(is_printed);
        self.printed.extend(own.map(|ty| bare(&ty.qualified_cpp_class_name()).to_owned()));
    }

    /// Collects the classes of a document.
    #[must_use]
    pub fn of_document(document: &Document) -> Self {
        let has_printer = |it: &&crate::defs::AttrOrType| {
            let is_written =
                it.assembly_format.is_some() || it.has_custom_assembly_format || !it.parameters.is_empty();
            it.mnemonic.is_some() && is_written && it.dialect != "builtin"
        };
        let name = |ty: &crate::defs::AttrOrType| {
            let namespace = bare(&ty.cpp_namespace);
            if namespace.is_empty() { ty.cpp_class.clone() } else { format!("{namespace}::{}", ty.cpp_class) }
        };
        Classes {
            printed: document.types.iter().filter(has_printer).map(name).collect(),
            printed_attributes: document.attributes.iter().filter(has_printer).map(name).collect(),
        }
    }
}

impl Format {
    /// Replaces the classes of types without a printer: such a type is written with dialect and mnemonic, as any type.
    /// Marks attributes with a printer.
    pub fn resolve(&mut self, classes: &Classes) {
        for entity in &mut self.entities {
            let is_own = |class: &String| classes.printed.contains(class);
            if matches!(&entity.type_class, Class::Type(class) if !is_own(class)) {
                entity.type_class = Class::any_type();
            }
            let is_printed = |class: &String| classes.printed_attributes.contains(class);
            entity.is_stripped = matches!(&entity.class, Class::Own(class) if is_printed(class));
        }
    }
}

fn bare(class: &str) -> &str {
    class.trim().trim_start_matches("::")
}

/// Reads the format of an operation; nothing if it has none.
///
/// # Errors
/// The mistakes in the format.
pub fn operation(op: &Operation<'_>, classes: &Classes) -> Option<Result<Format, Vec<Diagnostic>>> {
    let mut format = unresolved_operation(op)?;
    if let Ok(format) = &mut format {
        format.resolve(classes);
    }
    Some(format)
}

/// Reads the format of an operation, for a call of [`Format::resolve`] once all classes are known.
///
/// # Errors
/// The mistakes in the format.
pub fn unresolved_operation(op: &Operation<'_>) -> Option<Result<Format, Vec<Diagnostic>>> {
    let text = op.assembly_format()?;
    Some(OpFormat::new(op, text).map(|format| of_operation(op, &format)))
}

/// Reads the format of an attribute or type; nothing if it has none.
///
/// # Errors
/// The mistakes in the format.
pub fn definition(def: &AttrOrTypeDef<'_>) -> Option<Result<Format, Vec<Diagnostic>>> {
    let text = def.assembly_format()?;
    Some(DefFormat::new(def, text).map(|format| of_definition(def, &format)))
}

/// Reads the format of an operation and assumes that every type class has a printer of its own.
pub(crate) fn of_operation(op: &Operation<'_>, format: &OpFormat<'_>) -> Format {
    OpReader::new(op, format).read(format)
}

struct OpReader {
    entities: Vec<Entity>,
    /// The index of the first entity of each kind: attributes, properties, operands, results, regions, successors.
    starts: [usize; 6],
    /// For each attribute of an enum its text inside `enum(…)`.
    cases: Vec<Option<Class>>,
    follow: Follow,
}

fn start_of(kind: VariableKind) -> usize {
    match kind {
        VariableKind::Attribute | VariableKind::Parameter => 0,
        VariableKind::Property => 1,
        VariableKind::Operand => 2,
        VariableKind::Result => 3,
        VariableKind::Region => 4,
        VariableKind::Successor => 5,
    }
}

impl OpReader {
    fn new(op: &Operation<'_>, format: &OpFormat<'_>) -> Self {
        let mut entities = Vec::new();
        let mut starts = [0; 6];
        for attribute in op.attributes() {
            entities.push(of_attribute(attribute.name, attribute.attribute));
        }
        starts[1] = entities.len();
        for property in op.properties() {
            let it = property.property;
            let has_default = it.default_value().is_some();
            let (parser, printer) = it.assembly();
            let class = Class::Code(format!("{} {parser} {printer}", it.storage_type()));
            entities.push(Entity {
                is_unit: it.is_unit(),
                has_default,
                ..Entity::one(Kind::Property, property.name, class).counted(u8::from(!has_default), 1)
            });
        }
        starts[2] = entities.len();
        for operand in op.operands() {
            entities.push(valued(Kind::Operand, operand.name, operand.constraint));
        }
        starts[3] = entities.len();
        for result in op.results() {
            entities.push(valued(Kind::Result, result.name, result.constraint));
        }
        starts[4] = entities.len();
        for region in op.regions() {
            let high = if region.is_variadic() { 2 } else { 1 };
            // A single region is present, but may be empty.
            entities.push(Entity::one(Kind::Region, region.name, Class::Region).counted(0, high));
        }
        starts[5] = entities.len();
        for successor in op.successors() {
            let (low, high) = if successor.is_variadic() { (0, 2) } else { (1, 1) };
            entities.push(Entity::one(Kind::Successor, successor.name, Class::Successor).counted(low, high));
        }
        let is_terminator = op.traits().iter().any(|t| t.is_named("::mlir::OpTrait::IsTerminator"));
        let follow = if is_terminator { Follow::End } else { Follow::Operation };
        let of_enum =
            |attribute: Attribute<'_>| attribute.enum_info().map(|it| cases(&EnumInfo::lenient(it)));
        let cases = op.attributes().iter().map(|it| of_enum(it.attribute)).collect();
        let mut reader = OpReader { entities, starts, cases, follow };
        for (kind, sources) in
            [(VariableKind::Operand, &format.operand_types), (VariableKind::Result, &format.result_types)]
        {
            for (index, source) in sources.iter().enumerate() {
                let own = reader.index(kind, index);
                let other = |variable: &Variable<'_>| reader.index(variable.kind, variable.index);
                let (mut equal, mut call, mut made) = (None, None, None);
                match source {
                    TypeSource::Variable(variable, None) => equal = Some(other(variable)),
                    TypeSource::Variable(variable, Some(code)) => {
                        made = Some((other(variable), (*code).to_owned()));
                    }
                    TypeSource::Buildable(code) => call = Some((*code).to_owned()),
                    TypeSource::Format | TypeSource::Inferred => {}
                }
                if let Some(entity) = reader.entities.get_mut(own) {
                    entity.type_of = equal;
                    entity.type_call = call;
                    entity.type_made_of = made;
                }
            }
        }
        reader
    }

    fn read(mut self, format: &OpFormat<'_>) -> Format {
        let elements = self.elements(&format.elements);
        Format { entities: self.entities, elements, follow: self.follow }
    }

    fn index(&self, kind: VariableKind, index: usize) -> usize {
        self.starts[start_of(kind)] + index
    }

    fn of(&self, variable: &Variable<'_>) -> usize {
        self.index(variable.kind, variable.index)
    }

    /// Returns the entity for all of a kind, and creates it on first use.
    fn all(&mut self, kind: Kind, name: &str) -> usize {
        if let Some(known) = self.entities.iter().position(|entity| entity.is_all && entity.name == name) {
            return known;
        }
        let of_kind = self.entities.iter().filter(|entity| entity.kind == kind);
        let (low, high) = of_kind.fold((0, 0), |(low, high): (u8, u8), entity| {
            // Every region is printed, even an empty one.
            let least = if kind == Kind::Region && entity.high == 1 { 1 } else { entity.low };
            ((low + least).min(2), (high + entity.high).min(2))
        });
        let class = match kind {
            Kind::Region => Class::Region,
            Kind::Successor => Class::Successor,
            _ => Class::Value,
        };
        let entity = Entity { is_all: true, ..Entity::one(kind, name, class) }.counted(low, high.max(1));
        self.entities.push(entity);
        self.entities.len() - 1
    }

    fn type_of(&mut self, of: &TypeOf<'_>) -> usize {
        match of {
            TypeOf::Variable(variable) => self.of(variable),
            TypeOf::Operands => self.all(Kind::Operand, "operands"),
            TypeOf::Results => self.all(Kind::Result, "results"),
        }
    }

    fn elements(&mut self, elements: &[ods::Element<'_>]) -> Vec<Element> {
        elements.iter().map(|element| self.element(element)).collect()
    }

    fn element(&mut self, element: &ods::Element<'_>) -> Element {
        use ods::Element as E;
        match element {
            E::Literal(text) => Element::Literal((*text).to_owned()),
            E::Whitespace(what) => Element::Whitespace(blank(*what).to_owned()),
            E::Variable(variable) => {
                let index = self.of(variable);
                if variable.is_qualified
                    && let Some(entity) = self.entities.get_mut(index)
                    && matches!(entity.class, Class::Own(_) | Class::DenseArray)
                {
                    entity.class = Class::Attribute;
                }
                if variable.is_case
                    && let Some(Some(class)) = self.cases.get(variable.index)
                    && let Some(entity) = self.entities.get_mut(index)
                {
                    entity.class = class.clone();
                }
                Element::Entity(index)
            }
            E::AttrDict { with_keyword } => Element::AttrDict { with_keyword: *with_keyword },
            E::PropDict => Element::PropDict,
            E::Operands => Element::Entity(self.all(Kind::Operand, "operands")),
            E::Regions => Element::Entity(self.all(Kind::Region, "regions")),
            E::Successors => Element::Entity(self.all(Kind::Successor, "successors")),
            E::Type { of, is_qualified } => {
                let index = self.type_of(of);
                if *is_qualified && let Some(entity) = self.entities.get_mut(index) {
                    entity.type_class = Class::Type(String::new());
                }
                Element::Type(index)
            }
            E::FunctionalType { inputs, results } => {
                Element::FunctionalType { inputs: self.type_of(inputs), results: self.type_of(results) }
            }
            E::Custom(custom) => Element::Custom {
                name: custom.name.to_owned(),
                parameters: custom.parameters.iter().map(|parameter| self.parameter(parameter)).collect(),
            },
            E::OiList(clauses) => {
                let clause = |clause: &ods::Clause<'_>| Clause {
                    keyword: clause.literal().to_owned(),
                    elements: self.elements(&clause.elements),
                };
                Element::OiList(clauses.iter().map(clause).collect())
            }
            E::Optional(group) => Element::Optional {
                then: self.elements(&group.then),
                otherwise: self.elements(&group.otherwise),
                anchor: group.anchor,
                is_inverted: group.is_inverted,
            },
            // Operations have no other elements here.
            E::Results | E::Ref(_) | E::Code(_) | E::Params | E::Struct(_) => {
                Element::Whitespace(String::new())
            }
        }
    }

    fn parameter(&mut self, parameter: &ods::Element<'_>) -> Parameter {
        match parameter {
            ods::Element::Variable(variable) => Parameter::Entity(self.of(variable)),
            ods::Element::Type { of, .. } => Parameter::Type(self.type_of(of)),
            ods::Element::Ref(inner) => Parameter::Ref { of: Box::new(self.parameter(inner)) },
            _ => Parameter::Other,
        }
    }
}

fn blank(what: Whitespace) -> &'static str {
    match what {
        Whitespace::None => "",
        Whitespace::Space => " ",
        Whitespace::Newline => "\n",
    }
}

fn valued(kind: Kind, name: &str, constraint: TypeConstraint<'_>) -> Entity {
    let (low, high) = if constraint.is_optional() {
        (0, 1)
    } else if constraint.is_variable_length() {
        (0, 2)
    } else {
        (1, 1)
    };
    // Only a single type is written without dialect and mnemonic.
    let type_class = match (low, high) {
        (1, 1) => Class::Type(bare(&constraint.base().cpp_type()).to_owned()),
        _ => Class::any_type(),
    };
    Entity {
        has_runs: constraint.is_variadic_of_variadic(),
        type_class,
        ..Entity::one(kind, name, Class::Value).counted(low, high)
    }
}

fn of_attribute(name: &str, attribute: Attribute<'_>) -> Entity {
    let has_default = attribute.default_value().is_some();
    let may_be_absent = attribute.is_optional() || has_default;
    Entity {
        is_unit: attribute.is_unit(),
        // An optional attribute with a default has no value if it is missing.
        has_default: has_default && !attribute.is_optional(),
        ..Entity::one(Kind::Attribute, name, text_of(attribute)).counted(u8::from(!may_be_absent), 1)
    }
}

/// Returns the text of an attribute that is written as a case of an enum.
fn cases(info: &EnumInfo<'_>) -> Class {
    let is_bare = |case: &&odsmith_ods::EnumCase<'_>| {
        case.is_keyword() && (info.bits.is_none() || case.is_single_bit())
    };
    let spelling = |case: &odsmith_ods::EnumCase<'_>| case.spelling.to_owned();
    let words = info.cases.iter().filter(is_bare).map(spelling).collect();
    let strings = info.cases.iter().filter(|case| !is_bare(case)).map(spelling).collect();
    Class::Enum { words, strings }
}

/// Returns the class of an attribute in a list of properties if it is another one there, and whether it is in brackets:
/// a case of an enum is written without those of its attribute.
#[must_use]
pub fn listed_class(attribute: Attribute<'_>) -> Option<(Class, bool)> {
    let info = attribute.is_case_in_brackets().then(|| attribute.enum_info().map(EnumInfo::lenient))??;
    let has_brackets = info.bits.as_ref().is_some_and(|bits| !bits.separator.contains('|'));
    Some((cases(&info), has_brackets))
}

/// Returns the class of an attribute that is not qualified.
fn text_of(attribute: Attribute<'_>) -> Class {
    if let Some(info) = attribute.written_as_case() {
        return cases(&info);
    }
    if attribute.is_symbol_name() {
        return Class::Symbol;
    }
    let storage = bare(attribute.storage_type());
    let has_type = attribute.value_type().is_some_and(|ty| ty.builder_call().is_some());
    match storage.strip_prefix("mlir::").unwrap_or(storage) {
        "Attribute" | "TypedAttr" => Class::Attribute,
        "BoolAttr" => Class::Bool,
        "IntegerAttr" if has_type => Class::Integer,
        "FloatAttr" if has_type => Class::Float,
        // The type follows after a colon.
        "IntegerAttr" | "FloatAttr" => Class::Own(storage.to_owned()),
        "StringAttr" => Class::String,
        "TypeAttr" => Class::Type(String::new()),
        "FlatSymbolRefAttr" => Class::Symbol,
        "SymbolRefAttr" => Class::SymbolPath,
        "ArrayAttr" => Class::Array,
        "UnitAttr" => Class::Unit,
        "AffineMapAttr" => Class::AffineMap,
        "IntegerSetAttr" => Class::IntegerSet,
        "ElementsAttr"
        | "DenseElementsAttr"
        | "DenseIntElementsAttr"
        | "DenseFPElementsAttr"
        | "DenseResourceElementsAttr"
        | "SparseElementsAttr" => Class::Elements,
        name if name.starts_with("Dense") && name.ends_with("ArrayAttr") => Class::DenseArray,
        _ => Class::Own(storage.to_owned()),
    }
}

/// Returns the class of a parameter that holds a case of an enum: its keywords, or the set of bits as a whole.
fn enum_class(parameter: odsmith_ods::Parameter<'_>) -> Option<Class> {
    let info = parameter.held_enum()?;
    if let Some(bits) = &info.bits {
        return Some(Class::Code(format!("bits of {} {}", bare(&info.qualified_name), bits.separator)));
    }
    // A parser that the enum brings reads keywords alone; otherwise others are in quotes.
    let is_bare = parameter.assembly().0.is_some();
    let of = |is_word: bool| {
        let cases = info.cases.iter().filter(|case| (is_bare || case.is_keyword()) == is_word);
        cases.map(|case| case.spelling.to_owned()).collect()
    };
    Some(Class::Enum { words: of(true), strings: of(false) })
}

/// Reads the format of an attribute or type.
pub(crate) fn of_definition(def: &AttrOrTypeDef<'_>, format: &DefFormat<'_>) -> Format {
    let entity = |parameter: &odsmith_ods::Parameter<'_>| {
        let low = u8::from(!parameter.is_optional());
        let (parser, printer) = parameter.assembly();
        let class = if let Some(class) = enum_class(*parameter) {
            class
        } else {
            match (parser, printer, bare(parameter.cpp_type())) {
                (None, None, "bool") => Class::Bool,
                (
                    None,
                    None,
                    "int" | "unsigned" | "int64_t" | "uint64_t" | "int32_t" | "uint32_t" | "size_t",
                ) => Class::Integer,
                (None, None, "Type" | "mlir::Type") => Class::Type(String::new()),
                (None, None, "Attribute" | "mlir::Attribute") => Class::Attribute,
                (None, None, "StringAttr" | "mlir::StringAttr") => Class::String,
                (None, None, class) => Class::Own(class.to_owned()),
                (parser, printer, class) => {
                    let (parser, printer) = (parser.unwrap_or_default(), printer.unwrap_or_default());
                    Class::Code(format!("{class} {parser} {printer}"))
                }
            }
        };
        Entity {
            has_default: parameter.is_optional(),
            ..Entity::one(Kind::Parameter, parameter.name, class).counted(low, 1)
        }
    };
    let entities: Vec<Entity> = def.parameters().iter().map(entity).collect();
    let elements = format.elements.iter().map(|element| def_element(def, element)).collect();
    Format { entities, elements, follow: Follow::Anything }
}

/// Returns all parameters except an attribute's own type.
fn listed(def: &AttrOrTypeDef<'_>) -> Vec<usize> {
    let all = def.parameters().iter().enumerate();
    all.filter(|(_, parameter)| !parameter.is_self_type()).map(|(index, _)| index).collect()
}

fn def_element(def: &AttrOrTypeDef<'_>, element: &ods::Element<'_>) -> Element {
    use ods::Element as E;
    let all = |elements: &[E<'_>]| elements.iter().map(|element| def_element(def, element)).collect();
    match element {
        E::Literal(text) => Element::Literal((*text).to_owned()),
        E::Whitespace(what) => Element::Whitespace(blank(*what).to_owned()),
        E::Variable(variable) => Element::Entity(variable.index),
        E::Custom(custom) => Element::Custom {
            name: custom.name.to_owned(),
            parameters: custom.parameters.iter().map(def_parameter).collect(),
        },
        E::Optional(group) => Element::Optional {
            then: all(&group.then),
            otherwise: all(&group.otherwise),
            anchor: group.anchor,
            is_inverted: group.is_inverted,
        },
        E::Params => Element::Params(listed(def)),
        E::Struct(elements) => Element::Struct(fields(def, elements)),
        _ => Element::Whitespace(String::new()),
    }
}

fn def_parameter(element: &ods::Element<'_>) -> Parameter {
    match element {
        ods::Element::Variable(variable) => Parameter::Entity(variable.index),
        ods::Element::Ref(inner) => Parameter::Ref { of: Box::new(def_parameter(inner)) },
        _ => Parameter::Other,
    }
}

fn fields(def: &AttrOrTypeDef<'_>, elements: &[ods::Element<'_>]) -> Vec<Field> {
    let entries: Vec<(usize, Option<Element>)> = match elements {
        [ods::Element::Params] => listed(def).into_iter().map(|entity| (entity, None)).collect(),
        elements => elements
            .iter()
            .filter_map(|element| match element {
                ods::Element::Variable(variable) => Some((variable.index, None)),
                ods::Element::Custom(custom) => {
                    let own = custom.parameters.iter().find_map(|it| it.variable())?;
                    Some((own.index, Some(def_element(def, element))))
                }
                _ => None,
            })
            .collect(),
    };
    let count = entries.len();
    let field = |(position, (entity, element)): (usize, (usize, Option<Element>))| {
        let is_list = def.parameters().get(entity).is_some_and(|parameter| parameter.is_bare_list());
        let is_bracketed = element.is_none() && is_list && position + 1 < count && def.brackets_lists();
        Field { entity, element, is_bracketed }
    };
    entries.into_iter().enumerate().map(field).collect()
}

/// Returns whether two formats differ only in blanks.
#[must_use]
pub fn differ_in_blanks_only(old: &Format, new: &Format) -> bool {
    fn without(elements: &[Element]) -> Vec<Element> {
        let kept = elements.iter().filter(|element| !matches!(element, Element::Whitespace(_)));
        kept.map(|element| match element {
            Element::Optional { then, otherwise, anchor, is_inverted } => {
                let branch = if *is_inverted { otherwise } else { then };
                let before = branch.iter().take(*anchor);
                let blanks = before.filter(|element| matches!(element, Element::Whitespace(_))).count();
                Element::Optional {
                    then: without(then),
                    otherwise: without(otherwise),
                    anchor: *anchor - blanks,
                    is_inverted: *is_inverted,
                }
            }
            Element::OiList(clauses) => Element::OiList(
                clauses
                    .iter()
                    .map(|clause| Clause {
                        keyword: clause.keyword.clone(),
                        elements: without(&clause.elements),
                    })
                    .collect(),
            ),
            element => element.clone(),
        })
        .collect()
    }
    old.elements != new.elements && without(&old.elements) == without(&new.elements)
}
