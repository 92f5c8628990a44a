//! An operation with the data that several members of its class need.

use std::fmt::{self, Display};

use crate::cpp::{Method, Writer, from_fn};
use odsmith_ods::{Attribute, NamedAttribute, Operation, format::OpFormat};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

/// An operation whose class is to be written.
pub(super) struct OpInfo<'a> {
    pub(super) op: &'a Operation<'a>,
    /// The class' name.
    pub(super) class: &'a str,
    /// The name with the dialect's.
    pub(super) name: String,
    /// The declarative assembly format.
    pub(super) format: Option<OpFormat<'a>>,
    /// True if attributes are members of the properties; otherwise they are in the dictionary.
    pub(super) attributes_are_properties: bool,
    /// True if there is a type for properties, even the empty one.
    pub(super) has_properties: bool,
    pub(super) has_operand_segments: bool,
    pub(super) has_result_segments: bool,
    /// The stored attributes by name, including lengths of groups that are no properties.
    pub(super) attributes: Vec<StoredAttribute<'a>>,
    /// The names that `getAttributeNames` lists before the lengths of operand groups.
    pub(super) attribute_names: Vec<&'a str>,
}

/// An attribute that is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredAttribute<'a> {
    pub(super) name: &'a str,
    pub(super) is_required: bool,
    /// The definition; nothing for the lengths of groups.
    pub(super) attribute: Option<Attribute<'a>>,
    /// The number of required attributes before it in a sorted dictionary, and after it.
    required_around: (usize, usize),
}

