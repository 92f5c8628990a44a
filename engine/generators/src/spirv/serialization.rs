//! `gen-spirv-serialization`, in this order: a function for each operation that writes it and their dispatcher, then
//! the same for reading, with a second dispatcher for extended instructions.

use crate::cpp::{Template, Writer, cast, join};
use crate::{Cx, Generator, string_map::in_map_order};
use odsmith_ods::{Argument, Attribute, EnumInfo, Operation, SpirvInstruction};
use odsmith_release::{Change, Rules, fields, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(crate) const SERIALIZATION: Generator = Generator {
    name: "gen-spirv-serialization",
    about: "Generate SPIR-V (de)serialization utilities and functions",
    run: |cx, w| {
        let instructions = Instruction::all(cx)?;
        let generated = || instructions.iter().filter(|it| it.is_generated);
        w.file_header("SPIR-V Serialization Utilities/Functions", Some(cx.source_name()));
        w.raw("#ifdef GET_SERIALIZATION_FNS\n\n");
        generated().for_each(|it| emit_serializer(it, w));
        emit_serializer_dispatch(&instructions, w);
        w.raw("#endif // GET_SERIALIZATION_FNS\n\n#ifdef GET_DESERIALIZATION_FNS\n\n");
        generated().for_each(|it| emit_deserializer(it, w));
        emit_deserializer_dispatch(&instructions, w);
        emit_extension_dispatch(&generated().collect::<Vec<_>>(), w);
        w.raw("#endif // GET_DESERIALIZATION_FNS\n\n");
        Ok(())
    },
};

/// An operation of SPIR-V.
struct Instruction<'r> {
    op: &'r Operation<'r>,
    class: String,
    /// True if functions are generated for it.
    is_generated: bool,
    has_opcode: bool,
    /// The opcode's name.
    opcode: &'r str,
    /// The extension set that it belongs to, and its number there.
    extension: Option<(&'r str, i64)>,
    operands: Vec<Word<'r>>,
}

/// An operand or attribute, in the order of the binary form.
struct Word<'r> {
    name: &'r str,
    kind: WordKind,
}

enum WordKind {
    Operand { index: usize, is_variable_length: bool },
    Attribute(AttributeForm),
}

/// The binary form of an attribute.
enum AttributeForm {
    /// The value of an enum of this class.
    Enum(String),
    /// The id of a constant that holds the value of an enum.
    EnumConstant(String),
    Integer,
    /// The id of a constant that is an integer.
    IntegerConstant,
    Integers,
    Type,
    /// The id of a constant that is a number or a truth value.
    ScalarConstant,
    /// The id of a constant that is a tensor.
    TensorConstant,
}

impl<'r> Instruction<'r> {
    fn all(cx: &Cx<'r>) -> Result<Vec<Self>, Diagnostic> {
        let class = spirv_name("Op", cx.records.rules());
        cx.require_class(&class)?;
        let instructions =
            cx.records.derived(&class).map(|rec| Instruction::new(rec, cx)).collect::<Result<_, _>>()?;
        check_extensions(cx)?;
        Ok(instructions)
    }

    /// Reads the fields in the order in which the reference reports a missing value.
    fn new(rec: Rec<'r>, cx: &Cx<'r>) -> Result<Self, Diagnostic> {
        let op = cx.model.operation(rec)?;
        let instruction = SpirvInstruction::new(rec);
        let is_generated = instruction.is_generated()?;
        let is_extended = op.definition().is_a(&spirv_name("ExtInstOp", op.rules()));
        let extension = match is_extended {
            true if is_generated => Some(instruction.extension()?),
            true => Some(instruction.extension().unwrap_or_default()),
            false => None,
        };
        let operands = if is_generated { words(op)? } else { Vec::new() };
        let mut opcode = "";
        if is_generated && !is_extended {
            opcode = instruction.opcode()?;
        }
        if is_generated && is_plain(&operands) {
            op.check_name()?;
        } else if is_generated {
            check_counts(op, &operands)?;
        }
        let has_opcode = instruction.has_opcode()?;
        if has_opcode {
            opcode = instruction.opcode()?;
        }
        Ok(Instruction {
            class: op.qualified_cpp_class_name(),
            is_generated,
            has_opcode,
            opcode,
            extension,
            operands,
            op,
        })
    }

