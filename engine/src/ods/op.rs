//! Operations: class `Op`.

use super::{
    Argument, Attribute, Builder, Dialect, Interface, NamedAttribute, NamedProperty, NamedRegion,
    NamedSuccessor, OpResult, Operand, Property, Trait, TraitKind, TypeConstraint,
    argument::Decoration,
    builder, cpp_name,
    infer::{self, Inference},
};
use crate::{
    diagnostic::Diagnostic,
    record::{Dag, Name, Rec, Val, name},
};

/// An operation, with everything it is made of.
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
}

impl<'r> Operation<'r> {
    /// Reads and checks a record of class `Op`.
    ///
    /// # Errors
    /// The first rule of the manual that the record breaks.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let dialect = Dialect::new(rec.def(name!("opDialect"))?);
        dialect.check()?;
        let cpp_namespace = rec.string(name!("cppNamespace"))?;
        let mut op = Operation {
            rec,
            dialect,
            mnemonic: "",
            cpp_namespace,
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
        };
        op.read_arguments()?;
        op.read_derived_attributes()?;
        op.read_results()?;
        op.read_successors()?;
        op.read_traits()?;
        op.read_regions()?;
        op.builders = builder::builders(rec)?;
        if rec.bit(name!("skipDefaultBuilders"))? && op.builders.is_empty() {
            return Err(op.error("default builders are skipped and no custom builders provided"));
        }
        op.check_accessors()?;
        op.check_names()?;
        op.infer_result_types();
        op.mnemonic = rec.string(name!("opName"))?;
        dialect.check_name()?;
        Ok(op)
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.rec.span(), message)
    }

    /// The dag of a field, which must be led by `marker`.
    fn led_by(&self, field: impl Name, marker: &str) -> Result<Dag<'r>, Diagnostic> {
        let dag = self.rec.dag(field)?;
        if dag.operator_def().is_none_or(|operator| operator.name() != marker) {
            return Err(self.error(format!("'{}' must have '{marker}' directive", field.text())));
        }
        Ok(dag)
    }

    fn read_arguments(&mut self) -> Result<(), Diagnostic> {
        for (index, (value, name)) in self.rec.dag(name!("arguments"))?.args().enumerate() {
            let Some(rec) = value.as_def() else {
                return Err(self.error(format!("undefined type for argument #{index}")));
            };
            let (decoration, constraint) = Decoration::split(rec)?;
            let name = name.unwrap_or_default();
            if constraint.is_subclass_of(name!("TypeConstraint")) {
                self.arguments.push(Argument::Operand(self.operands.len()));
                let constraint = TypeConstraint::new(constraint);
                self.operands.push(Operand { name, constraint, decoration });
            } else if constraint.is_subclass_of(name!("Attr")) {
                if name.is_empty() {
                    return Err(constraint.error("attributes must be named"));
                }
                if constraint.is_subclass_of(name!("DerivedAttr")) {
                    let message = "derived attributes not allowed in argument list";
                    return Err(constraint.error(message));
                }
                self.arguments.push(Argument::Attribute(self.attributes.len()));
                let attribute = Attribute::new(constraint);
                self.attributes.push(NamedAttribute { name, attribute, decoration });
            } else if constraint.is_subclass_of(name!("Property")) {
                if name.is_empty() {
                    return Err(constraint.error("properties must be named"));
                }
                self.arguments.push(Argument::Property(self.properties.len()));
                let property = Property::new(constraint);
                property.check()?;
                self.properties.push(NamedProperty { name, property, decoration });
            } else {
                return Err(self.error(
                    "unexpected def type; only defs deriving from TypeConstraint or Attr or Property are allowed",
                ));
            }
        }
        self.natural_attributes = self.attributes.len();
        Ok(())
    }

    fn read_derived_attributes(&mut self) -> Result<(), Diagnostic> {
        for (name, field) in self.rec.declarations() {
            let Some(class) = self.rec.class_of(field.ty) else { continue };
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

    fn read_results(&mut self) -> Result<(), Diagnostic> {
        for (index, (value, name)) in self.led_by("results", "outs")?.args().enumerate() {
            let Some(rec) = value.as_def() else {
                return Err(self.error(format!("undefined type for result #{index}")));
            };
            let (decoration, constraint) = Decoration::split(rec)?;
            let constraint = TypeConstraint::new(constraint);
            if constraint.segment_attribute().is_some() {
                return Err(self.error("'VariadicOfVariadic' results are currently not supported"));
            }
            self.results.push(OpResult { name: name.unwrap_or_default(), constraint, decoration });
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), Diagnostic> {
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

    /// Whether the getters of operands, results, regions and successors leave those of every operation alone. Where a
    /// list of all operands or regions is a single group, or there is a single result, they mean the same.
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

    fn read_successors(&mut self) -> Result<(), Diagnostic> {
        let dag = self.led_by("successors", "successor")?;
        for (index, (value, name)) in dag.args().enumerate() {
            let Some(rec) = value.as_def() else {
                return Err(self.error(format!("undefined kind for successor #{index}")));
            };
            let successor = NamedSuccessor { name: name.unwrap_or_default(), rec };
            if successor.is_variadic() && index + 1 != dag.len() {
                return Err(self.error("only the last successor can be variadic"));
            }
            self.successors.push(successor);
        }
        Ok(())
    }

    fn read_regions(&mut self) -> Result<(), Diagnostic> {
        let dag = self.led_by("regions", "region")?;
        for (index, (value, name)) in dag.args().enumerate() {
            let Some(rec) = value.as_def() else {
                return Err(self.error(format!("undefined kind for region #{index}")));
            };
            let region = NamedRegion { name: name.unwrap_or_default(), rec };
            if region.is_variadic() && index + 1 != dag.len() {
                return Err(self.error("only the last region can be variadic"));
            }
            if region.is_variadic() && region.name.is_empty() {
                return Err(self.error("variadic regions must be named"));
            }
            self.regions.push(region);
        }
        Ok(())
    }

    fn read_traits(&mut self) -> Result<(), Diagnostic> {
        let traits = self.rec.defs(name!("traits"))?;
        traits.into_iter().try_for_each(|rec| self.add_trait(rec))?;
        self.declared_traits = self.traits.len();
        Ok(())
    }

    /// Adds a trait: for a list those in it, for an interface first those that it derives from. Each is added once
    /// and must stand behind those it depends on.
    fn add_trait(&mut self, rec: Rec<'r>) -> Result<(), Diagnostic> {
        if rec.is_subclass_of(name!("TraitList")) {
            return rec.defs(name!("traits"))?.into_iter().try_for_each(|rec| self.add_trait(rec));
        }
        if self.traits.iter().any(|seen| seen.rec() == rec) {
            return Ok(());
        }
        if rec.is_subclass_of(name!("Interface")) {
            rec.defs(name!("baseInterfaces"))?.into_iter().try_for_each(|base| self.add_trait(base))?;
        }
        for needed in rec.defs(name!("dependentTraits"))? {
            if self.traits.iter().all(|seen| seen.rec() != needed) {
                let (name, needed) = (rec.string(name!("trait"))?, needed.string(name!("trait"))?);
                return Err(self.error(format!("{name} requires {needed} to precede it in traits list")));
            }
        }
        self.traits.push(Trait::checked(rec)?);
        Ok(())
    }

    /// Finds out which result types follow; if all do, the operation has the interface for it, provided that
    /// the library's file with the interface was included.
    fn infer_result_types(&mut self) {
        let arguments: Vec<&'r str> =
            self.arguments.iter().map(|&argument| self.argument_name(argument)).collect();
        let (result_types, is_complete) =
            infer::infer(&self.operands, &self.results, &arguments, &self.traits);
        self.result_types = result_types;
        let Some(interface) = self.rec.records().def("InferTypeOpInterface") else { return };
        self.all_result_types_known = is_complete || self.has_trait("::mlir::InferTypeOpInterface::Trait");
        if is_complete && !self.has_trait("::mlir::InferTypeOpInterface::Trait") {
            self.traits.push(Trait::new(interface));
        }
    }

    /// The name of an argument; empty if it has none.
    #[must_use]
    pub fn argument_name(&self, argument: Argument) -> &'r str {
        match argument {
            Argument::Operand(index) => self.operands[index].name,
            Argument::Attribute(index) => self.attributes[index].name,
            Argument::Property(index) => self.properties[index].name,
        }
    }

    /// The record.
    #[must_use]
    pub fn rec(&self) -> Rec<'r> {
        self.rec
    }

    /// Its dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect<'r> {
        self.dialect
    }

    /// The name inside the dialect: `addf`.
    #[must_use]
    pub fn mnemonic(&self) -> &'r str {
        self.mnemonic
    }

    /// The full name: `arith.addf`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.dialect.name() {
            "" => self.mnemonic.to_owned(),
            dialect => [dialect, ".", self.mnemonic].concat(),
        }
    }

    /// The C++ class: `AddFOp`.
    #[must_use]
    pub fn cpp_class_name(&self) -> &'r str {
        cpp_name::class_name(self.rec.name())
    }

    /// The C++ namespace as written: `::mlir::arith`.
    #[must_use]
    pub fn cpp_namespace(&self) -> &'r str {
        self.cpp_namespace
    }

    /// Class and namespace: `::mlir::arith::AddFOp`.
    #[must_use]
    pub fn qualified_cpp_class_name(&self) -> String {
        cpp_name::qualified(self.cpp_namespace, self.cpp_class_name())
    }

    fn text(&self, field: impl Name) -> &'r str {
        self.rec.optional_string(field).unwrap_or_default()
    }

    /// One line; may be empty.
    #[must_use]
    pub fn summary(&self) -> &'r str {
        self.text(name!("summary"))
    }

    /// Markdown; may be empty.
    #[must_use]
    pub fn description(&self) -> &'r str {
        self.text(name!("description"))
    }

    /// The group that documentation shows it in.
    #[must_use]
    pub fn doc_group(&self) -> Option<OpDocGroup<'r>> {
        self.rec.get(name!("opDocGroup")).and_then(Val::as_def).map(OpDocGroup)
    }

    /// Operands, attributes and properties in the order of `arguments`.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand<'r>] {
        &self.operands
    }

    /// Results.
    #[must_use]
    pub fn results(&self) -> &[OpResult<'r>] {
        &self.results
    }

    /// All attributes: the natural ones in the order of `arguments`, then the derived ones.
    #[must_use]
    pub fn attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes
    }

    /// Attributes that are stored.
    #[must_use]
    pub fn natural_attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes[..self.natural_attributes]
    }

    /// Attributes that are worked out.
    #[must_use]
    pub fn derived_attributes(&self) -> &[NamedAttribute<'r>] {
        &self.attributes[self.natural_attributes..]
    }

    /// Properties.
    #[must_use]
    pub fn properties(&self) -> &[NamedProperty<'r>] {
        &self.properties
    }

    /// Regions.
    #[must_use]
    pub fn regions(&self) -> &[NamedRegion<'r>] {
        &self.regions
    }

    /// Successors.
    #[must_use]
    pub fn successors(&self) -> &[NamedSuccessor<'r>] {
        &self.successors
    }

    /// Traits, lists flattened, each once, in order; then `InferTypeOpInterface` if it follows from the others.
    #[must_use]
    pub fn traits(&self) -> &[Trait<'r>] {
        &self.traits
    }

    /// The trait of this qualified C++ name.
    #[must_use]
    pub fn find_trait(&self, qualified_name: &str) -> Option<Trait<'r>> {
        self.traits.iter().copied().find(|t| t.is_named(qualified_name))
    }

    /// Whether it has the trait of this qualified C++ name.
    #[must_use]
    pub fn has_trait(&self, qualified_name: &str) -> bool {
        self.find_trait(qualified_name).is_some()
    }

    /// Whether a record of this name is among the traits that the record itself names.
    #[must_use]
    pub fn names_trait_record(&self, name: &str) -> bool {
        self.traits[..self.declared_traits].iter().any(|t| t.rec().name() == name)
    }

    /// Whether the record itself names the trait of this qualified C++ name.
    #[must_use]
    pub fn declares_trait(&self, qualified_name: &str) -> bool {
        self.traits[..self.declared_traits].iter().any(|t| t.is_named(qualified_name))
    }

    /// The interfaces among the traits; those that only name a trait (effects with fixed lists) are not among them.
    pub fn interfaces(&self) -> impl Iterator<Item = Interface<'r>> {
        let interfaces = self.traits.iter().filter(|t| t.kind() == TraitKind::Interface);
        interfaces.map(|t| t.rec()).filter(|rec| rec.is_subclass_of(name!("Interface"))).map(Interface::new)
    }

    /// Whether `inferReturnTypes` is the user's even where all types follow: the interface itself is among the traits, not
    /// the declaration of its methods.
    #[must_use]
    pub fn brings_inference(&self) -> bool {
        self.names_trait_record("InferTypeOpInterface")
            && !self.has_trait("::mlir::OpTrait::SameOperandsAndResultType")
    }

    /// Custom builders.
    #[must_use]
    pub fn builders(&self) -> &[Builder<'r>] {
        &self.builders
    }

    /// Whether only custom builders are wanted.
    #[must_use]
    pub fn skips_default_builders(&self) -> bool {
        self.rec.is_set(name!("skipDefaultBuilders"))
    }

    /// Where the type of each result comes from.
    #[must_use]
    pub fn result_types(&self) -> &[Inference<'r>] {
        &self.result_types
    }

    /// Whether no result type need be given to build it.
    #[must_use]
    pub fn all_result_types_known(&self) -> bool {
        self.all_result_types_known
    }

    /// The declarative assembly format as written; nothing if it is unset.
    #[must_use]
    pub fn assembly_format(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("assemblyFormat"))
    }

    /// Whether parser and printer are written in C++.
    #[must_use]
    pub fn has_custom_assembly_format(&self) -> bool {
        self.rec.is_set(name!("hasCustomAssemblyFormat"))
    }

    /// Whether one of the `bit` fields is set: `hasVerifier`, `hasFolder`, `hasCanonicalizer`, ….
    #[must_use]
    pub fn is_set(&self, field: impl Name) -> bool {
        self.rec.is_set(field)
    }

    /// C++ for the class's body.
    #[must_use]
    pub fn extra_class_declaration(&self) -> &'r str {
        self.text(name!("extraClassDeclaration"))
    }

    /// C++ for the source file.
    #[must_use]
    pub fn extra_class_definition(&self) -> &'r str {
        self.text(name!("extraClassDefinition"))
    }

    /// Operands that may be other than one.
    pub fn variable_length_operands(&self) -> impl Iterator<Item = &Operand<'r>> {
        self.operands.iter().filter(|operand| operand.constraint.is_variable_length())
    }

    /// Results that may be other than one.
    pub fn variable_length_results(&self) -> impl Iterator<Item = &OpResult<'r>> {
        self.results.iter().filter(|result| result.constraint.is_variable_length())
    }
}

/// A group of operations in documentation: class `OpDocGroup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpDocGroup<'r>(Rec<'r>);

impl<'r> OpDocGroup<'r> {
    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// Its heading.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.0.optional_string(name!("summary")).unwrap_or_default()
    }

    /// Markdown; may be empty.
    #[must_use]
    pub fn description(self) -> &'r str {
        self.0.optional_string(name!("description")).unwrap_or_default()
    }
}
