//! Names that are looked up in records very often.
//!
//! Every arena interns [`KNOWN`] first, so that the id of such a name is its index in the list and needs no search.
//! `name!("summary")` is that index; a name that is not in the list does not compile.

use super::{Records, arena::Arena, init::StrId, record::RecordId};

/// The name of a field or a class: a text, or a [`KnownName`] one.
pub trait Name: Copy {
    /// Returns the text.
    fn text(&self) -> &str;

    /// Returns the id; nothing if no record has such a name.
    fn id(self, arena: &Arena) -> Option<StrId>;

    /// Returns the class of this name.
    fn class(self, records: &Records) -> Option<RecordId>;
}

impl Name for &str {
    fn text(&self) -> &str {
        self
    }

    fn id(self, arena: &Arena) -> Option<StrId> {
        arena.find_string(self)
    }

    fn class(self, records: &Records) -> Option<RecordId> {
        records.class(self).map(|class| class.id())
    }
}

impl<N: Name> Name for &N {
    fn text(&self) -> &str {
        (**self).text()
    }

    fn id(self, arena: &Arena) -> Option<StrId> {
        (*self).id(arena)
    }

    fn class(self, records: &Records) -> Option<RecordId> {
        (*self).class(records)
    }
}

/// A name of the list.
#[derive(Clone, Copy, Debug)]
pub struct KnownName(usize);

impl KnownName {
    /// Returns the index of a text in the list.
    ///
    /// # Panics
    /// The text is not in the list; at compile time, as `name!` uses it.
    #[must_use]
    pub const fn of(text: &str) -> KnownName {
        let mut place = 0;
        while place < KNOWN.len() {
            if is_same(KNOWN[place].as_bytes(), text.as_bytes()) {
                return KnownName(place);
            }
            place += 1;
        }
        panic!("the name is not in `KNOWN`")
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl Name for KnownName {
    fn text(&self) -> &str {
        KNOWN[self.0]
    }

    fn id(self, _: &Arena) -> Option<StrId> {
        Some(StrId(self.0 as u32))
    }

    fn class(self, records: &Records) -> Option<RecordId> {
        records.known_class(self.0)
    }
}

/// Expands to the [`KnownName`] name of this text.
#[macro_export]
macro_rules! name {
    ($text:literal) => {
        const { $crate::record::names::KnownName::of($text) }
    };
}
pub use name;

/// The names, in the order of their ids.
#[rustfmt::skip]
pub const KNOWN: &[&str] = &[
    "AllTypesMatch", "Attr", "AttrConstraint", "AttrDef", "AttrInterface", "AttrOrTypeBuilder",
    "AttrOrTypeDef", "AttributeSelfTypeParameter", "BitEnumAttrCaseBit",
    "BitEnumAttrCaseGroup", "CombinedPred",
    "ConstantAttr", "ConstantProp", "Constraint", "DeclareInterfaceMethods", "DefaultValuedAttr",
    "DefaultValuedOptionalAttr", "DefaultValuedProp", "DerivedAttr", "EnumAttr", "EnumAttrCaseInfo", "EnumAttrInfo", "EnumCase",
    "EnumInfo", "GenInternalTrait", "Interface", "InterfaceTrait", "ListOption", "NativeCodeCall", "Op",
    "OpVariable", "Optional", "OptionalAttr", "OptionalParameter", "OptionalProp", "ParamNativeTrait",
    "PredTrait", "PropConstraint", "Property", "RegionConstraint", "ShapedTypeMatchesElementCountAndTypes",
    "SideEffect", "SideEffectsTraitBase", "StaticInterfaceMethod", "StructuralOpTrait", "SuccessorConstraint",
    "TraitList", "TypeAttrBase", "TypeConstraint", "TypeDef", "TypeInterface", "TypesMatchWith", "Variadic",
    "VariadicOfVariadic", "VariadicRegion", "VariadicSuccessor", "additionalOptFlags", "allowedAttributes",
    "allowedAttrs", "allowedTypes", "alwaysOverriddenMethods", "argument", "arguments", "assemblyFormat",
    "assignToStorage", "attr", "availability", "baseAttr", "baseAttrClass", "baseClass", "baseEffectName",
    "baseInterfaces", "baseProperty", "baseType", "benefitDelta", "bitwidth", "body", "builderCall",
    "builders", "children", "className", "comparator", "constBuilderCall", "constraint", "constraints",
    "constructor", "convertFromStorage", "cppAccessorType", "cppBaseClassName", "cppClassName",
    "cppFunctionName", "cppInterfaceName", "cppName", "cppNamespace", "cppStorageType", "cppType",
    "dagParams", "decorators", "defaultBody", "defaultValue", "dependentDialects", "dependentTraits",
    "description", "dialect", "discardableAttrs", "effect", "effectOnFullRegion", "effects", "elementAttr",
    "elementType", "enum", "enumerants", "expression", "extraClassDeclaration", "extraClassDefinition",
    "extraConcreteClassDeclaration", "extraConcreteClassDefinition", "genAccessors", "genSpecializedAttr", "genVerifyDecl",
    "hasCanonicalizeMethod", "hasCanonicalizer", "hasCustomAssemblyFormat", "hasFolder",
    "hasInferredContextParam", "hasRegionVerifier", "hasVerifier", "hashProperty", "initializer", "instance",
    "instancePreparation", "instanceType", "interfaceDescription", "interfaceName", "interfaceTrait",
    "interfaceType", "isOptional", "kind", "maxEnumValFnName", "mergeAction", "methods", "mnemonic", "name",
    "numReturns", "odsCppDeprecated", "odsDeprecated", "opDialect", "opDocGroup", "opName", "optionalParser",
    "parameters", "pattern", "predExpr", "predicate", "prefix", "printBitEnumPrimaryGroups",
    "printBitEnumQuoted", "printer", "queryFnName", "queryFnRetType", "regions", "replacement", "resource",
    "results", "returnType", "segmentAttrName", "separator", "skipDefaultBuilders", "sourcePattern",
    "specializedAttrClassName", "stage", "statistics", "storageType", "storageTypeValueOverride", "str",
    "stringToSymbolFnName", "successors", "suffix", "summary", "symbol", "symbolToStringFnName",
    "symbolToStringFnRetType", "syntax", "trait", "traits", "type", "underlyingToSymbolFnName",
    "underlyingType", "useCustomPropertiesEncoding", "usePropertiesForAttributes", "validBits", "value",
    "valueType", "values",
];