    /// Returns whether the instruction has a fixed number of operands and nothing else, so that it needs no code of its
    /// own.
    fn is_plain(&self) -> bool {
        is_plain(&self.operands)
    }

    fn has_result(&self) -> bool {
        !self.op.results().is_empty()
    }

    /// Returns whether no operand comes after an attribute.
    fn has_operands_first(&self) -> bool {
        self.operands.is_sorted_by_key(|word| matches!(word.kind, WordKind::Attribute(_)))
    }
}

/// Checks the fields of extended instructions, including those that are no other instructions; they are used last.
fn check_extensions(cx: &Cx<'_>) -> Result<(), Diagnostic> {
    let class = spirv_name("ExtInstOp", cx.records.rules());
    cx.require_class(&class)?;
    for rec in cx.records.derived(&class) {
        let instruction = SpirvInstruction::new(rec);
        if instruction.is_generated()? {
            cx.model.operation(rec)?;
            instruction.extension()?;
        }
    }
    Ok(())
}

/// Returns the name of one of SPIR-V's definitions.
fn spirv_name(name: &str, rules: &Rules) -> String {
    [fields::SPIRV.of(rules), name].concat()
}

fn is_plain(words: &[Word<'_>]) -> bool {
    let is_single =
        |word: &Word<'_>| matches!(word.kind, WordKind::Operand { is_variable_length: false, .. });
    words.iter().all(is_single)
}

fn words<'r>(op: &Operation<'r>) -> Result<Vec<Word<'r>>, Diagnostic> {
    let mut words = Vec::new();
    for argument in op.arguments() {
        words.push(match *argument {
            Argument::Operand(index) => {
                let operand = op.operands()[index];
                let is_variable_length = operand.constraint.is_variable_length();
                Word { name: operand.name, kind: WordKind::Operand { index, is_variable_length } }
            }
            Argument::Attribute(index) => {
                let attribute = op.attributes()[index];
                let form = AttributeForm::of(attribute.attribute, op)?;
                Word { name: attribute.name, kind: WordKind::Attribute(form) }
            }
            Argument::Property(_) => continue,
        });
    }
    for attribute in op.derived_attributes() {
        let form = AttributeForm::of(attribute.attribute, op)?;
        words.push(Word { name: attribute.name, kind: WordKind::Attribute(form) });
    }
    Ok(words)
}

/// Checks that an instruction that is not plain can be read: the number of its results, and that only the last operand
/// has a variable length.
fn check_counts(op: &Operation<'_>, words: &[Word<'_>]) -> Result<(), Diagnostic> {
    if op.results().len() > 1 {
        return Err(Diagnostic::error(op.definition().span(), "SPIR-V ops can have only zero or one result"));
    }
    let is_open_ended =
        |word: &Word<'_>| matches!(word.kind, WordKind::Operand { is_variable_length: true, .. });
    if words.iter().rev().skip(1).any(is_open_ended) {
        let optional = spellings::spirv_optional.of(op.rules());
        let message = format!(
            "SPIR-V ops can have Variadic<..> or {optional}<...> arguments only if it's the last argument"
        );
        return Err(Diagnostic::error(op.definition().span(), message));
    }
    Ok(())
}

