#!/usr/bin/env python3
"""-gen-costs: a switch over the names of operations.
-gen-backend-table: the operations of each backend, as Markdown.
-gen-patterns: patterns that swap operands and collect keys."""

import odsmith


def costs(ops, _):
    def switch(function, field, rows):
        cases = "".join(f"      .Case(\"secret.{op['name']}\", {op[field]})\n" for _, op in rows)
        return f"int64_t {function}(llvm::StringRef name) {{\n  return llvm::StringSwitch<int64_t>(name)\n{cases}      .Default(0);\n}}\n"

    return switch("getCost", "cost", ops) + "\n" + switch("getDepth", "depth", [one for one in ops if one[1]["depth"]])


def table(ops, backends):
    text = "# Backends\n"
    for record, backend in backends:
        limit = f"The depth is at most {backend['maxDepth']}" if backend["maxDepth"] else "Depth is not limited"
        text += f"\n## {backend['name']}\n\n{limit}.\n\n| Operation | Cost | Key |\n| --- | ---: | --- |\n"
        for _, op in ops:
            if record in map(odsmith.name_of, op["backends"]):
                text += f"| `secret.{op['name']}` | {op['cost']} | {'yes' if op['needsKey'] else 'no'} |\n"
    return text


def patterns(ops, _):
    text, names = "", []
    for record, op in ops:
        for field, verb, noun, function in [("commutes", "Swap", "Operands", "swapOperands"), ("needsKey", "Collect", "Keys", "collectKeys")]:
            if op[field]:
                names.append(verb + record + noun)
                text += f"""struct {names[-1]} : public OpRewritePattern<secret::{record}Op> {{
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(secret::{record}Op op,
                                PatternRewriter &rewriter) const override {{
    return {function}(op, rewriter);
  }}
}};

"""
    return text + f"void populatePatterns(RewritePatternSet &patterns) {{\n  patterns.add<{', '.join(names)}>(patterns.getContext());\n}}\n"


def generate(request):
    if "records" not in request:
        return odsmith.needs(["SecretOp", "Backend"])
    ops, backends = (list(odsmith.of_class(request["records"], name)) for name in ["SecretOp", "Backend"])
    for name, op in ops:
        if op["cost"] < 0:
            return odsmith.error(name, "a cost is negative")
    return odsmith.file(request, {"gen-costs": costs, "gen-backend-table": table, "gen-patterns": patterns}[request["generator"]](ops, backends))


odsmith.run(generate)
