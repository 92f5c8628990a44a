// -gen-builder-decls, -gen-builder-defs: a function for each operation that builds it from values.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"
#include "mlir/TableGen/Attribute.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/TableGen/Operator.h"
#include "mlir/TableGen/Region.h"
#include "mlir/TableGen/Type.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

using namespace llvm;
using mlir::tblgen::NamedAttribute;
using mlir::tblgen::NamedTypeConstraint;
using mlir::tblgen::Operator;

namespace {

/// A parameter of a builder function.
struct Parameter {
  std::string type;
  std::string name;
  std::string defaultValue;
};

/// The builder function of an operation.
class BuilderFunction {
public:
  explicit BuilderFunction(const Operator &op) : op(op) {
    collectParameters();
  }

  /// Returns the reason why there is no function.
  std::optional<StringRef> getRefusal() const {
    if (op.getNumSuccessors() != 0)
      return StringRef("successors are not supported");
    return std::nullopt;
  }

  std::string getName() const {
    StringRef mnemonic = op.getDef().getValueAsString("opName");
    return convertToCamelFromSnakeCase(mnemonic, /*capitalizeFirst=*/true);
  }

  StringRef getReturnType() const {
    if (op.getNumResults() == 0)
      return "void";
    if (op.getNumResults() == 1 && !op.getResult(0).isVariableLength())
      return "MlirOp";
    return "SmallVector<MlirOp>";
  }

  void emitSummary(raw_ostream &os) const {
    if (op.hasSummary())
      os << "/// " << op.getSummary() << ".\n";
  }

  void emitSignature(raw_ostream &os, bool withDefaults) const {
    os << getReturnType() << " " << getName() << "(";
    llvm::interleaveComma(parameters, os, [&](const Parameter &parameter) {
      os << parameter.type << parameter.name;
      if (withDefaults && !parameter.defaultValue.empty())
        os << " = " << parameter.defaultValue;
    });
    os << ")";
  }

  void emitBody(raw_ostream &os) const {
    os << " {\n";
    emitBuilder(os);
    emitOperands(os);
    emitAttributes(os);
    emitState(os);
    emitResult(os);
    os << "}\n";
  }

private:
  /// True if the types of results follow from the operands.
  bool infersTypes() const {
    return op.getTrait("::mlir::InferTypeOpInterface::Trait") != nullptr;
  }

  static std::string getVariable(StringRef name) {
    return convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/false);
  }

  /// Returns the first operand that is always there: it knows the builder.
  const NamedTypeConstraint *getBuilderOperand() const {
    for (const NamedTypeConstraint &operand : op.getOperands())
      if (!operand.isVariableLength())
        return &operand;
    return nullptr;
  }

  static bool isOptional(const NamedAttribute &attribute) {
    return attribute.attr.isOptional() || attribute.attr.hasDefaultValue();
  }

  void collectParameters() {
    SmallVector<Parameter> last;
    if (!getBuilderOperand())
      parameters.push_back({"MlirBuilder &", "builder", ""});
    if (!infersTypes()) {
      for (const NamedTypeConstraint &result : op.getResults())
        parameters.push_back({result.isVariableLength() ? "TypeRange "
                                                        : "Type ",
                              getVariable(result.name) + "Type", ""});
    }
    for (int index = 0, end = op.getNumArgs(); index != end; ++index) {
      mlir::tblgen::Argument argument = op.getArg(index);
      if (auto *operand = dyn_cast<NamedTypeConstraint *>(argument)) {
        std::string name = getVariable(operand->name);
        if (operand->isOptional())
          last.push_back({"std::optional<MlirOp> ", name, "{}"});
        else if (operand->isVariadic())
          parameters.push_back({"ArrayRef<MlirOp> ", name, ""});
        else
          parameters.push_back({"MlirOp ", name, ""});
        continue;
      }
      auto *attribute = dyn_cast<NamedAttribute *>(argument);
      if (!attribute)
        continue;
      std::string type = attribute->attr.getStorageType().str() + " ";
      std::string name = getVariable(attribute->name);
      if (isOptional(*attribute))
        last.push_back({type, name, "{}"});
      else
        parameters.push_back({type, name, ""});
    }
    for (const auto &region : op.getRegions())
      parameters.push_back(
          {"const RegionBuilderCallback &", getVariable(region.name), ""});
    llvm::append_range(parameters, last);
  }

