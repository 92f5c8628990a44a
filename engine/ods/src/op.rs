//! Operations: class `Op`.

use super::{
    Argument, Attribute, Builder, Constraint, Dialect, Interface, NamedAttribute, NamedProperty, NamedRegion,
    NamedSuccessor, OpResult, Operand, Part, PartKind, Property, Trait, TraitKind, TypeConstraint,
    argument::Decoration,
    builder, cpp_name,
    definition::set_bits,
    infer::{self, Inference},
    legacy_infer,
    lenient::Mistake,
};
use odsmith_release::{Change, fields};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, Records, Val, name},
};

/// Functions that an operation may leave to its author.
const HOOKS: &[&str] = &[
    "hasVerifier",
    "hasRegionVerifier",
    "hasCanonicalizer",
    "hasCanonicalizeMethod",
    "hasFolder",
    "useCustomPropertiesEncoding",
];

/// An operation with all its parts.
#[derive(Clone, Debug)]
pub struct Operation<'r> {
    rec: Rec<'r>,
    dialect: Dialect<'r>,
    mnemonic: &'r str,
    cpp_namespace: &'r str,
    arguments: Vec<Argument>,
    operands: Vec<Operand<'r>>,
    attributes: Vec<NamedAttribute<'r>>,
    natural_attributes: usize,
    properties: Vec<NamedProperty<'r>>,
    results: Vec<OpResult<'r>>,
    regions: Vec<NamedRegion<'r>>,
    successors: Vec<NamedSuccessor<'r>>,
    traits: Vec<Trait<'r>>,
    declared_traits: usize,
    builders: Vec<Builder<'r>>,
    result_types: Vec<Inference<'r>>,
    all_result_types_known: bool,
    mistake: Mistake,
}