impl AttributeForm {
    fn of(attribute: Attribute<'_>, op: &Operation<'_>) -> Result<Self, Diagnostic> {
        let attribute = if attribute.is_optional() { attribute.base() } else { attribute };
        let (definition, rules) = (attribute.definition(), attribute.rules());
        let has_matrix_constants = rules.has(Change::SpirvMatrixConstants);
        let has_constants = rules.has(Change::SpirvConstantAttributes);
        let is_of = |class| definition.is_a(&spirv_name(class, rules));
        let is_spirv_enum = is_of("BitEnumAttr") || is_of("I32EnumAttr");
        // The enums that are ids of constants are identified by name.
        let is_constant =
            match definition.record_name().strip_prefix(fields::SPIRV.of(rules)).unwrap_or_default() {
                "MemorySemanticsAttr" | "ScopeAttr" => true,
                "MatrixLayoutAttr" => rules.has(Change::SpirvEnumAttributes),
                "KHR_CooperativeMatrixLayoutAttr" | "KHR_CooperativeMatrixUseAttr" => has_matrix_constants,
                "QuadSwapDirectionAttr"
                | "TosaExtAccTypeAttr"
                | "TosaExtNaNPropagationModeAttr"
                | "TosaExtResizeModeAttr"
                | "TosaExtRoundingModeAttr" => has_constants,
                _ => false,
            };
        if !rules.has(Change::SpirvEnumAttributes) {
            if is_constant {
                return Ok(AttributeForm::IntegerConstant);
            } else if attribute.is_enum() {
                return Ok(AttributeForm::Integer);
            }
        } else if is_constant || is_spirv_enum {
            let class = EnumInfo::with(attribute.enum_rec()?, &["cppNamespace", "className"])?.qualified_name;
            return Ok(if is_constant {
                AttributeForm::EnumConstant(class)
            } else {
                AttributeForm::Enum(class)
            });
        }
        match attribute.named().definition().record_name() {
            "I32ArrayAttr" => Ok(AttributeForm::Integers),
            "I32Attr" => Ok(AttributeForm::Integer),
            "SPIRV_BoolConstAttr" | "SPIRV_I8OrI16OrF16OrF32OrBF16ConstAttr" | "SPIRV_TensorArmAxisAttr"
                if has_constants =>
            {
                Ok(AttributeForm::ScalarConstant)
            }
            name if has_constants && name.contains("TensorArm") => Ok(AttributeForm::TensorConstant),
            "TypeAttr" => Ok(AttributeForm::Type),
            _ if attribute.is_enum() => Ok(AttributeForm::Type),
            _ if rules.has(Change::SpirvTypesProcessed) && attribute.is_type_attribute() => {
                Ok(AttributeForm::Type)
            }
            name => {
                let message =
                    format!("unhandled attribute type in SPIR-V serialization generation : '{name}'");
                Err(Diagnostic::error(op.definition().span(), message))
            }
        }
    }
}

fn emit_serializer(instruction: &Instruction<'_>, w: &mut Writer) {
    let class = &instruction.class;
    w.line("template <> LogicalResult");
    w.braces(format_args!("Serializer::processOp<{class}>({class} op)"), |w| {
        let opcode = instruction.opcode;
        let (set, number) = match instruction.extension {
            Some((set, number)) => (set, number.to_string()),
            None => ("", format!("static_cast<uint32_t>(spirv::Opcode::{opcode})")),
        };
        if instruction.is_plain() {
            w.line(format_args!("return processOpWithoutGrammarAttr(op, \"{set}\", {number});"));
            return;
        }
        w.line("SmallVector<uint32_t, 4> operands;");
        w.line("SmallVector<StringRef, 2> elidedAttrs;");
        if instruction.has_result() {
            w.fill(WRITE_RESULT, &[]);
        }
        emit_operands_and_attributes(instruction, w);
        if instruction.extension.is_some() {
            w.line(format_args!("(void)encodeExtensionInstruction(op, \"{set}\", {number}, operands);"));
        } else {
            w.line("(void)emitDebugLine(functionBody, op.getLoc());");
            w.line(format_args!(
                "(void)encodeInstructionInto(functionBody, spirv::Opcode::{opcode}, operands);"
            ));
        }
        if instruction.has_result() {
            w.fill(WRITE_DECORATIONS, &[]);
        }
        w.line("return success();");
    });
    w.blank();
}

