// -gen-costs: a switch over the names of operations.
// -gen-backend-table: the operations of each backend, as Markdown.
// -gen-patterns: patterns that swap operands and collect keys.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

using namespace llvm;

namespace {

/// An operation of the scheme.
class SecretOp {
public:
  explicit SecretOp(const Record *record) : record(record) {
    if (getCost() < 0)
      PrintFatalError(record, "a cost is negative");
  }

  StringRef getClassName() const { return record->getName(); }
  StringRef getName() const { return record->getValueAsString("name"); }
  int64_t getCost() const { return record->getValueAsInt("cost"); }
  int64_t getDepth() const { return record->getValueAsInt("depth"); }
  bool isCommutative() const { return record->getValueAsBit("commutes"); }
  bool needsKey() const { return record->getValueAsBit("needsKey"); }

  std::vector<const Record *> getBackends() const {
    return record->getValueAsListOfDefs("backends");
  }

  bool isOf(const Record *backend) const {
    return llvm::is_contained(getBackends(), backend);
  }

private:
  const Record *record;
};

} // namespace

static std::vector<SecretOp> getOps(const RecordKeeper &records) {
  std::vector<SecretOp> ops;
  for (const Record *record : records.getAllDerivedDefinitions("SecretOp"))
    ops.emplace_back(record);
  return ops;
}

static bool emitCosts(const RecordKeeper &records, raw_ostream &os) {
  std::vector<SecretOp> ops = getOps(records);
  os << "int64_t getCost(llvm::StringRef name) {\n"
     << "  return llvm::StringSwitch<int64_t>(name)\n";
  for (const SecretOp &op : ops)
    os << "      .Case(\"secret." << op.getName() << "\", " << op.getCost()
       << ")\n";
  os << "      .Default(0);\n}\n\n";
  os << "int64_t getDepth(llvm::StringRef name) {\n"
     << "  return llvm::StringSwitch<int64_t>(name)\n";
  for (const SecretOp &op : ops) {
    if (op.getDepth() == 0)
      continue;
    os << "      .Case(\"secret." << op.getName() << "\", " << op.getDepth()
       << ")\n";
  }
  os << "      .Default(0);\n}\n";
  return false;
}

static bool emitTable(const RecordKeeper &records, raw_ostream &os) {
  std::vector<SecretOp> ops = getOps(records);
  os << "# Backends\n";
  for (const Record *backend : records.getAllDerivedDefinitions("Backend")) {
    os << "\n## " << backend->getValueAsString("name") << "\n\n";
    int64_t depth = backend->getValueAsInt("maxDepth");
    if (depth == 0)
      os << "Depth is not limited.\n\n";
    else
      os << "The depth is at most " << depth << ".\n\n";
    os << "| Operation | Cost | Key |\n| --- | ---: | --- |\n";
    for (const SecretOp &op : ops) {
      if (!op.isOf(backend))
        continue;
      os << "| `secret." << op.getName() << "` | " << op.getCost() << " | "
         << (op.needsKey() ? "yes" : "no") << " |\n";
    }
  }
  return false;
}

static bool emitPatterns(const RecordKeeper &records, raw_ostream &os) {
  std::vector<SecretOp> ops = getOps(records);
  SmallVector<std::string> patterns;
  for (const SecretOp &op : ops) {
    if (op.isCommutative()) {
      std::string name = ("Swap" + op.getClassName() + "Operands").str();
      os << "struct " << name << " : public OpRewritePattern<secret::"
         << op.getClassName() << "Op> {\n"
         << "  using OpRewritePattern::OpRewritePattern;\n"
         << "  LogicalResult matchAndRewrite(secret::" << op.getClassName()
         << "Op op,\n"
         << "                                PatternRewriter &rewriter) const "
            "override {\n"
         << "    return swapOperands(op, rewriter);\n  }\n};\n\n";
      patterns.push_back(name);
    }
    if (op.needsKey()) {
      std::string name = ("Collect" + op.getClassName() + "Keys").str();
      os << "struct " << name << " : public OpRewritePattern<secret::"
         << op.getClassName() << "Op> {\n"
         << "  using OpRewritePattern::OpRewritePattern;\n"
         << "  LogicalResult matchAndRewrite(secret::" << op.getClassName()
         << "Op op,\n"
         << "                                PatternRewriter &rewriter) const "
            "override {\n"
         << "    return collectKeys(op, rewriter);\n  }\n};\n\n";
      patterns.push_back(name);
    }
  }
  os << "void populatePatterns(RewritePatternSet &patterns) {\n  patterns.add<";
  llvm::interleaveComma(patterns, os);
  os << ">(patterns.getContext());\n}\n";
  return false;
}

static mlir::GenRegistration costs("gen-costs", "Generate costs", emitCosts);
static mlir::GenRegistration table("gen-backend-table",
                                   "Generate a table of backends", emitTable);
static mlir::GenRegistration patterns("gen-patterns", "Generate patterns",
                                      emitPatterns);

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
