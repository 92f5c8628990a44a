#!/usr/bin/env python3
"""-gen-intrinsics: a converter for each intrinsic, and the function that registers all of them.
-gen-intrinsic-docs: a page of them."""

import textwrap

import odsmith


def count(items):
    return f"{len(items)}, {sum(item['optional'] for item in items)}"


def check(it):
    yield f"gi.hasNInputs({count(it['inputs'])})"
    for index, one in enumerate(it["inputs"]):
        width = f", {one['width']}" if one["width"] else ""
        text = f"gi.{'sized' if width else 'typed'}Input<{one['type']}>({index}{width})"
        yield f"(gi.getNumInputs() > {index} && {text})" if one["optional"] else text
    for one in it["params"]:
        optional = ", /*optional=*/true" if one["optional"] else ""
        yield f"gi.named{one['kind']}Param(\"{one['name']}\"{optional})"
    yield f"gi.hasNParam({count(it['params'])})"
    yield f"gi.typedOutput<{it['result']}>()" if it["result"] else "gi.hasNoOutput()"


def converter(name, it):
    kinds = {"Int": "IntegerAttr", "String": "StringAttr"}
    params = [(one["name"].lower() + "Param", one) for one in it["params"]]
    values = "".join(f"    auto {own} = gi.getParamValue<{kinds[one['kind']]}>(\"{one['name']}\");\n" for own, one in params)
    made = f"replaceOpWithNewOp<{it['op']}>(gi.op, gi.op.getResultTypes()" if it["result"] else f"create<{it['op']}>(gi.op.getLoc()"
    erase = "" if it["result"] else "    rewriter.eraseOp(gi.op);\n"
    return f"""
class {name}Converter : public IntrinsicConverter {{
public:
  using IntrinsicConverter::IntrinsicConverter;

  bool check(GenericIntrinsic gi) override {{
    return {(" ||" + chr(10) + " " * 11).join(check(it))};
  }}

  void convert(GenericIntrinsic gi, GenericIntrinsicOpAdaptor adaptor,
               PatternRewriter &rewriter) override {{
{values}    rewriter.{made}, adaptor.getOperands(){"".join(f", {own}" for own, _ in params)});
{erase}  }}
}};
"""


def converters(all):
    text = "// Converters of intrinsics.\n\nnamespace {\n" + "".join(converter(*one) for one in all)
    text += "\n} // namespace\n\nvoid populateIntrinsics(IntrinsicLowerings &lowerings) {\n"
    for name, it in all:
        names = ", ".join(f'"{alias}"' for alias in [it["name"], *it["aliases"]])
        text += f"  lowerings.add<{name}Converter>({names});\n"
    return text + "}\n"


def table(head, rows):
    return f"| {head} | Type |\n| --- | --- |\n" + "".join(f"| {a} | {b} |\n" for a, b in rows) + "\n" if rows else ""


def docs(all):
    text = "# Intrinsics\n\n"
    for _, it in all:
        doc = textwrap.dedent(it["doc"].strip("\n")).rstrip()
        text += f"## {it['name']}\n\n" + (doc + "\n\n" if doc else "")
        if it["aliases"]:
            text += "Also known as " + ", ".join(f"`{alias}`" for alias in it["aliases"]) + ".\n\n"
        optional = lambda one: ", optional" if one["optional"] else ""
        width = lambda one: f"<{one['width']}>" if one["width"] else ""
        text += table("Parameter", [(one["name"], one["kind"].lower() + optional(one)) for one in it["params"]])
        text += table("Input", [(at, one["type"] + width(one) + optional(one)) for at, one in enumerate(it["inputs"])])
        text += f"Returns {it['result']}.\n\n" if it["result"] else ""
    return text


def generate(request):
    if "records" not in request:
        return odsmith.needs(["Intrinsic", "Input", "Param"])
    records, all = request["records"], []
    for name, it in odsmith.of_class(records, "Intrinsic"):
        parts = {key: [records[part["def"]] for part in it[key]] for key in ["inputs", "params"]}
        flags = [one["optional"] for one in parts["inputs"]]
        if flags != sorted(flags):
            return odsmith.error(name, "an optional input precedes another one")
        all.append((name, {**it, **parts}))
    return odsmith.file(request, docs(all) if request["generator"] == "gen-intrinsic-docs" else converters(all))


odsmith.run(generate)
