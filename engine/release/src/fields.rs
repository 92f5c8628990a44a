//! Fields and classes of MLIR's library whose names depend on the release.
//!
//! Code that has a record looks at its fields; a message uses the name that the release has.

use super::spellings::Spelling;

/// The field with the C++ class of a type.
pub const CPP_TYPE: Spelling = Spelling::new(&[(0, "cppClassName"), (21, "cppType")]);
/// The class of lists of traits.
pub const TRAIT_LIST: Spelling = Spelling::new(&[(0, "OpTraitList"), (14, "TraitList")]);
/// The class of enums.
pub const ENUM: Spelling = Spelling::new(&[(0, "EnumAttrInfo"), (21, "EnumInfo")]);
/// The class of bit enums.
pub const BIT_ENUM: Spelling = Spelling::new(&[(0, "BitEnumAttr"), (21, "BitEnumBase")]);
/// The class of cases of a bit enum that are one bit.
pub const BIT_CASE: Spelling = Spelling::new(&[(0, "BitEnumAttrCaseBit"), (21, "BitEnumCaseBit")]);
/// The class of cases of a bit enum that are several bits.
pub const GROUP_CASE: Spelling = Spelling::new(&[(0, "BitEnumAttrCaseGroup"), (21, "BitEnumCaseGroup")]);
/// The class of the records that a document of enums lists. The older one is the class of attributes that hold an enum.
pub const ENUM_IN_DOCUMENTS: Spelling = Spelling::new(&[(0, "EnumAttr"), (21, "EnumInfo")]);
/// The prefix of the names of SPIR-V's definitions.
pub const SPIRV: Spelling = Spelling::new(&[(0, "SPV_"), (16, "SPIRV_")]);