impl<'r> Operation<'r> {
    /// Reads and checks a record of class `Op`, except for its name: see [`Operation::check_name`].
    ///
    /// # Errors
    /// The first rule of the manual that the record breaks.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut op = Operation::read(rec)?;
        std::mem::take(&mut op.mistake).refuse(op)
    }

    /// Reads the full name alone: `arith.addf`.
    ///
    /// # Errors
    /// A part of the name is unset.
    pub fn name_of(rec: Rec<'r>) -> Result<String, Diagnostic> {
        let mnemonic = rec.string(name!("opName"))?;
        Ok(full_name(rec.def(name!("opDialect"))?.string(name!("name"))?, mnemonic))
    }

    /// Reads and checks an operation and its name.
    ///
    /// # Errors
    /// As for [`Operation::new`] and [`Operation::check_name`].
    pub fn named(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let op = Operation::new(rec)?;
        op.check_name()?;
        Ok(op)
    }

    /// Reads an operation and leaves out what breaks a rule; returns nothing if it has no dialect.
    #[must_use]
    pub fn lenient(rec: Rec<'r>) -> Option<Self> {
        let mut op = Operation::read(rec).ok()?;
        let name = op.check_name();
        op.mistake.keep(name);
        Some(op)
    }

    /// Returns the operation if it breaks no rule.
    pub(super) fn sound(&self) -> Result<&Self, Diagnostic> {
        self.mistake.check(self)
    }

    /// Returns whether the operation breaks no rule.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mistake.is_none()
    }

    /// Checks that the operation has a name. Generators check this only when they write the name.
    ///
    /// # Errors
    /// The name of the dialect or of the operation is unset.
    pub fn check_name(&self) -> Result<(), Diagnostic> {
        self.dialect.check_name()?;
        self.rec.string(name!("opName")).map(drop)
    }

    pub(super) fn read(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let dialect = Dialect::new(rec.def(name!("opDialect"))?);
        let mut mistake = Mistake::default();
        mistake.keep(dialect.check());
        let mut op = Operation {
            rec,
            dialect,
            mnemonic: rec.optional_string(name!("opName")).unwrap_or_default(),
            cpp_namespace: mistake.keep(rec.string(name!("cppNamespace"))),
            arguments: Vec::new(),
            operands: Vec::new(),
            attributes: Vec::new(),
            natural_attributes: 0,
            properties: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            traits: Vec::new(),
            declared_traits: 0,
            builders: Vec::new(),
            result_types: Vec::new(),
            all_result_types_known: false,
            mistake,
        };
        op.entries(name!("arguments"), None, "type for argument", Operation::read_argument);
        let derived = op.read_derived_attributes();
        op.mistake.keep(derived);
        op.entries(name!("results"), Some("outs"), "type for result", Operation::read_result);
        op.entries(name!("successors"), Some("successor"), "kind for successor", Operation::read_successor);
        op.read_traits();
        op.infer_result_types();
        op.entries(name!("regions"), Some("region"), "kind for region", Operation::read_region);
        op.builders = builder::builders(rec, &mut op.mistake);
        // The reference reads this field only if there are no custom builders.
        if op.builders.is_empty() && op.mistake.keep(rec.bit(name!("skipDefaultBuilders"))) {
            op.mistaken("default builders are skipped and no custom builders provided");
        }
        let has_prefixes = rec.records().rules().has(Change::PrefixedAccessors);
        let accessors = if has_prefixes { op.check_accessors() } else { Ok(()) };
        let names = op.check_names();
        op.mistake.keep(accessors.and(names));
        Ok(op)
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.rec.span(), message)
    }

    fn mistaken(&mut self, message: impl Into<String>) {
        let error = self.error(message);
        self.mistake.keep(Err::<(), _>(error));
    }

    /// Reads the records in the dag of a field, whose operator should be `marker`. `read` gets each record with its
    /// name and whether it is the last one.
    fn entries(
        &mut self,
        field: impl Name,
        marker: Option<&str>,
        what: &str,
        read: fn(&mut Self, Rec<'r>, &'r str, bool) -> Result<(), Diagnostic>,
    ) {
        let Some(dag) = self.mistake.keep(self.rec.dag(field).map(Some)) else { return };
        let leader = dag.operator_def().map(Rec::name);
        if let Some(marker) = marker.filter(|&marker| leader != Some(marker)) {
            self.mistaken(format!("'{}' must have '{marker}' directive", field.text()));
        }
        for (index, (value, name)) in dag.args().enumerate() {
            match value.as_def() {
                Some(rec) => {
                    let read = read(self, rec, name.unwrap_or_default(), index + 1 == dag.len());
                    self.mistake.keep(read);
                }
                None => self.mistaken(format!("undefined {what} #{index}")),
            }
        }
    }

    fn read_argument(&mut self, rec: Rec<'r>, name: &'r str, _: bool) -> Result<(), Diagnostic> {
        let has_properties = rec.records().rules().has(Change::Properties);
        let (decoration, constraint) = Decoration::split(rec)?;
        let is_attribute = constraint.is_subclass_of(name!("Attr"));
        if constraint.is_subclass_of(name!("TypeConstraint")) {
            self.arguments.push(Argument::Operand(self.operands.len()));
            let constraint = TypeConstraint::new(constraint);
            self.operands.push(Operand { name, constraint, decoration });
        } else if has_properties && constraint.is_subclass_of(name!("Property")) && !is_attribute {
            self.arguments.push(Argument::Property(self.properties.len()));
            let property = Property::new(constraint);
            self.properties.push(NamedProperty { name, property, decoration });
            if name.is_empty() {
                return Err(constraint.error("properties must be named"));
            }
            property.check()?;
        } else if is_attribute || constraint.is_subclass_of(name!("AttrConstraint")) {
            self.arguments.push(Argument::Attribute(self.attributes.len()));
            let attribute = Attribute::new(constraint);
            self.attributes.push(NamedAttribute { name, attribute, decoration });
            if !is_attribute {
                return Err(self.unexpected_argument(has_properties));
            }
            if name.is_empty() {
                return Err(constraint.error("attributes must be named"));
            }
            if attribute.is_derived() {
                return Err(constraint.error("derived attributes not allowed in argument list"));
            }
        } else {
            return Err(self.unexpected_argument(has_properties));
        }
        Ok(())
    }

    fn unexpected_argument(&self, has_properties: bool) -> Diagnostic {
        let property = if has_properties { " or Property" } else { "" };
        self.error(format!(
            "unexpected def type; only defs deriving from TypeConstraint or Attr{property} are allowed"
        ))
    }

    fn read_derived_attributes(&mut self) -> Result<(), Diagnostic> {
        self.natural_attributes = self.attributes.len();
        for (name, field) in self.rec.declarations() {
            let Some(class) = self.rec.class_of(field.ty()) else { continue };
            if class.name() != "Attr" && !class.is_subclass_of(name!("Attr")) {
                continue;
            }
            if class.name() != "DerivedAttr" && !class.is_subclass_of(name!("DerivedAttr")) {
                return Err(self.error("unexpected Attr where only DerivedAttr is allowed"));
            }
            let Some(rec) = self.rec.records().val_or_none(field.value).and_then(Val::as_def) else {
                continue;
            };
            let attribute = Attribute::new(rec);
            self.attributes.push(NamedAttribute { name, attribute, decoration: Decoration::default() });
        }
        Ok(())
    }

    fn read_result(&mut self, rec: Rec<'r>, name: &'r str, _: bool) -> Result<(), Diagnostic> {
        let (decoration, constraint) = Decoration::split(rec)?;
        let constraint = TypeConstraint::new(constraint);
        self.results.push(OpResult { name, constraint, decoration });
        match constraint.segment_attribute() {
            Some(_) => Err(self.error("'VariadicOfVariadic' results are currently not supported")),
            None => Ok(()),
        }
    }

    fn check_names(&self) -> Result<(), Diagnostic> {
        if !self.rules().has(Change::DistinctNames) {
            return Ok(());
        }
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let operands = self.operands.iter().map(|operand| ("operands", operand.name));
        let results = self.results.iter().map(|result| ("results", result.name));
        let regions = self.regions.iter().map(|region| ("regions", region.name));
        let successors = self.successors.iter().map(|successor| ("successors", successor.name));
        let all = operands.chain(results).chain(regions).chain(successors);
        for (kind, name) in all.filter(|(_, name)| !name.is_empty()) {
            if let Some((other, _)) = seen.iter().find(|(_, seen)| *seen == name) {
                return Err(self.error(if *other == kind {
                    format!("op has a conflict with two {kind} having the same name '{name}'")
                } else {
                    format!("op has a conflict with {other} and {kind} both having an entry with the name '{name}'")
                }));
            }
            seen.push((kind, name));
        }
        Ok(())
    }

    /// Checks that the getters of operands, results, regions and successors do not clash with those of every operation.
    /// The getter of a single list of all operands or regions, or of a single result, may: it means the same.
    fn check_accessors(&self) -> Result<(), Diagnostic> {
        let has_one_list = matches!(self.operands.as_slice(), [one] if one.constraint.is_variable_length());
        let has_one_region_list = matches!(self.regions.as_slice(), [one] if one.is_variadic());
        let is_taken = |accessor: &str| match accessor {
            "AttributeNames" | "Attributes" | "Operation" => true,
            "Operands" => !has_one_list,
            "Regions" => !has_one_region_list,
            "Type" => self.results.len() != 1,
            _ => false,
        };
        let operands = self.operands.iter().map(|it| it.name);
        let results = self.results.iter().map(|it| it.name);
        let regions = self.regions.iter().map(|it| it.name);
        let successors = self.successors.iter().map(|it| it.name);
        let mut names = operands.chain(results).chain(regions).chain(successors);
        match names.find(|name| is_taken(&cpp_name::camel_case(name, true))) {
            Some(name) => Err(self.error(format!(
                "generated accessor for `{name}` overlaps with a default one; please rename to avoid overlap"
            ))),
            None => Ok(()),
        }
    }

    fn read_successor(&mut self, rec: Rec<'r>, name: &'r str, is_last: bool) -> Result<(), Diagnostic> {
        let successor = NamedSuccessor { name, rec };
        self.successors.push(successor);
        if successor.is_variadic() && !is_last {
            return Err(self.error("only the last successor can be variadic"));
        }
        Ok(())
    }

    fn read_region(&mut self, rec: Rec<'r>, name: &'r str, is_last: bool) -> Result<(), Diagnostic> {
        let region = NamedRegion { name, rec };
        self.regions.push(region);
        if region.is_variadic() && !is_last {
            return Err(self.error("only the last region can be variadic"));
        }
        if region.is_variadic() && name.is_empty() {
            return Err(self.error("variadic regions must be named"));
        }
        Ok(())
    }

    fn read_traits(&mut self) {
        self.add_traits(self.rec.defs(name!("traits")));
        self.declared_traits = self.traits.len();
    }

    /// Adds a trait once, after the traits it depends on. A list adds its members; an interface first adds its bases.
    fn add_trait(&mut self, rec: Rec<'r>) {
        if rec.is_subclass_of(fields::TRAIT_LIST.of(rec.records().rules())) {
            return self.add_traits(rec.defs(name!("traits")));
        }
        if self.traits.iter().any(|seen| seen.rec() == rec) {
            return;
        }
        let has_bases = rec.records().rules().has(Change::InterfaceBases);
        if has_bases && rec.is_subclass_of(name!("Interface")) {
            self.add_traits(rec.defs(name!("baseInterfaces")));
        }
        let has_needed = self.has_needed(rec);
        self.mistake.keep(has_needed);
        self.traits.push(Trait::new(rec));
    }

    fn add_traits(&mut self, recs: Result<Vec<Rec<'r>>, Diagnostic>) {
        self.mistake.keep(recs).into_iter().for_each(|rec| self.add_trait(rec));
    }

    fn has_needed(&self, rec: Rec<'r>) -> Result<(), Diagnostic> {
        if !rec.records().rules().has(Change::TraitDependencies) {
            return Ok(());
        }
        for needed in rec.list(name!("dependentTraits"))?.map(Val::as_def) {
            if self.traits.iter().all(|seen| Some(seen.rec()) != needed) {
                let name = rec.string(name!("trait"))?;
                let needed = needed.map_or(Ok("?"), |needed| needed.string(name!("trait")))?;
                return Err(self.error(format!("{name} requires {needed} to precede it in traits list")));
            }
        }
        Ok(())
    }

    /// Infers the result types. If all are found, the operation gets the interface for it, provided that the library's
    /// file with the interface was included.
    fn infer_result_types(&mut self) {
        let arguments: Vec<&'r str> =
            self.arguments.iter().map(|&argument| self.argument_name(argument)).collect();
        let (result_types, is_complete) = match self.rules().has(Change::InferenceByTransformers) {
            true => infer::infer(&self.operands, &self.results, &arguments, &self.traits),
            false => {
                let attributes = self.natural_attributes().iter().map(|named| named.name).collect::<Vec<_>>();
                let first = arguments.first().copied();
                legacy_infer::infer(&self.operands, &self.results, (&attributes, first), &self.traits)
            }
        };
        self.result_types = result_types;
        let interface = self.inference_interface();
        if interface.is_some() && !self.results.is_empty() {
            // The interface is looked up by its name.
            let mut traits = self.traits.iter();
            let named = traits.try_for_each(|one| one.check_name().and_then(|()| one.check_namespace()));
            self.mistake.keep(named);
        }
        let has_interface = self.has_trait("::mlir::InferTypeOpInterface::Trait");
        self.all_result_types_known = has_interface || is_complete && interface.is_some();
        if let Some(interface) = interface.filter(|_| is_complete && !has_interface) {
            self.traits.push(interface.as_trait());
        }
    }

    /// Returns the name of an argument; empty if it has none.
    #[must_use]
    pub fn argument_name(&self, argument: Argument) -> &'r str {
        match argument {
            Argument::Operand(index) => self.operands[index].name,
            Argument::Attribute(index) => self.attributes[index].name,
            Argument::Property(index) => self.properties[index].name,
        }
    }

    identity!();

    checks! {
        check_mnemonic: string "opName";
        check_skipped_builders: bit "skipDefaultBuilders";
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(&self) -> Rec<'r> {
        self.rec
    }

    reads! {
        &self;
        /// Returns the one-line summary, which may be empty.
        summary: text name!("summary");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
        /// Returns whether the operation has only custom builders.
        skips_default_builders: bit name!("skipDefaultBuilders");
        /// Returns the declarative assembly format as written; nothing if it is unset.
        assembly_format: option name!("assemblyFormat");
        /// Returns whether parser and printer are written in C++.
        has_custom_assembly_format: bit name!("hasCustomAssemblyFormat");
        /// Returns whether the author writes how properties are printed in `prop-dict`.
        has_custom_properties_printer: bit "hasCustomPropertiesPrinter";
        /// Returns whether the operation has a folder.
        has_folder: bit name!("hasFolder");
        /// Returns whether the author writes all patterns for the canonicalizer.
        has_canonicalization_patterns: bit name!("hasCanonicalizer");
        /// Returns whether the author writes `canonicalize`, the only pattern for the canonicalizer.
        has_canonicalize_method: bit name!("hasCanonicalizeMethod");
        /// Returns whether the author writes how properties are stored in bytecode.
        has_custom_properties_encoding: bit name!("useCustomPropertiesEncoding");
        /// Returns the C++ of the parser, which early releases have in a field.
        parser_code: option "parser";
        /// Returns the C++ of the printer, which early releases have in a field.
        printer_code: option name!("printer");
        /// Returns the author's C++ for the body of the class.
        extra_class_declaration: text name!("extraClassDeclaration");
        /// Returns the author's C++ for the source file.
        extra_class_definition: text name!("extraClassDefinition");
    }

    /// Returns the records that the operation belongs to.
    #[must_use]
    pub fn records(&self) -> &'r Records {
        self.rec.records()
    }

    /// Returns the interface of inference, if the library's file with it was included.
    #[must_use]
    pub fn inference_interface(&self) -> Option<Interface<'r>> {
        self.rec.records().def("InferTypeOpInterface").map(Interface::new)
    }

    /// Returns its dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect<'r> {
        self.dialect
    }

    /// Returns the name inside the dialect: `addf`.
    #[must_use]
    pub fn mnemonic(&self) -> &'r str {
        self.mnemonic
    }

    /// Returns the full name: `arith.addf`.
    #[must_use]
    pub fn name(&self) -> String {
        full_name(self.dialect.name(), self.mnemonic)
    }

    /// Returns the C++ class: `AddFOp`.
    #[must_use]
    pub fn cpp_class_name(&self) -> &'r str {
        cpp_name::class_name(self.rec.name())
    }

    /// Returns the C++ namespace as written: `::mlir::arith`.
    #[must_use]
    pub fn cpp_namespace(&self) -> &'r str {
        self.cpp_namespace
    }

    /// Returns the class with its namespace: `::mlir::arith::AddFOp`.
    #[must_use]
    pub fn qualified_cpp_class_name(&self) -> String {
        cpp_name::qualified(self.cpp_namespace, self.cpp_class_name())
    }

    /// Returns the group that documentation shows the operation in.
    #[must_use]
    pub fn doc_group(&self) -> Option<OpDocGroup<'r>> {
        let has_groups = self.rules().has(Change::DocumentGroups);
        let group = has_groups.then(|| self.rec.get(name!("opDocGroup")))?;
        group.and_then(Val::as_def).map(OpDocGroup)
    }

    /// Returns operands, attributes and properties in the order of `arguments`.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Returns all parts: arguments in their order, derived attributes, results, regions, successors.
    pub fn parts(&self) -> impl Iterator<Item = Part<'r>> {
        let part =
            |kind, name, rec, decoration| Part { kind, name, constraint: Constraint::new(rec), decoration };
        let attribute =
            move |kind, it: &NamedAttribute<'r>| part(kind, it.name, it.attribute.rec(), it.decoration);
        let arguments = self.arguments.iter().map(move |argument| match *argument {
            Argument::Operand(index) => {
                let it = &self.operands[index];
                part(PartKind::Operand, it.name, it.constraint.rec(), it.decoration)
            }
            Argument::Attribute(index) => attribute(PartKind::Attribute, &self.attributes[index]),
            Argument::Property(index) => {
                let it = &self.properties[index];
                part(PartKind::Property, it.name, it.property.rec(), it.decoration)
            }
        });
        let derived = self.derived_attributes().iter();
        let results = self.results.iter();
        let regions = self.regions.iter();
        let successors = self.successors.iter();
        arguments
            .chain(derived.map(move |it| attribute(PartKind::DerivedAttribute, it)))
            .chain(results.map(move |it| part(PartKind::Result, it.name, it.constraint.rec(), it.decoration)))
            .chain(regions.map(move |it| part(PartKind::Region, it.name, it.rec, Decoration::default())))
            .chain(
                successors.map(move |it| part(PartKind::Successor, it.name, it.rec, Decoration::default())),
            )
    }

    /// Returns the operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand<'r>] {
        &self.operands
    }

    /// Returns the results.
    #[must_use]
    pub fn results(&self) -> &[OpResult<'r>] {
        &self.results
    }

    /// Returns all attributes: the natural ones in the order of `arguments`, then the derived ones.
    #[must_use]
    pub fn attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes
    }

    /// Returns the attributes that are stored.
    #[must_use]
    pub fn natural_attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes[..self.natural_attributes]
    }

    /// Returns the attributes that are computed.
    #[must_use]
    pub fn derived_attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes[self.natural_attributes..]
    }

    /// Returns the properties.
    #[must_use]
    pub fn properties(&self) -> &[NamedProperty<'r>] {
        &self.properties
    }

    /// Returns the regions.
    #[must_use]
    pub fn regions(&self) -> &[NamedRegion<'r>] {
        &self.regions
    }

    /// Returns the successors.
    #[must_use]
    pub fn successors(&self) -> &[NamedSuccessor<'r>] {
        &self.successors
    }

    /// Returns the traits in order, each once and with lists flattened; then `InferTypeOpInterface` if it follows from
    /// the others.
    #[must_use]
    pub fn traits(&self) -> &[Trait<'r>] {
        &self.traits
    }

    /// Returns the trait of this qualified C++ name.
    #[must_use]
    pub fn find_trait(&self, qualified_name: &str) -> Option<Trait<'r>> {
        self.traits.iter().copied().find(|t| t.is_named(qualified_name))
    }

    /// Returns whether the operation has the trait of this qualified C++ name.
    #[must_use]
    pub fn has_trait(&self, qualified_name: &str) -> bool {
        self.find_trait(qualified_name).is_some()
    }

    /// Returns whether a record of this name is among the traits that the record itself names.
    #[must_use]
    pub fn names_trait_record(&self, name: &str) -> bool {
        self.traits[..self.declared_traits].iter().any(|t| t.rec().name() == name)
    }

    /// Returns whether the record itself names the trait of this qualified C++ name.
    #[must_use]
    pub fn declares_trait(&self, qualified_name: &str) -> bool {
        self.traits[..self.declared_traits].iter().any(|t| t.is_named(qualified_name))
    }

    /// Returns the interfaces among the traits, without records that only name a trait (effects with fixed lists).
    pub fn interfaces(&self) -> impl Iterator<Item = Interface<'r>> {
        let interfaces = self.traits.iter().filter(|t| t.kind() == TraitKind::Interface);
        interfaces.map(|t| t.rec()).filter(|rec| rec.is_subclass_of(name!("Interface"))).map(Interface::new)
    }

    /// Returns whether the user defines `inferReturnTypes` even if all types can be inferred: the traits contain the
    /// interface itself, not the declaration of its methods.
    #[must_use]
    pub fn brings_inference(&self) -> bool {
        self.names_trait_record("InferTypeOpInterface")
            && !self.has_trait("::mlir::OpTrait::SameOperandsAndResultType")
    }

    /// Returns the custom builders.
    #[must_use]
    pub fn builders(&self) -> &[Builder<'r>] {
        &self.builders
    }

    /// Returns the constraints on operands and results, in this order.
    pub fn type_constraints(&self) -> impl Iterator<Item = Constraint<'r>> {
        let operands = self.operands.iter().map(|operand| operand.constraint);
        let results = self.results.iter().map(|result| result.constraint);
        operands.chain(results).map(TypeConstraint::constraint)
    }

    /// Returns the constraints on attributes that are stored.
    pub fn attribute_constraints(&self) -> impl Iterator<Item = Constraint<'r>> {
        self.natural_attributes().iter().map(|named| named.attribute.constraint())
    }

    /// Returns the constraints on successors.
    pub fn successor_constraints(&self) -> impl Iterator<Item = Constraint<'r>> {
        self.successors.iter().map(|named| named.constraint())
    }

    /// Returns the constraints on regions.
    pub fn region_constraints(&self) -> impl Iterator<Item = Constraint<'r>> {
        self.regions.iter().map(|named| named.constraint())
    }

    /// Returns the source of each result's type.
    #[must_use]
    pub fn result_types(&self) -> &[Inference<'r>] {
        &self.result_types
    }

    /// Returns whether the operation can be built without any result type.
    #[must_use]
    pub fn all_result_types_known(&self) -> bool {
        self.all_result_types_known
    }

    /// Returns whether the operation has patterns for the canonicalizer.
    #[must_use]
    pub fn has_canonicalizer(&self) -> bool {
        self.has_canonicalization_patterns() || self.has_canonicalize_method()
    }

    /// Returns whether the operation has a verifier, and whether it has one of its regions.
    #[must_use]
    pub fn has_verifiers(&self) -> (bool, bool) {
        (self.rec.is_set(name!("hasVerifier")), self.rec.is_set(name!("hasRegionVerifier")))
    }

    /// Returns the names of the bits that are set, of those that request parts of the class.
    pub fn hooks(&self) -> impl Iterator<Item = &'static str> + use<'r> {
        set_bits(self.rec, HOOKS)
    }

    /// Returns the C++ at the end of the verifier, which early releases have in a field; nothing if it is empty.
    #[must_use]
    pub fn verifier_code(&self) -> Option<&'r str> {
        self.rec.optional_string("verifier").filter(|code| !code.is_empty())
    }

    /// Checks that C++ for the class is text if it is set.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn check_extra_code(&self) -> Result<(), Diagnostic> {
        let fields = [name!("extraClassDeclaration"), name!("extraClassDefinition")];
        let count = if self.rules().has(Change::SpacedMembers) { 2 } else { 1 };
        fields.into_iter().take(count).try_for_each(|field| match self.rec.value(field)?.is_unset() {
            true => Ok(()),
            false => self.rec.string(field).map(drop),
        })
    }

    /// Checks the field of [`Operation::has_custom_properties_encoding`], if there is one.
    ///
    /// # Errors
    /// The field is not a bit.
    pub fn check_properties_encoding(&self) -> Result<(), Diagnostic> {
        let field = name!("useCustomPropertiesEncoding");
        self.rec.get(field).map_or(Ok(()), |_| self.rec.bit(field).map(drop))
    }

    /// Checks the field of [`Operation::has_custom_properties_printer`].
    ///
    /// # Errors
    /// The field is missing or not a bit.
    pub fn check_properties_printer(&self) -> Result<(), Diagnostic> {
        self.rec.bit("hasCustomPropertiesPrinter").map(drop)
    }

    /// Checks the fields that request parser and printer.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn check_assembly_hooks(&self) -> Result<(), Diagnostic> {
        self.check_hooks(&["parser", "printer"], &["hasCustomAssemblyFormat"])
    }

    /// Checks the fields that request verifiers.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn check_verifier_hooks(&self) -> Result<(), Diagnostic> {
        self.check_hooks(&["verifier"], &["hasVerifier", "hasRegionVerifier"])
    }

    /// Checks the fields that request canonicalizer and folder.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn check_rewrite_hooks(&self) -> Result<(), Diagnostic> {
        self.check_bits(&["hasCanonicalizeMethod", "hasCanonicalizer", "hasFolder"])
    }

    /// Checks hooks that the author may write: code in early releases, later flags that request a declaration.
    fn check_hooks(&self, code: &[&str], flags: &[&str]) -> Result<(), Diagnostic> {
        match self.rules().has(Change::HooksAsFlags) {
            true => self.check_bits(flags),
            false => code.iter().try_for_each(|hook| self.rec.value(*hook).map(drop)),
        }
    }

    fn check_bits(&self, fields: &[&str]) -> Result<(), Diagnostic> {
        fields.iter().try_for_each(|field| self.rec.bit(*field).map(drop))
    }

    /// Returns the operands of variable length.
    pub fn variable_length_operands(&self) -> impl Iterator<Item = &Operand<'r>> {
        self.operands.iter().filter(|operand| operand.constraint.is_variable_length())
    }

    /// Returns the results of variable length.
    pub fn variable_length_results(&self) -> impl Iterator<Item = &OpResult<'r>> {
        self.results.iter().filter(|result| result.constraint.is_variable_length())
    }
}

pub(super) fn full_name(dialect: &str, mnemonic: &str) -> String {
    match dialect {
        "" => mnemonic.to_owned(),
        dialect => [dialect, ".", mnemonic].concat(),
    }
}

/// A group of operations in documentation: class `OpDocGroup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpDocGroup<'r>(Rec<'r>);

impl<'r> OpDocGroup<'r> {
    identity!();

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the heading.
        summary: text name!("summary");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
    }

    /// Returns all groups, in natural order of their record names.
    pub fn all(records: &'r Records) -> impl Iterator<Item = OpDocGroup<'r>> {
        records.derived("OpDocGroup").map(OpDocGroup)
    }

    /// Checks the field for the group of an operation.
    ///
    /// # Errors
    /// The record of the operation has no such field, or it is no definition.
    pub fn check_choice(op: Rec<'r>) -> Result<(), Diagnostic> {
        op.def_or_unset(name!("opDocGroup")).map(drop)
    }
}
