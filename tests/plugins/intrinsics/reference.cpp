// -gen-intrinsics: a converter for each intrinsic, and the function that registers all of them.
// -gen-intrinsic-docs: a page of them.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

using namespace llvm;

namespace {

/// One input of an intrinsic.
struct Input {
  StringRef type;
  int64_t width;
  bool isOptional;

  explicit Input(const Record *record)
      : type(record->getValueAsString("type")),
        width(record->getValueAsInt("width")),
        isOptional(record->getValueAsBit("optional")) {}
};

/// One parameter of an intrinsic.
struct Param {
  StringRef kind;
  StringRef name;
  bool isOptional;

  explicit Param(const Record *record)
      : kind(record->getValueAsString("kind")),
        name(record->getValueAsString("name")),
        isOptional(record->getValueAsBit("optional")) {}
};

/// An intrinsic with everything that is printed of it.
class Intrinsic {
public:
  explicit Intrinsic(const Record *record) : record(record) {
    for (const Record *input : record->getValueAsListOfDefs("inputs"))
      inputs.emplace_back(input);
    for (const Record *param : record->getValueAsListOfDefs("params"))
      params.emplace_back(param);
    bool hasOptional = false;
    for (const Input &input : inputs) {
      if (hasOptional && !input.isOptional)
        PrintFatalError(record, "an optional input precedes another one");
      hasOptional |= input.isOptional;
    }
  }

  StringRef getClassName() const { return record->getName(); }
  StringRef getName() const { return record->getValueAsString("name"); }
  StringRef getOp() const { return record->getValueAsString("op"); }
  StringRef getDoc() const { return record->getValueAsString("doc"); }

  std::vector<StringRef> getNames() const {
    std::vector<StringRef> names{getName()};
    for (StringRef alias : record->getValueAsListOfStrings("aliases"))
      names.push_back(alias);
    return names;
  }

  std::optional<StringRef> getResult() const {
    return record->getValueAsOptionalString("result");
  }

  size_t getNumOptionalInputs() const {
    return llvm::count_if(inputs, [](auto &it) { return it.isOptional; });
  }

  size_t getNumOptionalParams() const {
    return llvm::count_if(params, [](auto &it) { return it.isOptional; });
  }

  ArrayRef<Input> getInputs() const { return inputs; }
  ArrayRef<Param> getParams() const { return params; }

private:
  const Record *record;
  SmallVector<Input> inputs;
  SmallVector<Param> params;
};

} // namespace

static void emitCheck(const Intrinsic &intrinsic, raw_ostream &os) {
  os << "  bool check(GenericIntrinsic gi) override {\n";
  os << "    return gi.hasNInputs(" << intrinsic.getInputs().size() << ", "
     << intrinsic.getNumOptionalInputs() << ")";
  for (auto [index, input] : llvm::enumerate(intrinsic.getInputs())) {
    os << " ||\n           ";
    if (input.isOptional)
      os << "(gi.getNumInputs() > " << index << " && ";
    if (input.width > 0)
      os << "gi.sizedInput<" << input.type << ">(" << index << ", "
         << input.width << ")";
    else
      os << "gi.typedInput<" << input.type << ">(" << index << ")";
    if (input.isOptional)
      os << ")";
  }
  for (const Param &param : intrinsic.getParams()) {
    os << " ||\n           gi.named" << param.kind << "Param(\"" << param.name
       << "\"";
    if (param.isOptional)
      os << ", /*optional=*/true";
    os << ")";
  }
  os << " ||\n           gi.hasNParam(" << intrinsic.getParams().size() << ", "
     << intrinsic.getNumOptionalParams() << ")";
  if (auto result = intrinsic.getResult())
    os << " ||\n           gi.typedOutput<" << *result << ">()";
  else
    os << " ||\n           gi.hasNoOutput()";
  os << ";\n  }\n";
}

