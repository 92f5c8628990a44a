//! Writes an example of a dialect's type or attribute by its format.

use crate::classes::unqualified;
use odsmith_ods::{
    AttrOrTypeDef, Constraint, DefKind, EnumInfo, Parameter,
    format::{Custom, DefFormat, Element},
};
use odsmith_tablegen::record::Rec;

/// The limit for attributes nested in attributes.
const MAX_DEPTH: usize = 4;

/// Writes `!dialect.mnemonic<…>`, or `!dialect<mnemonic …>` if anything but `<` follows the mnemonic.
/// `None` if its syntax or that of a parameter is C++ code.
#[must_use]
pub fn sample(def: &AttrOrTypeDef<'_>) -> Option<String> {
    let sigil = if def.kind() == DefKind::Type { '!' } else { '#' };
    let mnemonic = def.mnemonic().filter(|mnemonic| !mnemonic.is_empty())?;
    // Types of the builtin dialect have no prefix and a syntax of their own.
    if def.dialect().name() == "builtin" {
        return None;
    }
    let body = body(def, 0)?;
    let dialect = def.dialect().name();
    Some(if body.starts_with(' ') {
        format!("{sigil}{dialect}<{mnemonic}{body}>")
    } else {
        format!("{sigil}{dialect}.{mnemonic}{body}")
    })
}

/// The text after the mnemonic; it begins with a blank unless the format begins with `<`.
#[must_use]
pub fn body(def: &AttrOrTypeDef<'_>, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH || def.has_custom_assembly_format() {
        return known_custom(def);
    }
    let Some(text) = def.assembly_format().filter(|text| !text.trim().is_empty()) else {
        return def.parameters().is_empty().then(String::new);
    };
    let format = DefFormat::new(def, text).ok()?;
    let mut writer = Writer { def, depth, text: String::new() };
    writer.elements(&format.elements)?;
    let text = writer.text;
    Some(if text.is_empty() || text.starts_with('<') { text } else { format!(" {text}") })
}

/// The body of a type or attribute whose syntax is C++: empty if it needs no parameters.
fn known_custom(def: &AttrOrTypeDef<'_>) -> Option<String> {
    let has_optional = def.parameters().iter().all(|parameter| parameter.is_optional());
    // All parameters may be missing, so the mnemonic alone is valid.
    (def.parameters().is_empty() || (has_optional && def.kind() == DefKind::Type)).then(String::new)
}

struct Writer<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    depth: usize,
    text: String,
}