const WRITE_RESULT: Template = Template(
    r#"
uint32_t resultID = 0;
uint32_t resultTypeID = 0;
if (failed(processType(op.getLoc(), op.getType(), resultTypeID))) {
  return failure();
}
operands.push_back(resultTypeID);
resultID = getNextID();
valueIDMap[op.getResult()] = resultID;
operands.push_back(resultID);
"#,
);

const WRITE_DECORATIONS: Template = Template(
    r#"
for (auto attr : op->@spirv_decorations) {
  if (llvm::is_contained(elidedAttrs, @attribute_name)) {      continue;
  }
  if (failed(processDecoration(op.getLoc(), resultID, attr))) {
    return failure();
  }
}
"#,
);

/// Writes all operands at once if they come first, otherwise each argument in a block.
fn emit_operands_and_attributes(instruction: &Instruction<'_>, w: &mut Writer) {
    let is_flat = instruction.has_operands_first();
    if is_flat && !instruction.op.operands().is_empty() {
        w.fill(WRITE_OPERANDS, &[]);
    }
    for word in &instruction.operands {
        match &word.kind {
            WordKind::Operand { .. } if is_flat => {}
            WordKind::Operand { index, .. } => w.fill(WRITE_OPERAND, &[("index", index)]),
            WordKind::Attribute(form) if is_flat => emit_attribute(instruction.op, word.name, form, w),
            WordKind::Attribute(form) => {
                w.block("{", "}", |w| emit_attribute(instruction.op, word.name, form, w));
            }
        }
    }
}

const WRITE_OPERANDS: Template = Template(
    r#"
for (Value operand : op->getOperands()) {
  auto id = getValueID(operand);
  assert(id && "use before def!");
  operands.push_back(id);
}
"#,
);

const WRITE_OPERAND: Template = Template(
    r#"
{
  for (auto arg : op.getODSOperands(@index)) {
    auto argID = getValueID(arg);
    if (!argID) {
      return emitError(op.getLoc(), "operand #@index has a use before def");
    }
    operands.push_back(argID);
  }
}
"#,
);

fn emit_attribute(op: &Operation<'_>, name: &str, form: &AttributeForm, w: &mut Writer) {
    let value = match w.rules().has(Change::SpirvProperties) {
        true => format!("op.{}Attr()", op.getter(name)),
        false => format!("op->getAttr(\"{name}\")"),
    };
    w.braces(format_args!("if (auto attr = {value})"), |w| match form {
        AttributeForm::Enum(class) => {
            let value = enum_value(class, w.rules());
            w.line(format_args!("operands.push_back({value});"));
        }
        AttributeForm::EnumConstant(class) => {
            let value = enum_value(class, w.rules());
            w.line(format_args!(
                "operands.push_back(prepareConstantInt(op.getLoc(), Builder(op).getI32IntegerAttr({value})));"
            ));
        }
        AttributeForm::Integer => {
            let integer = cast(w.rules(), "llvm::cast", "IntegerAttr", "attr").to_string();
            w.line(format_args!(
                "operands.push_back(static_cast<uint32_t>({integer}.getValue().getZExtValue()));"
            ));
        }
        AttributeForm::IntegerConstant => {
            let integer = cast(w.rules(), "llvm::cast", "IntegerAttr", "attr").to_string();
            w.line(format_args!("operands.push_back(prepareConstantInt(op.getLoc(), {integer}));"));
        }
        AttributeForm::Integers => {
            let array = cast(w.rules(), "llvm::cast", "ArrayAttr", "attr").to_string();
            let integer = cast(w.rules(), "llvm::cast", "IntegerAttr", "attrElem").to_string();
            w.fill(WRITE_INTEGERS, &[("array", &array), ("integer", &integer)]);
        }
        AttributeForm::Type if !w.rules().has(Change::SpirvTypesProcessed) => {
            let ty = cast(w.rules(), "llvm::cast", "TypeAttr", "attr").to_string();
            w.line(format_args!("operands.push_back(static_cast<uint32_t>(getTypeID({ty}.getValue())));"));
        }
        AttributeForm::Type => w.fill(WRITE_TYPE, &[]),
        AttributeForm::ScalarConstant => {
            w.line("operands.push_back(prepareConstantScalar(op.getLoc(), attr));");
        }
        AttributeForm::TensorConstant => {
            let elements = cast(w.rules(), "llvm::cast", "DenseElementsAttr", "attr").to_string();
            w.line(format_args!(
                "operands.push_back(prepareConstant(op.getLoc(), {elements}.getType(), attr));"
            ));
        }
    });
    w.line(format_args!("elidedAttrs.push_back(\"{name}\");"));
}