impl<'a> OpInfo<'a> {
    /// Returns the rules of the release.
    pub(super) fn rules(&self) -> &'a Rules {
        self.op.rules()
    }

    /// Reads all except the format, which comes last: mistakes elsewhere are reported first.
    pub(super) fn new(op: &'a Operation<'a>) -> Self {
        let attributes_are_properties = op.dialect().uses_properties_for_attributes();
        let mut info = OpInfo {
            op,
            class: op.cpp_class_name(),
            name: op.name(),
            format: None,
            attributes_are_properties,
            has_properties: attributes_are_properties || !op.properties().is_empty(),
            has_operand_segments: op.has_trait("::mlir::OpTrait::AttrSizedOperandSegments"),
            has_result_segments: op.has_trait("::mlir::OpTrait::AttrSizedResultSegments"),
            attributes: Vec::new(),
            attribute_names: Vec::new(),
        };
        info.collect_attributes();
        if !op.rules().has(Change::EmptyProperties) {
            info.has_properties = info.has_stored_properties();
        }
        info
    }

    /// Reads the declarative assembly format, if there is one; `report` gets its mistakes.
    ///
    /// # Errors
    /// A field that the format needs is missing or wrong, or what `report` returns.
    pub(super) fn read_format(
        &mut self,
        report: impl FnOnce(Vec<Diagnostic>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.op.dialect().check_strict_properties()?;
        match self.op.assembly_format().map(|text| OpFormat::new(self.op, text)).transpose() {
            Ok(format) => self.format = format,
            Err(mistakes) => report(mistakes)?,
        }
        let written = self.format.iter().flat_map(|format| &format.attributes);
        let mut attributes = written.map(|&index| self.op.attributes()[index].attribute);
        attributes.try_for_each(Attribute::check_written)?;
        if self.format.as_ref().is_some_and(|format| self.lists_properties(format)) {
            self.check_listed()?;
        }
        Ok(())
    }

    /// Checks the fields that a list of properties needs.
    fn check_listed(&self) -> Result<(), Diagnostic> {
        let mut attributes = self.op.natural_attributes().iter().map(|named| named.attribute);
        attributes.try_for_each(Attribute::check_own_format)?;
        self.op.check_properties_printer()
    }

    /// Returns whether the format parses and prints properties as a list.
    pub(super) fn lists_properties(&self, format: &OpFormat<'_>) -> bool {
        self.rules().has(Change::PropertyLists) && self.has_properties && format.has_prop_dict
    }

    fn collect_attributes(&mut self) {
        let stored = |named: &NamedAttribute<'a>| StoredAttribute {
            name: named.name,
            is_required: is_required(named.attribute),
            attribute: Some(named.attribute),
            required_around: (0, 0),
        };
        self.attributes.extend(self.op.natural_attributes().iter().map(stored));
        let names = self.op.attributes().iter().map(|attribute| attribute.name);
        self.attribute_names.extend(names);
        if !self.attributes_are_properties {
            let segments = [
                (self.has_operand_segments, self.operand_segments()),
                (self.has_result_segments, self.result_segments()),
            ];
            // The operation may declare them itself.
            let is_declared =
                |name: &str| self.op.natural_attributes().iter().any(|named| named.name == name);
            let present = segments.into_iter().filter(|(is_there, name)| *is_there && !is_declared(name));
            for (_, name) in present {
                self.attribute_names.push(name);
                self.attributes.push(StoredAttribute {
                    name,
                    is_required: true,
                    attribute: None,
                    required_around: (0, 0),
                });
            }
        }
        self.attributes.sort_by_key(|attribute| attribute.name);
        let required = self.attributes.iter().filter(|attribute| attribute.is_required).count();
        let mut before = 0;
        for attribute in &mut self.attributes {
            let own = usize::from(attribute.is_required);
            attribute.required_around = (before, required - before - own);
            before += own;
        }
        if self.rules().has(Change::SortedLookups) {
            self.attribute_names.sort_unstable();
            self.attribute_names.dedup();
        }
    }

    /// Returns the stored attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&StoredAttribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the attribute with the lengths of operand groups.
    pub(super) fn operand_segments(&self) -> &'static str {
        spellings::operand_segments.of(self.rules())
    }

    /// Returns the attribute with the lengths of result groups.
    pub(super) fn result_segments(&self) -> &'static str {
        spellings::result_segments.of(self.rules())
    }

    /// Returns whether the lengths of operand groups are a property.
    pub(super) fn has_operand_segments_property(&self) -> bool {
        self.has_operand_segments && self.attributes_are_properties
    }

    /// Returns whether the lengths of result groups are a property.
    pub(super) fn has_result_segments_property(&self) -> bool {
        self.has_result_segments && self.attributes_are_properties
    }

    /// Returns the names of the lengths of groups that are properties.
    pub(super) fn segment_properties(&self) -> impl Iterator<Item = &'static str> + Clone {
        let operands = self.has_operand_segments_property().then_some(self.operand_segments());
        let results = self.has_result_segments_property().then_some(self.result_segments());
        operands.into_iter().chain(results)
    }

    /// Returns the lengths of groups that are properties, with the numbers of groups.
    pub(super) fn segment_counts(&self) -> Vec<(&'static str, usize)> {
        let count = |name| {
            if name == self.result_segments() { self.op.results().len() } else { self.op.operands().len() }
        };
        self.segment_properties().map(|name| (name, count(name))).collect()
    }

    /// Returns whether any value is stored in properties.
    pub(super) fn has_stored_properties(&self) -> bool {
        self.has_properties
            && (!self.attributes.is_empty()
                || !self.op.properties().is_empty()
                || self.segment_properties().next().is_some())
    }

    /// Sets the body of a short member, which old releases write after the class.
    pub(super) fn short(&self, method: Method<'a>, body: impl Fn(&mut Writer) + 'a) -> Method<'a> {
        match self.rules().has(Change::InlineAccessors) {
            true => method.inline(body),
            false => method.defined(body),
        }
    }

    /// Returns the indentation of lines inside a C++ type in a short member: that of the class.
    pub(super) fn short_margin(&self) -> &'static str {
        if self.rules().has(Change::InlineAccessors) { "  " } else { "" }
    }

    /// Returns C++ for the value of an attribute, stored or derived, which may be null.
    pub(super) fn looked_up(&self, name: &str, site: Site) -> String {
        let required = || self.attributes.iter().filter(|attribute| attribute.is_required);
        let before = required().filter(|attribute| attribute.name < name).count();
        let after = required().filter(|attribute| attribute.name > name).count();
        let attribute =
            StoredAttribute { name, is_required: false, attribute: None, required_around: (before, after) };
        StoredValue { op: self, attribute: &attribute, site }.to_string()
    }

    /// Returns C++ for the value of an attribute, which may be null.
    pub(super) fn stored<'b>(
        &'b self,
        attribute: &'b StoredAttribute<'a>,
        site: Site,
    ) -> StoredValue<'a, 'b> {
        StoredValue { op: self, attribute, site }
    }
}

