#!/usr/bin/env python3
"""-gen-irdl: dialects as IRDL, which mlir-opt loads with --irdl-file.

-prefix=TEXT is put in front of the names of dialects: one that mlir-opt has under its own name loads under another one.
"""

import re

import odsmith

# Types that IRDL spells: C++ that builds them, as the model has it.
INTEGER = re.compile(r"\$_builder\.getIntegerType\((\d+)\)|\$_builder\.getI(\d+)Type\(\)")
FLOAT = re.compile(r"\$_builder\.get(F16|F32|F64|BF16)Type\(\)")


def spelled_type(constraint):
    """The only type that a constraint allows; nothing if there are several, or if IRDL does not spell it."""
    call = constraint.get("type", {}).get("builder_call", "")
    if match := INTEGER.fullmatch(call):
        return "i" + (match[1] or match[2])
    if match := FLOAT.fullmatch(call):
        return match[1].lower()
    return "index" if call == "$_builder.getIndexType()" else None


class Body:
    """The body of a definition. Each part has a constraint of its own: parts that share one have equal types."""

    def __init__(self):
        self.lines, self.count = [], 0

    def value(self, text):
        self.lines.append(f"%{self.count} = {text}")
        self.count += 1
        return f"%{self.count - 1}"


def plain_name(name, taken):
    """A name that IRDL accepts and that is not taken yet; unnamed parts have numbers."""
    base = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", re.sub(r"\W", "_", name)).lower() or "unnamed"
    number, chosen = 0, base
    while chosen in taken:
        number, chosen = number + 1, f"{base}_{number}"
    taken.add(chosen)
    return chosen


def values(kind, parts, model, body, taken):
    """Operands or results, with their constraints."""
    words = {"one": "", "optional": "optional ", "variadic": "variadic ", "variadic-of-variadic": "variadic "}
    shown = []
    for part in parts:
        constraint = model["constraints"][part["constraint"]]
        of_type = constraint["type"]
        each = model["constraints"][of_type["base"]] if "base" in of_type else constraint
        only = spelled_type(each)
        value = body.value(f"irdl.is {only}" if only else "irdl.any")
        shown.append(f"{plain_name(part['name'], taken)}: {words[of_type['cardinality']]}{value}")
    if shown:
        body.lines.append(f"irdl.{kind}({', '.join(shown)})")


def operation(op, model):
    body, taken = Body(), set()
    of_kind = lambda kind: [part for part in op["arguments"] if part["kind"] == kind]
    values("operands", of_kind("operand"), model, body, taken)
    values("results", op["results"], model, body, taken)
    optional = lambda it: it["attribute"]["is_optional"] or "default_value" in it["attribute"]
    required = [part["name"] for part in of_kind("attribute") if not optional(model["constraints"][part["constraint"]])]
    if required:
        pairs = ", ".join(f'"{name}" = {body.value("irdl.any")}' for name in required)
        body.lines.append(f"irdl.attributes {{{pairs}}}")
    # IRDL has no variadic regions: of an operation with one, regions are not said.
    if op["regions"] and not any(region.get("is_variadic") for region in op["regions"]):
        regions = []
        for region in op["regions"]:
            name = plain_name(region["name"], taken)
            body.lines.append(f"%{name}_region = irdl.region")
            regions.append(f"{name}: %{name}_region")
        body.lines.append(f"irdl.regions({', '.join(regions)})")
    return block(f"irdl.operation @{symbol(op['mnemonic'])}", body.lines)


def definition(kind, it, symbols):
    """A type or an attribute. All definitions of a dialect share their names in IRDL, and operations keep theirs."""
    name = it["mnemonic"] if it["mnemonic"] not in symbols else f"{it['mnemonic']}_{kind}"
    symbols.add(name)
    body, taken = Body(), set()
    parts = [f"{plain_name(part['name'], taken)}: {body.value('irdl.any')}" for part in it["parameters"]]
    if parts:
        body.lines.append(f"irdl.parameters({', '.join(parts)})")
    return block(f"irdl.{kind} @{symbol(name)}", body.lines)


def has_name(it):
    """IRDL accepts no dots and no capital letters in the names of operations, types and attributes."""
    return re.fullmatch(r"[a-z0-9_]+", it["mnemonic"])


def symbol(name):
    return name if re.fullmatch(r"[A-Za-z_][\w$]*", name) else f'"{name}"'


def block(head, lines):
    return f"{head} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n" if lines else f"{head} {{\n}}\n"


def indented(text):
    return "".join(f"  {line}\n" if line else "\n" for line in text.splitlines())


def generate(request):
    if "model" not in request:
        return odsmith.needs([], model=True)
    model = request["model"]
    prefix = next((option["value"] for option in request["options"] if option["name"] == "prefix"), "")
    text = ""
    for dialect in model["dialects"]:
        of_dialect = lambda items: [it for it in items if it["dialect"] == dialect["name"] and it.get("mnemonic") and has_name(it)]
        symbols = {op["mnemonic"] for op in of_dialect(model["operations"])}
        parts = [definition("type", it, symbols) for it in of_dialect(model["types"])]
        parts += [definition("attribute", it, symbols) for it in of_dialect(model["attributes"])]
        parts += [operation(op, model) for op in of_dialect(model["operations"])]
        if parts:
            text += f"irdl.dialect @{symbol(prefix + dialect['name'])} {{\n" + "\n".join(map(indented, parts)) + "}\n"
    answer = odsmith.file(request, text)
    left_out = [op["name"] for op in model["operations"] if not has_name(op)]
    if left_out:
        answer["diagnostics"] = [{"severity": "note", "message": f"IRDL accepts no dots in names; left out: {', '.join(left_out)}"}]
    return answer


if __name__ == "__main__":
    odsmith.run(generate)