static void emitConvert(const Intrinsic &intrinsic, raw_ostream &os) {
  os << "  void convert(GenericIntrinsic gi, GenericIntrinsicOpAdaptor "
        "adaptor,\n               PatternRewriter &rewriter) override {\n";
  for (const Param &param : intrinsic.getParams())
    os << "    auto " << param.name.lower() << "Param = gi.getParamValue<"
       << (param.kind == "Int" ? "IntegerAttr" : "StringAttr") << ">(\""
       << param.name << "\");\n";
  if (intrinsic.getResult())
    os << "    rewriter.replaceOpWithNewOp<" << intrinsic.getOp()
       << ">(gi.op, gi.op.getResultTypes(), adaptor.getOperands()";
  else
    os << "    rewriter.create<" << intrinsic.getOp()
       << ">(gi.op.getLoc(), adaptor.getOperands()";
  for (const Param &param : intrinsic.getParams())
    os << ", " << param.name.lower() << "Param";
  os << ");\n";
  if (!intrinsic.getResult())
    os << "    rewriter.eraseOp(gi.op);\n";
  os << "  }\n";
}

static bool emitConverters(const RecordKeeper &records, raw_ostream &os) {
  std::vector<Intrinsic> intrinsics;
  for (const Record *record : records.getAllDerivedDefinitions("Intrinsic"))
    intrinsics.emplace_back(record);
  os << "// Converters of intrinsics.\n\nnamespace {\n";
  for (const Intrinsic &intrinsic : intrinsics) {
    os << "\nclass " << intrinsic.getClassName()
       << "Converter : public IntrinsicConverter {\npublic:\n"
       << "  using IntrinsicConverter::IntrinsicConverter;\n\n";
    emitCheck(intrinsic, os);
    os << "\n";
    emitConvert(intrinsic, os);
    os << "};\n";
  }
  os << "\n} // namespace\n\nvoid populateIntrinsics(IntrinsicLowerings "
        "&lowerings) {\n";
  for (const Intrinsic &intrinsic : intrinsics) {
    os << "  lowerings.add<" << intrinsic.getClassName() << "Converter>(";
    llvm::interleaveComma(intrinsic.getNames(), os, [&](StringRef name) {
      os << "\"" << name << "\"";
    });
    os << ");\n";
  }
  os << "}\n";
  return false;
}

/// Prints a text without the indentation of its first line.
static void emitDoc(StringRef doc, raw_ostream &os) {
  SmallVector<StringRef> lines;
  doc.split(lines, '\n');
  while (!lines.empty() && lines.front().trim().empty())
    lines.erase(lines.begin());
  while (!lines.empty() && lines.back().trim().empty())
    lines.pop_back();
  if (lines.empty())
    return;
  size_t indent = lines.front().find_first_not_of(' ');
  for (StringRef line : lines)
    os << line.drop_front(std::min(indent, line.size())).rtrim() << "\n";
  os << "\n";
}

static bool emitDocs(const RecordKeeper &records, raw_ostream &os) {
  os << "# Intrinsics\n\n";
  for (const Record *record : records.getAllDerivedDefinitions("Intrinsic")) {
    Intrinsic intrinsic(record);
    os << "## " << intrinsic.getName() << "\n\n";
    emitDoc(intrinsic.getDoc(), os);
    std::vector<StringRef> names = intrinsic.getNames();
    if (names.size() > 1) {
      os << "Also known as ";
      llvm::interleaveComma(ArrayRef(names).drop_front(), os,
                            [&](StringRef name) { os << "`" << name << "`"; });
      os << ".\n\n";
    }
    if (!intrinsic.getParams().empty()) {
      os << "| Parameter | Type |\n| --- | --- |\n";
      for (const Param &param : intrinsic.getParams())
        os << "| " << param.name << " | " << param.kind.lower()
           << (param.isOptional ? ", optional" : "") << " |\n";
      os << "\n";
    }
    if (!intrinsic.getInputs().empty()) {
      os << "| Input | Type |\n| --- | --- |\n";
      for (auto [index, input] : llvm::enumerate(intrinsic.getInputs())) {
        os << "| " << index << " | " << input.type;
        if (input.width > 0)
          os << "<" << input.width << ">";
        os << (input.isOptional ? ", optional" : "") << " |\n";
      }
      os << "\n";
    }
    if (auto result = intrinsic.getResult())
      os << "Returns " << *result << ".\n\n";
  }
  return false;
}

static mlir::GenRegistration converters("gen-intrinsics",
                                        "Generate converters of intrinsics",
                                        emitConverters);
static mlir::GenRegistration docs("gen-intrinsic-docs",
                                  "Generate a page of intrinsics", emitDocs);

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
