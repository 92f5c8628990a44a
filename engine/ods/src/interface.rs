//! Interfaces: class `Interface`, of operations, attributes, types and dialects.

use super::{Trait, cpp_name, definition::defs};
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Name, Rec, RecordId, Val, name},
};
use rustc_hash::FxBuildHasher;
use std::collections::{HashMap, HashSet};

/// The kind of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterfaceKind {
    /// `OpInterface`.
    Operation,
    /// `AttrInterface`.
    Attribute,
    /// `TypeInterface`.
    Type,
    /// `DialectInterface`.
    Dialect,
    /// Something else.
    Other,
}

/// Maximum number of bases of an interface.
pub const MAX_BASES: usize = 100_000;

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interface<'r>(Rec<'r>);

impl<'r> Interface<'r> {
    /// Wraps a record of class `Interface`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        Interface(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the C++ namespace.
        cpp_namespace: text name!("cppNamespace");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
        /// Returns whether a class with the interface must declare its methods (`Declare…InterfaceMethods`).
        declares_methods: class name!("DeclareInterfaceMethods");
        /// Returns C++ for the interface's own class.
        extra_class_declaration: text name!("extraClassDeclaration");
        /// Returns C++ for the interface's class and for each class with the interface.
        extra_shared_class_declaration: text "extraSharedClassDeclaration";
        /// Returns C++ for each class with the interface.
        extra_trait_class_declaration: text "extraTraitClassDeclaration";
        /// Returns C++ for the condition under which a value has the interface.
        extra_class_of: text "extraClassOf";
        /// Returns C++ that verifies an operation with the interface.
        verifier: text "verify";
        /// Returns whether the verifier runs after the operations in the regions are verified.
        verifies_after_regions: bit "verifyWithRegions";
    }

    identity!();

    checks! {
        check_overridden_methods: strings "alwaysOverriddenMethods";
        check_verifier_order: bit "verifyWithRegions";
    }

    /// Returns the interface as a trait.
    #[must_use]
    pub fn as_trait(self) -> Trait<'r> {
        Trait::new(self.0)
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(self) -> InterfaceKind {
        let kinds = [
            ("OpInterface", InterfaceKind::Operation),
            ("AttrInterface", InterfaceKind::Attribute),
            ("TypeInterface", InterfaceKind::Type),
            ("DialectInterface", InterfaceKind::Dialect),
        ];
        let found = kinds.into_iter().find(|(class, _)| self.0.is_subclass_of(class));
        found.map_or(InterfaceKind::Other, |(_, kind)| kind)
    }

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default()
    }

    /// Returns the C++ class: `CallOpInterface`.
    #[must_use]
    pub fn name(self) -> &'r str {
        match self.rules().has(Change::InterfaceNames) {
            true => self.text(name!("cppInterfaceName")),
            false => self.text(name!("cppClassName")),
        }
    }

    /// Returns the class with its namespace.
    #[must_use]
    pub fn qualified_name(self) -> String {
        cpp_name::qualified(self.cpp_namespace(), self.name())
    }

    /// Returns the methods, in order.
    #[must_use]
    pub fn methods(self) -> Vec<Method<'r>> {
        defs(self.0, name!("methods")).map(Method).collect()
    }

    /// Checks that the interface has a list of bases, if the release has such a field, and that these fields are texts.
    ///
    /// # Errors
    /// A field is missing, unset or not a text.
    pub fn check(self, texts: &[&'static str]) -> Result<(), Diagnostic> {
        if self.may_have_bases() {
            self.0.value(name!("baseInterfaces"))?;
        }
        let rules = self.rules();
        for text in texts {
            match *text {
                "cppInterfaceName" if !rules.has(Change::InterfaceNames) => {
                    self.0.string(name!("cppClassName")).map(drop)?;
                }
                "extraSharedClassDeclaration" if !rules.has(Change::SharedInterfaceCode) => {}
                text => self.0.string(text).map(drop)?,
            }
        }
        Ok(())
    }

    /// Checks that these fields of the methods are texts, and so are the types of their arguments.
    ///
    /// # Errors
    /// A field is missing, unset or not a text.
    pub fn check_methods(self, texts: &[&'static str]) -> Result<(), Diagnostic> {
        for method in self.methods() {
            texts.iter().try_for_each(|text| method.0.string(*text).map(drop))?;
            method.check_types()?;
        }
        Ok(())
    }

    /// Checks that the bodies of the methods that have a value are texts.
    ///
    /// # Errors
    /// A body is missing, unset or not a text.
    pub fn check_bodies(self) -> Result<(), Diagnostic> {
        let mut methods = self.methods().into_iter().filter(|method| !method.is_static());
        methods.try_for_each(|method| method.0.string(name!("body")).map(drop))
    }

    /// Checks the fields of the methods that are read first.
    ///
    /// # Errors
    /// The arguments of a method are unset or, since release 22, its name.
    pub fn check_signatures(self) -> Result<(), Diagnostic> {
        self.methods().into_iter().try_for_each(Method::check_signature)
    }

    /// Returns the interfaces that it directly derives from.
    #[must_use]
    pub fn base_interfaces(self) -> Vec<Interface<'r>> {
        let has_bases = self.may_have_bases();
        defs(self.0, name!("baseInterfaces")).map(Interface).filter(|_| has_bases).collect()
    }

    fn may_have_bases(self) -> bool {
        self.rules().has(Change::InterfaceBases)
    }

    /// Returns all interfaces that it derives from, bases first; since release 18 each once.
    ///
    /// # Errors
    /// There are more than [`MAX_BASES`]. Before release 18 their number can double with each step of a chain.
    pub fn all_bases(self) -> Result<Vec<Interface<'r>>, Diagnostic> {
        let mut bases = self.bases_once();
        if !self.rules().has(Change::BasesOnce) {
            bases = self.repeated_bases(&bases)?;
        }
        if bases.len() > MAX_BASES {
            return Err(self.too_many_bases());
        }
        Ok(bases)
    }

    /// Returns the interfaces that it derives from, each once and bases first, in any release.
    #[must_use]
    pub fn bases_once(self) -> Vec<Interface<'r>> {
        let mut found = Vec::new();
        // The stack of interfaces being visited, each with its remaining bases.
        let mut open = vec![(self, self.base_interfaces().into_iter())];
        let mut seen: HashSet<RecordId, FxBuildHasher> = HashSet::default();
        while let Some((interface, left)) = open.last_mut() {
            match left.next() {
                Some(base) if seen.insert(base.0.id()) => {
                    open.push((base, base.base_interfaces().into_iter()))
                }
                Some(_) => {}
                None => {
                    found.push(*interface);
                    open.pop();
                }
            }
        }
        found.pop();
        found
    }

    /// Returns the bases as releases before 18 do: each interface adds all its bases again, with all of theirs.
    fn repeated_bases(self, once: &[Interface<'r>]) -> Result<Vec<Interface<'r>>, Diagnostic> {
        // The list that each interface adds, ending with itself.
        let mut added: HashMap<RecordId, Vec<Interface<'r>>, FxBuildHasher> = HashMap::default();
        let mut total = 0;
        for interface in once {
            let with =
                |interface: &Interface<'r>| added.get(&interface.0.id()).into_iter().flatten().copied();
            let bases = interface.base_interfaces();
            let own = bases.iter().flat_map(with).flat_map(|base| with(&base));
            let own: Vec<_> = own.chain([*interface]).take(MAX_BASES + 1).collect();
            total += own.len();
            if total > MAX_BASES {
                return Err(self.too_many_bases());
            }
            added.insert(interface.0.id(), own);
        }
        Ok(self
            .base_interfaces()
            .iter()
            .flat_map(|base| added.get(&base.0.id()).into_iter().flatten())
            .copied()
            .collect())
    }

    fn too_many_bases(self) -> Diagnostic {
        let message = format!(
            "interface `{}` has more than {MAX_BASES} bases: let fewer derive from others",
            self.0.name()
        );
        Diagnostic::error(self.0.span(), message)
    }

    /// Returns the methods that are declared although they have a default.
    #[must_use]
    pub fn always_overridden_methods(self) -> Vec<&'r str> {
        let list = self.0.get(name!("alwaysOverriddenMethods")).and_then(Val::as_list);
        list.into_iter().flatten().filter_map(Val::as_str).collect()
    }
}

