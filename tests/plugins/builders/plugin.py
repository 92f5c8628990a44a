#!/usr/bin/env python3
"""-gen-builder-decls, -gen-builder-defs: a function for each operation that builds it from values."""

import odsmith


def camel(name, first=str.lower):
    head, *rest = name.split("_")
    return first(head[:1]) + head[1:] + "".join(part[:1].upper() + part[1:] for part in rest)


def function(op, model, is_definition):
    parts = [(part, camel(part["name"]), model["constraints"][part["constraint"]]) for part in op["arguments"] + op["results"]]
    of_kind = lambda kind: [(part, name, it) for part, name, it in parts if part["kind"] == kind]
    count = lambda it: it["type"]["cardinality"]
    operands, attributes, results = of_kind("operand"), of_kind("attribute"), of_kind("result")
    infers = any(model["traits"][at]["cpp_name"] == "::mlir::InferTypeOpInterface::Trait" for at in op["traits"])
    regions = [camel(region["name"]) for region in op["regions"]]
    optional = lambda it: it["attribute"]["is_optional"] or "default_value" in it["attribute"]
    source = next((name for _, name, it in operands if count(it) == "one"), None)
    returned = "void" if not results else "MlirOp" if len(results) == 1 and count(results[0][2]) == "one" else "SmallVector<MlirOp>"

    first, last = [] if source else ["MlirBuilder &builder"], []
    if not infers:
        first += [f"{'Type' if count(it) == 'one' else 'TypeRange'} {name}Type" for _, name, it in results]
    for part, name, it in parts[: len(op["arguments"])]:
        if part["kind"] == "operand":
            types = {"one": "MlirOp", "variadic": "ArrayRef<MlirOp>", "optional": "std::optional<MlirOp>"}
            (last if count(it) == "optional" else first).append(f"{types[count(it)]} {name}")
        else:
            (last if optional(it) else first).append(f"{it['attribute']['storage_type']} {name}")
    first += [f"const RegionBuilderCallback &{region}" for region in regions]
    default = "" if is_definition else " = {}"
    signature = f"{returned} {camel(op['mnemonic'], str.upper)}({', '.join(first + [it + default for it in last])})"
    if not is_definition:
        return (f"/// {op['summary']}.\n" if op["summary"] else "") + signature + ";\n"

    text = signature + " {\n" + (f"  MlirBuilder &builder = {source}.getBuilder();\n" if source else "")
    text += "  SmallVector<Value> operands;\n"
    segments = []
    for _, name, it in operands:
        add, segment = {
            "one": (f"  operands.push_back({name}.getValue());\n", "1"),
            "variadic": (f"  llvm::append_range(operands, unwrap({name}));\n", f"static_cast<int32_t>({name}.size())"),
            "optional": (f"  if ({name})\n    operands.push_back({name}->getValue());\n", f"{name} ? 1 : 0"),
        }[count(it)]
        text += add
        segments.append(segment)
    if sum(count(it) != "one" for _, _, it in operands) > 1:
        text += f"  builder.setSegments({{{', '.join(segments)}}});\n"
    text += "  NamedAttrList attributes;\n"
    for part, name, it in attributes:
        text += (f"  if ({name})\n  " if optional(it) else "") + f"  attributes.append(\"{part['name']}\", {name});\n"
    cpp = f"{op['cpp_namespace']}::{op['cpp_class']}"
    types = f"builder.inferTypes<{cpp}>(operands, attributes)" if infers else f"concatTypes({', '.join(name + 'Type' for _, name, _ in results)})"
    text += f"  {'Operation *op = ' if results else ''}builder.create<{cpp}>({', '.join([types, 'operands', 'attributes', *regions])});\n"
    result = {"void": "", "MlirOp": "MlirOp(builder, op->getResult(0))"}.get(returned, "wrap(builder, op->getResults())")
    return text + (f"  return {result};\n" if result else "") + "}\n"


def generate(request):
    if "model" not in request:
        return odsmith.needs([], model=True)
    model, text = request["model"], ""
    for op in sorted(model["operations"], key=lambda op: op["definition"]["record"]):
        refused = f"// {op['name']}: successors are not supported.\n"
        text += (refused if op["successors"] else function(op, model, request["generator"] == "gen-builder-defs")) + "\n"
    return odsmith.file(request, text)


odsmith.run(generate)
