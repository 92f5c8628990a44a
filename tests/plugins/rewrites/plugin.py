#!/usr/bin/env python3
"""Six small generators, over derivatives and groups of patterns."""

import odsmith

def derivative(_, it):
    rules = "".join(f"    addToDiffe(op->getOperand({at}), {rule}, builder);\n" for at, rule in enumerate(it["rules"]))
    head = f"struct {it['op']}Rev : public ReverseAutoDiff<{it['op']}> {{\n  void reverse({it['op']} op, OpBuilder &builder) const {{\n"
    return "" if it["inactive"] else f"{head}{rules}  }}\n}};\n\n"

def activity(_, it):
    value = "true" if it["inactive"] else "false"
    return f"struct {it['op']}Activity : public ActivityInterface<{it['op']}> {{\n  bool isInactive() const {{ return {value}; }}\n}};\n\n"

def registration(_, it):
    reverse = "" if it["inactive"] else f", {it['op']}Rev"
    return f"  {it['op']}::attachInterface<{it['op']}Activity{reverse}>(*context);\n"

def populate(_, it):
    head = f"void populate{it['name'].title()}Patterns(RewritePatternSet &patterns, PatternBenefit benefit) {{\n"
    return f"{head}  patterns.insert<{', '.join(it['patterns'])}>(patterns.getContext(), benefit);\n}}\n\n"

def transform(name, it):
    patterns = ", ".join(f'"{pattern}"' for pattern in it["patterns"])
    return f"def Apply{name} : TransformPatternOp<\"apply_{it['name']}\"> {{\n  let benefit = {it['benefit']};\n  let patterns = [{patterns}];\n}}\n\n"

def names(_, it):
    return "".join(f"    (\"{it['name']}\", \"{pattern}\", {it['benefit']}),\n" for pattern in it["patterns"])

GENERATORS = {
    "gen-derivatives": ("Derivative", "", derivative, ""),
    "gen-activity": ("Derivative", "", activity, ""),
    "gen-registration": ("Derivative", "void registerInterfaces(MLIRContext *context) {\n", registration, "}\n"),
    "gen-populate": ("PatternGroup", "", populate, ""),
    "gen-transform-ops": ("PatternGroup", "", transform, ""),
    "gen-pattern-names": ("PatternGroup", "ALL = [\n", names, "]\n"),
}

def generate(request):
    of, head, each, tail = GENERATORS[request["generator"]]
    if "records" not in request:
        return odsmith.needs([of])
    return odsmith.file(request, head + "".join(each(*one) for one in odsmith.of_class(request["records"], of)) + tail)

odsmith.run(generate)