/// A method of an interface: class `InterfaceMethod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method<'r>(Rec<'r>);

/// The kind of a virtual method in a dialect interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualKind {
    /// Pure virtual: each dialect defines it.
    Pure,
    /// Declared here and defined elsewhere.
    Declared,
    /// Defined here.
    Defined,
}

impl<'r> Method<'r> {
    identity!();

    fn text(self, field: impl Name) -> &'r str {
        self.0.optional_string(field).unwrap_or_default()
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns the name.
        name: text name!("name");
        /// Returns the C++ type that it returns.
        return_type: text name!("returnType");
        /// Returns whether the method is called without an instance.
        is_static: class name!("StaticInterfaceMethod");
        /// Returns the description in Markdown, which may be empty.
        description: text name!("description");
    }

    /// Returns the parameters: C++ type and name.
    #[must_use]
    pub fn parameters(self) -> Vec<(&'r str, &'r str)> {
        let dag = self.0.get(name!("arguments")).and_then(Val::as_dag);
        let args = dag.into_iter().flat_map(odsmith_tablegen::record::Dag::args);
        args.map(|(ty, name)| (ty.as_str().unwrap_or_default(), name.unwrap_or_default())).collect()
    }

    /// Returns the kind of a virtual method.
    #[must_use]
    pub fn virtual_kind(self) -> VirtualKind {
        if self.0.is_subclass_of("PureVirtualInterfaceMethod") {
            VirtualKind::Pure
        } else if self.0.is_subclass_of("InterfaceMethodDeclaration") {
            VirtualKind::Declared
        } else {
            VirtualKind::Defined
        }
    }

    /// Returns the C++ body of the method in the interface class.
    #[must_use]
    pub fn body(self) -> Option<&'r str> {
        self.code(name!("body"))
    }

    /// Returns C++ of the default implementation.
    #[must_use]
    pub fn default_body(self) -> Option<&'r str> {
        self.code(name!("defaultBody"))
    }

    /// Checks the fields that a class reads to declare the method.
    ///
    /// # Errors
    /// A field has no value.
    pub fn check(self) -> Result<(), Diagnostic> {
        self.check_signature()?;
        self.0.string(name!("body"))?;
        if self.body().is_some() {
            return Ok(());
        }
        self.0.string(name!("defaultBody"))?;
        if self.default_body().is_none() {
            self.0.string(name!("returnType"))?;
        }
        self.0.string(name!("name"))?;
        match self.default_body() {
            None => self.check_types(),
            Some(_) => Ok(()),
        }
    }

    /// Checks the fields that are read before anything is generated for the method.
    fn check_signature(self) -> Result<(), Diagnostic> {
        let rules = self.rules();
        // Releases that inherit methods by name read the names of all methods.
        if rules.has(Change::InheritedInterfaceMethods) {
            self.0.string(name!("name"))?;
        }
        self.0.dag(name!("arguments"))?;
        match rules.has(Change::ArgumentTypesOfMethods) {
            true => self.check_types(),
            false => Ok(()),
        }
    }

    /// Checks that the types of all arguments are texts.
    fn check_types(self) -> Result<(), Diagnostic> {
        let arguments = self.0.dag(name!("arguments"))?;
        let wrong = arguments.args().enumerate().find(|(_, (ty, _))| ty.as_str().is_none());
        let Some((index, (ty, name))) = wrong else { return Ok(()) };
        let (name, method) = (name.unwrap_or_default(), self.0.name());
        Err(self.0.error(format!(
            "expected string type for interface method argument #{index} ('{name}') in '{method}', but got '{ty}'"
        )))
    }

    /// Returns the text of a field, unless it is empty.
    fn code(self, field: impl Name) -> Option<&'r str> {
        let code = self.text(field);
        let is_trimmed = self.rules().has(Change::TrimmedMethodBodies);
        let is_there = !(if is_trimmed { code.trim_ascii() } else { code }).is_empty();
        is_there.then_some(code)
    }
}