  void emitBuilder(raw_ostream &os) const {
    if (const NamedTypeConstraint *operand = getBuilderOperand())
      os << "  MlirBuilder &builder = " << getVariable(operand->name)
         << ".getBuilder();\n";
  }

  void emitOperands(raw_ostream &os) const {
    os << "  SmallVector<Value> operands;\n";
    SmallVector<std::string> segments;
    for (const NamedTypeConstraint &operand : op.getOperands()) {
      std::string name = getVariable(operand.name);
      if (operand.isOptional()) {
        os << "  if (" << name << ")\n    operands.push_back(" << name
           << "->getValue());\n";
        segments.push_back(name + " ? 1 : 0");
      } else if (operand.isVariadic()) {
        os << "  llvm::append_range(operands, unwrap(" << name << "));\n";
        segments.push_back("static_cast<int32_t>(" + name + ".size())");
      } else {
        os << "  operands.push_back(" << name << ".getValue());\n";
        segments.push_back("1");
      }
    }
    if (op.getNumVariableLengthOperands() > 1) {
      os << "  builder.setSegments({";
      llvm::interleaveComma(segments, os);
      os << "});\n";
    }
  }

  void emitAttributes(raw_ostream &os) const {
    os << "  NamedAttrList attributes;\n";
    for (const NamedAttribute &attribute : op.getAttributes()) {
      if (attribute.attr.isDerivedAttr())
        continue;
      std::string name = getVariable(attribute.name);
      if (isOptional(attribute))
        os << "  if (" << name << ")\n  ";
      os << "  attributes.append(\"" << attribute.name << "\", " << name
         << ");\n";
    }
  }

  void emitState(raw_ostream &os) const {
    os << "  " << (op.getNumResults() == 0 ? "" : "Operation *op = ")
       << "builder.create<" << op.getQualCppClassName() << ">(";
    if (infersTypes()) {
      os << "builder.inferTypes<" << op.getQualCppClassName()
         << ">(operands, attributes)";
    } else {
      os << "concatTypes(";
      llvm::interleaveComma(op.getResults(), os, [&](const auto &result) {
        os << getVariable(result.name) << "Type";
      });
      os << ")";
    }
    os << ", operands, attributes";
    for (const auto &region : op.getRegions())
      os << ", " << getVariable(region.name);
    os << ");\n";
  }

  void emitResult(raw_ostream &os) const {
    if (op.getNumResults() == 0)
      return;
    if (getReturnType() == "MlirOp")
      os << "  return MlirOp(builder, op->getResult(0));\n";
    else
      os << "  return wrap(builder, op->getResults());\n";
  }

  const Operator &op;
  SmallVector<Parameter> parameters;
};

} // namespace

static bool emitAll(const RecordKeeper &records, raw_ostream &os,
                    bool isDefinition) {
  for (const Record *record : records.getAllDerivedDefinitions("Op")) {
    Operator op(*record);
    BuilderFunction function(op);
    if (auto reason = function.getRefusal()) {
      os << "// " << op.getOperationName() << ": " << *reason << ".\n\n";
      continue;
    }
    if (!isDefinition)
      function.emitSummary(os);
    function.emitSignature(os, /*withDefaults=*/!isDefinition);
    if (isDefinition)
      function.emitBody(os);
    else
      os << ";\n";
    os << "\n";
  }
  return false;
}

static mlir::GenRegistration
    decls("gen-builder-decls", "Generate declarations of builder functions",
          [](const RecordKeeper &records, raw_ostream &os) {
            return emitAll(records, os, /*isDefinition=*/false);
          });
static mlir::GenRegistration
    defs("gen-builder-defs", "Generate definitions of builder functions",
         [](const RecordKeeper &records, raw_ostream &os) {
           return emitAll(records, os, /*isDefinition=*/true);
         });

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