/// Returns whether an attribute must be present.
pub(super) fn is_required(attribute: Attribute<'_>) -> bool {
    !attribute.is_optional() && attribute.default_value().is_none()
}

/// The class that a member belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    Op,
    Adaptor,
}

impl Site {
    /// Returns C++ for a builder of attributes.
    pub(super) fn builder(self) -> &'static str {
        match self {
            Site::Op => "::mlir::Builder((*this)->getContext())",
            Site::Adaptor => "::mlir::Builder(odsAttrs.getContext())",
        }
    }
}

/// C++ for the value of a stored attribute: see [`OpInfo::stored`].
pub(super) struct StoredValue<'a, 'b> {
    op: &'b OpInfo<'a>,
    attribute: &'b StoredAttribute<'a>,
    site: Site,
}

impl StoredValue<'_, '_> {
    /// Returns the arguments of a search in the sorted dictionary.
    pub(super) fn range(&self) -> impl Display {
        from_fn(move |f| {
            let (lower, upper) = self.attribute.required_around;
            let range = match self.site {
                Site::Op => "(*this)->getAttrs()",
                Site::Adaptor => "odsAttrs",
            };
            let key = self.op.attribute_key(self.attribute.name, self.site);
            write!(f, "{range}.begin() + {lower}, {range}.end() - {upper}, {key}")
        })
    }
}

impl Display for StoredValue<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.op.has_properties {
            return write!(f, "getProperties().{}", self.attribute.name);
        }
        match (self.op.rules().has(Change::SortedLookups), self.site) {
            (true, _) => write!(f, "::mlir::impl::getAttrFromSortedRange({})", self.range()),
            (false, Site::Op) => {
                write!(f, "(*this)->getAttr({})", self.op.attribute_key(self.attribute.name, self.site))
            }
            (false, Site::Adaptor) => write!(f, "odsAttrs.get(\"{}\")", self.attribute.name),
        }
    }
}

impl OpInfo<'_> {
    /// Returns C++ for the name of an attribute as a `StringAttr`.
    pub(super) fn attribute_key(&self, name: &str, site: Site) -> impl Display {
        let getter = self.op.getter(name);
        from_fn(move |f| match site {
            Site::Op => write!(f, "{getter}AttrName()"),
            Site::Adaptor => write!(f, "{}::{getter}AttrName(*odsOpName)", self.class),
        })
    }
}

/// Returns C++ for an error of the operation; `message` is in the middle of a string literal.
pub(super) fn error<'a>(op: &'a OpInfo<'a>, site: Site, message: impl Display + 'a) -> impl Display + 'a {
    from_fn(move |f| match site {
        Site::Op => write!(f, "emitOpError(\"{message}\")"),
        Site::Adaptor => write!(f, "emitError(loc, \"'{}' op {}{message}\")", op.name, joint(op)),
    })
}

/// Returns the same C++ up to the end of the message, which is left open.
pub(super) fn error_start<'a>(op: &'a OpInfo<'a>, site: Site) -> impl Display + 'a {
    from_fn(move |f| match site {
        Site::Op => write!(f, "emitOpError(\"{}", spellings::segments_joint.of(op.rules())),
        Site::Adaptor => {
            let joints = (joint(op), spellings::segments_joint.of(op.rules()));
            write!(f, "emitError(loc, \"'{}' op {}{}", op.name, joints.0, joints.1)
        }
    })
}

pub(super) fn joint(op: &OpInfo<'_>) -> &'static str {
    spellings::message_joint.of(op.rules())
}