impl<'r> Writer<'_, 'r> {
    fn push(&mut self, text: &str) {
        let is_tight = |c: char| matches!(c, '<' | '(' | '[' | '{');
        let needs_blank = !self.text.is_empty()
            && !self.text.ends_with(is_tight)
            && !text.starts_with(['>', ')', ']', ',', ':', '}', '<', '(', '[']);
        if needs_blank {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    fn elements(&mut self, elements: &[Element<'r>]) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element))
    }

    fn parameters(&self) -> Vec<Parameter<'r>> {
        self.def.parameters().iter().copied().filter(|parameter| !parameter.is_self_type()).collect()
    }

    fn element(&mut self, element: &Element<'r>) -> Option<()> {
        match element {
            Element::Literal(literal) => self.push(literal),
            Element::Whitespace(_) | Element::Ref(_) => {}
            Element::Variable(variable) => {
                let parameter = *self.def.parameters().get(variable.index)?;
                // If an attribute holds an enum, its one parameter is written as a case.
                let case = enum_case(self.def.rec());
                let text = case.or_else(|| parameter_sample(parameter, self.depth))?;
                self.push(&text);
            }
            Element::Params => {
                let required: Vec<Parameter<'r>> =
                    self.parameters().into_iter().filter(|parameter| !parameter.is_optional()).collect();
                for (index, parameter) in required.into_iter().enumerate() {
                    if index > 0 {
                        self.push(",");
                    }
                    let text = parameter_sample(parameter, self.depth)?;
                    self.push(&text);
                }
            }
            Element::Struct(elements) => self.structure(elements)?,
            // Optional parts are left out.
            Element::Optional(group) => {
                let otherwise = if group.is_inverted { &group.then } else { &group.otherwise };
                self.elements(otherwise)?;
            }
            Element::Custom(custom) => {
                let text = known_directive(custom)?;
                self.push(text);
            }
            _ => return None,
        }
        Some(())
    }

    fn structure(&mut self, elements: &[Element<'r>]) -> Option<()> {
        let all: Vec<Parameter<'r>> = match elements {
            [Element::Params] => self.parameters(),
            elements => {
                let variables = elements.iter().map(|element| match element {
                    Element::Variable(variable) => self.def.parameters().get(variable.index).copied(),
                    _ => None,
                });
                variables.collect::<Option<Vec<_>>>()?
            }
        };
        let mut is_first = true;
        for parameter in all.into_iter().filter(|parameter| !parameter.is_optional()) {
            if !std::mem::take(&mut is_first) {
                self.push(",");
            }
            let text = parameter_sample(parameter, self.depth)?;
            self.push(&format!("{} = {text}", parameter.name));
        }
        Some(())
    }
}

/// The text of a well-known custom directive of MLIR.
fn known_directive(custom: &Custom<'_>) -> Option<&'static str> {
    match custom.name {
        "DynamicIndexList" => Some("[1]"),
        _ => None,
    }
}

/// An example of a parameter, by its C++ type.
#[must_use]
pub fn parameter_sample(parameter: Parameter<'_>, depth: usize) -> Option<String> {
    if let Some(rec) = parameter.rec() {
        if let Some(text) = enum_case(rec) {
            return Some(text);
        }
        if let Some(kind) = DefKind::of(rec) {
            let def = AttrOrTypeDef::new(rec, kind).ok()?;
            // The class of the parameter is known, so its name is left out.
            return body(&def, depth + 1).map(|text| text.trim_start().to_owned());
        }
    }
    by_cpp_type(parameter.cpp_type())
}

/// The first case of an enum, as it is spelled.
#[must_use]
pub fn enum_case(rec: Rec<'_>) -> Option<String> {
    let info = EnumInfo::lenient(Constraint::new(rec).enum_info()?);
    Some(info.cases.first()?.spelling.to_owned())
}

fn by_cpp_type(ty: &str) -> Option<String> {
    let ty = ty.trim().trim_start_matches("::");
    if let Some((outer, inner)) = ty.split_once('<') {
        let inner = inner.trim_end_matches('>').trim();
        return match unqualified(outer) {
            "ArrayRef" | "SmallVector" => by_cpp_type(inner),
            "FailureOr" | "optional" => by_cpp_type(inner),
            _ => None,
        };
    }
    let short = unqualified(ty);
    Some(
        match short {
            "bool" => "true",
            "int" | "unsigned" | "uint32_t" | "int32_t" | "int64_t" | "uint64_t" | "size_t" | "int16_t"
            | "uint16_t" | "uint8_t" | "int8_t" => "8",
            "StringRef" | "string" | "StringAttr" => "\"text\"",
            "Type" | "IntegerType" => "i32",
            "FloatType" => "f32",
            "APInt" => "1",
            "APFloat" => "1.0",
            "Attribute" | "IntegerAttr" | "TypedAttr" => "1 : i32",
            "FloatAttr" => "1.0 : f32",
            "BoolAttr" => "true",
            "TypeAttr" => "i32",
            "ArrayAttr" => "[]",
            "DictionaryAttr" => "{}",
            "UnitAttr" => "unit",
            "SymbolRefAttr" | "FlatSymbolRefAttr" => "@symbol",
            "AffineMap" | "AffineMapAttr" => "affine_map<(d0) -> (d0)>",
            "DenseI64ArrayAttr" | "DenseI32ArrayAttr" | "DenseI16ArrayAttr" | "DenseI8ArrayAttr" => "[1]",
            "MemRefType" => "memref<4xf32>",
            "RankedTensorType" | "TensorType" => "tensor<4xf32>",
            "VectorType" | "ShapedType" => "vector<4xf32>",
            "FunctionType" => "() -> ()",
            _ => return None,
        }
        .to_owned(),
    )
}