fn enum_value(class: &str, rules: &Rules) -> String {
    let class = format!("{class}Attr");
    let attribute = cast(rules, "::llvm::cast", class, "attr");
    format!("static_cast<uint32_t>({attribute}.getValue())")
}

const WRITE_INTEGERS: Template = Template(
    r#"
for (auto attrElem : @array) {
  operands.push_back(static_cast<uint32_t>(@integer.getValue().getZExtValue()));
}
"#,
);

const WRITE_TYPE: Template = Template(
    r#"
uint32_t attrTypeID = 0;
if (failed(processType(op.getLoc(), llvm::cast<TypeAttr>(attr).getValue(), attrTypeID))) {
  return failure();
}
operands.push_back(attrTypeID);
"#,
);

fn emit_serializer_dispatch(instructions: &[Instruction<'_>], w: &mut Writer) {
    w.braces("LogicalResult Serializer::dispatchToAutogenSerialization(Operation *op)", |w| {
        for Instruction { class, .. } in
            instructions.iter().filter(|it| it.has_opcode || it.extension.is_some())
        {
            w.braces(format_args!("if (isa<{class}>(op))"), |w| {
                w.line(format_args!("return processOp(cast<{class}>(op));"));
            });
        }
        w.line("return op->emitError(\"unhandled operation serialization\");");
    });
    w.blank();
}

fn emit_deserializer(instruction: &Instruction<'_>, w: &mut Writer) {
    let Instruction { class, op, .. } = instruction;
    let has_result = instruction.has_result();
    w.line("template <> LogicalResult");
    w.braces(format_args!("Deserializer::processOp<{class}>(ArrayRef<uint32_t> words)"), |w| {
        if instruction.is_plain() {
            let (name, operands) = (op.name(), op.operands().len());
            w.line(format_args!(
                "return processOpWithoutGrammarAttr(words, \"{name}\", {has_result}, {operands});"
            ));
            return;
        }
        w.fill(READ_START, &[]);
        if has_result {
            w.fill(READ_RESULT, &[("class", class)]);
        }
        w.line("SmallVector<Value, 4> operands;");
        w.line("SmallVector<NamedAttribute, 4> attributes;");
        instruction.operands.iter().for_each(|word| emit_read(word, w));
        w.fill(READ_REST, &[("class", class)]);
        if has_result {
            w.fill(READ_DECORATIONS, &[]);
        }
        w.line("Location loc = createFileLineColLoc(opBuilder);");
        let mut attributes = "attributes";
        if w.rules().has(Change::SpirvProperties)
            && let Some(is_discardable) = is_discardable(op)
        {
            w.fill(SET_PROPERTIES, &[("class", class), ("is_discardable", &is_discardable)]);
            attributes = "properties, discardableAttributes";
        }
        let create = w.create_call(class, "opBuilder");
        w.line(format_args!("auto op = {create}loc, resultTypes, operands, {attributes}); (void)op;"));
        if has_result {
            w.line("valueMap[valueID] = op.getResult();");
            w.blank();
        }
        w.fill(READ_END, &[]);
    });
    w.blank();
}

const READ_START: Template = Template(
    r#"
SmallVector<Type, 1> resultTypes;
size_t wordIndex = 0; (void)wordIndex;
uint32_t valueID = 0; (void)valueID;
"#,
);

const READ_RESULT: Template = Template(
    r#"
{
  if (wordIndex >= words.size()) {
    return emitError(unknownLoc, "expected result type <id> while deserializing @class");
  }
  auto ty = getType(words[wordIndex]);
  if (!ty) {
    return emitError(unknownLoc, "unknown type result <id> : ") << words[wordIndex];
  }
  resultTypes.push_back(ty);
  wordIndex++;
  if (wordIndex >= words.size()) {
    return emitError(unknownLoc, "expected result <id> while deserializing @class");
  }
}
valueID = words[wordIndex++];
"#,
);

const READ_REST: Template = Template(
    r#"
if (wordIndex != words.size()) {
  return emitError(unknownLoc, "found more operands than expected when deserializing @class, only ") << wordIndex << " of " << words.size() << " processed";
}

"#,
);

const READ_DECORATIONS: Template = Template(
    r#"
if (decorations.count(valueID)) {
  auto attrs = decorations[valueID].getAttrs();
  attributes.append(attrs.begin(), attrs.end());
}
"#,
);

/// Returns the condition under which an attribute called `name` is none of an operation's properties; nothing if it has
/// no properties.
fn is_discardable(op: &Operation<'_>) -> Option<String> {
    let mut names: Vec<&str> = op.attributes().iter().map(|attribute| attribute.name).collect();
    if op.has_trait("::mlir::OpTrait::AttrSizedOperandSegments") {
        names.extend(["operandSegmentSizes", "operand_segment_sizes"]);
    }
    if op.has_trait("::mlir::OpTrait::AttrSizedResultSegments") {
        names.extend(["resultSegmentSizes", "result_segment_sizes"]);
    }
    let conditions = names.iter().map(|name| format!("name != \"{name}\""));
    (!names.is_empty()).then(|| join(conditions, " && ").to_string())
}

const SET_PROPERTIES: Template = Template(
    r#"
@class::Properties properties{};
@class::populateDefaultProperties(
    OperationName(@class::getOperationName(), opBuilder.getContext()), properties);
if (failed(@class::setPropertiesFromAttr(
        properties, opBuilder.getDictionaryAttr(attributes),
        [&]() { return emitError(loc); })))
  return failure();
SmallVector<NamedAttribute> discardableAttributes;
for (NamedAttribute attr : attributes) {
  StringRef name = attr.getName().getValue();
  (void)name;
  if (@is_discardable)
    discardableAttributes.push_back(attr);
}
"#,
);

const READ_END: Template = Template(
    r#"
if (op.hasTrait<OpTrait::IsTerminator>())
  (void)clearDebugLine();
return success();
"#,
);

fn emit_read(word: &Word<'_>, w: &mut Writer) {
    let form = match &word.kind {
        WordKind::Operand { is_variable_length, .. } => {
            w.fill(if *is_variable_length { READ_OPERANDS } else { READ_OPERAND }, &[]);
            return;
        }
        WordKind::Attribute(form) => form,
    };
    let name = word.name;
    let named = |value: &str| format!("attributes.push_back(opBuilder.getNamedAttr(\"{name}\", {value}));");
    w.braces("if (wordIndex < words.size())", |w| match form {
        AttributeForm::Enum(class) => {
            let value = format!("opBuilder.getAttr<{class}Attr>(static_cast<{class}>(words[wordIndex++]))");
            // The reference indents this line twice.
            w.indented(|w| w.line(named(&value)));
        }
        AttributeForm::EnumConstant(class) => w.line(named(&format!(
            "opBuilder.getAttr<{class}Attr>(static_cast<{class}>(getConstantInt(words[wordIndex++])\
             .getValue().getZExtValue()))"
        ))),
        AttributeForm::Integer => w.line(named("opBuilder.getI32IntegerAttr(words[wordIndex++])")),
        AttributeForm::IntegerConstant => w.line(named("getConstantInt(words[wordIndex++])")),
        AttributeForm::Integers => {
            w.fill(READ_INTEGERS, &[]);
            w.line(named("opBuilder.getArrayAttr(attrListElems)"));
        }
        AttributeForm::Type => w.line(named("TypeAttr::get(getType(words[wordIndex++]))")),
        AttributeForm::ScalarConstant | AttributeForm::TensorConstant => {
            w.fill(READ_CONSTANT, &[("name", &name)]);
            w.line(named("c.value().first"));
        }
    });
}

const READ_CONSTANT: Template = Template(
    r#"
std::optional<std::pair<Attribute, Type>> c = getConstant(words[wordIndex++]);
if (!c.has_value()) {
  return emitError(unknownLoc, "could not fetch constant attribute for @name") << wordIndex << " of " << words.size() << " processed";
}
"#,
);

const READ_OPERAND: Template = Template(
    r#"
if (wordIndex < words.size()) {
  auto arg = getValue(words[wordIndex]);
  if (!arg) {
    return emitError(unknownLoc, "unknown result <id> : ") << words[wordIndex];
  }
  operands.push_back(arg);
  wordIndex++;
}
"#,
);

const READ_OPERANDS: Template = Template(
    r#"
for (; wordIndex < words.size(); ++wordIndex) {
  auto arg = getValue(words[wordIndex]);
  if (!arg) {
    return emitError(unknownLoc, "unknown result <id> : ") << words[wordIndex];
  }
  operands.push_back(arg);
}
"#,
);

const READ_INTEGERS: Template = Template(
    r#"
SmallVector<Attribute, 4> attrListElems;
while (wordIndex < words.size()) {
  attrListElems.push_back(opBuilder.getI32IntegerAttr(words[wordIndex++]));
}
"#,
);

fn emit_deserializer_dispatch(instructions: &[Instruction<'_>], w: &mut Writer) {
    w.braces(
        "LogicalResult spirv::Deserializer::dispatchToAutogenDeserialization(spirv::Opcode opcode, \
         ArrayRef<uint32_t> words)",
        |w| {
            w.line("switch (opcode) {");
            for Instruction { class, opcode, .. } in instructions.iter().filter(|it| it.has_opcode) {
                w.line(format_args!("case spirv::Opcode::{opcode}:"));
                w.line(format_args!("  return processOp<{class}>(words);"));
            }
            w.fill(UNKNOWN_OPCODE, &[]);
        },
    );
}

const UNKNOWN_OPCODE: Template = Template(
    r#"
default:
  ;
}
auto opcodeString = spirv::stringifyOpcode(opcode);
if (!opcodeString.empty()) {
  return emitError(unknownLoc, "unhandled deserialization of ") << opcodeString;
} else {
 return emitError(unknownLoc, "unhandled opcode ") << static_cast<uint32_t>(opcode);
}
"#,
);

fn emit_extension_dispatch(instructions: &[&Instruction<'_>], w: &mut Writer) {
    let extended = || instructions.iter().filter_map(|it| Some((it.extension?, &it.class)));
    w.braces(
        "LogicalResult spirv::Deserializer::dispatchToExtensionSetAutogenDeserialization(StringRef \
         extensionSetName, uint32_t instructionID, ArrayRef<uint32_t> words)",
        |w| {
            let rules = *w.rules();
            for name in in_map_order(&rules, extended().map(|((set, _), _)| set)) {
                w.braces(format_args!("if (extensionSetName == \"{name}\")"), |w| {
                    w.line("switch (instructionID) {");
                    for ((_, number), class) in extended().filter(|((set, _), _)| *set == name) {
                        w.line(format_args!("case {number}:"));
                        w.line(format_args!("  return processOp<{class}>(words);"));
                    }
                    w.fill(UNKNOWN_INSTRUCTION, &[]);
                });
            }
            w.line(
                "return emitError(unknownLoc, \
                 \"unhandled deserialization of extended instruction set extensionSetName\");",
            );
        },
    );
}

const UNKNOWN_INSTRUCTION: Template = Template(
    r#"
default:
  return emitError(unknownLoc, "unhandled deserializations of ") << instructionID << " from extension set " << extensionSetName;
}
"#,
);
