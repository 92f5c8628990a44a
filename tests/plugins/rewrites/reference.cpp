// Six small generators, over derivatives and groups of patterns.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

using namespace llvm;

static bool emitDerivatives(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *record : records.getAllDerivedDefinitions("Derivative")) {
    if (record->getValueAsBit("inactive"))
      continue;
    StringRef op = record->getValueAsString("op");
    os << "struct " << op << "Rev : public ReverseAutoDiff<" << op << "> {\n"
       << "  void reverse(" << op << " op, OpBuilder &builder) const {\n";
    for (auto [index, rule] :
         llvm::enumerate(record->getValueAsListOfStrings("rules")))
      os << "    addToDiffe(op->getOperand(" << index << "), " << rule
         << ", builder);\n";
    os << "  }\n};\n\n";
  }
  return false;
}

static bool emitActivity(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *record : records.getAllDerivedDefinitions("Derivative")) {
    StringRef op = record->getValueAsString("op");
    bool isInactive = record->getValueAsBit("inactive");
    os << "struct " << op << "Activity : public ActivityInterface<" << op
       << "> {\n  bool isInactive() const { return "
       << (isInactive ? "true" : "false") << "; }\n};\n\n";
  }
  return false;
}

static bool emitRegistration(const RecordKeeper &records, raw_ostream &os) {
  os << "void registerInterfaces(MLIRContext *context) {\n";
  for (const Record *record : records.getAllDerivedDefinitions("Derivative")) {
    StringRef op = record->getValueAsString("op");
    os << "  " << op << "::attachInterface<" << op << "Activity";
    if (!record->getValueAsBit("inactive"))
      os << ", " << op << "Rev";
    os << ">(*context);\n";
  }
  os << "}\n";
  return false;
}

static bool emitPopulate(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *group : records.getAllDerivedDefinitions("PatternGroup")) {
    StringRef name = group->getValueAsString("name");
    os << "void populate" << convertToCamelFromSnakeCase(name, true)
       << "Patterns(RewritePatternSet &patterns, PatternBenefit benefit) {\n"
       << "  patterns.insert<";
    llvm::interleaveComma(group->getValueAsListOfStrings("patterns"), os);
    os << ">(patterns.getContext(), benefit);\n}\n\n";
  }
  return false;
}

static bool emitOptions(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *group : records.getAllDerivedDefinitions("PatternGroup")) {
    os << "def Apply" << group->getName() << " : TransformPatternOp<\"apply_"
       << group->getValueAsString("name") << "\"> {\n"
       << "  let benefit = " << group->getValueAsInt("benefit") << ";\n"
       << "  let patterns = [";
    llvm::interleaveComma(
        group->getValueAsListOfStrings("patterns"), os,
        [&](StringRef pattern) { os << "\"" << pattern << "\""; });
    os << "];\n}\n\n";
  }
  return false;
}

static bool emitNames(const RecordKeeper &records, raw_ostream &os) {
  os << "ALL = [\n";
  for (const Record *group : records.getAllDerivedDefinitions("PatternGroup")) {
    StringRef name = group->getValueAsString("name");
    int64_t benefit = group->getValueAsInt("benefit");
    for (StringRef pattern : group->getValueAsListOfStrings("patterns"))
      os << "    (\"" << name << "\", \"" << pattern << "\", " << benefit
         << "),\n";
  }
  os << "]\n";
  return false;
}

static mlir::GenRegistration a("gen-derivatives", "", emitDerivatives);
static mlir::GenRegistration b("gen-activity", "", emitActivity);
static mlir::GenRegistration c("gen-registration", "", emitRegistration);
static mlir::GenRegistration d("gen-populate", "", emitPopulate);
static mlir::GenRegistration e("gen-transform-ops", "", emitOptions);
static mlir::GenRegistration f("gen-pattern-names", "", emitNames);

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
