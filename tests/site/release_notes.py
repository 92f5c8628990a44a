#!/usr/bin/env python3
"""release_notes.py FINDINGS ROWS FROM TO OUT RULES: what changed between two releases of MLIR, from their definitions, as pages.

FINDINGS is what `odsmith diff release:FROM release:TO --format json` prints, ROWS what `odsmith upgrade --rows --format json`
does, RULES what `odsmith diff --rules --format json` does. There is a page for each dialect, with what is new, changed and removed and which bytecode breaks, one for what to write
otherwise in .td files, and a first page with the numbers.
"""

import html
import json
import pathlib
import sys

LEVELS = {"text": "text", "generic": "generic form", "bytecode": "bytecode", "verifier": "verifier", "cpp": "C++",
          "implementer": "C++ of implementers", "python": "Python", "pipeline": "pipelines", "semantics": "meaning"}
STYLE = (":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
         "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;"
         "border-bottom:1px solid #8884;overflow-wrap:anywhere}.break{font-weight:600}code{font-size:.9em}")


def dialect_of(group):
    """Interfaces and enums are grouped by their namespace: `::mlir::arith` is of `arith`."""
    if not group.startswith("::"):
        return group or "common"
    parts = [it for it in group.split("::") if it and it != "mlir"]
    return parts[0].lower() if parts else "common"


def page(title, body, root="index.html"):
    home = f'<p><a href="{root}">All dialects</a></p>' if root else ""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>'
            f"<style>{STYLE}</style></head><body><main>{home}<h1>{html.escape(title)}</h1>\n{body}\n</main></body></html>\n")


def table(heads, rows):
    head = "".join(f"<th>{html.escape(it)}</th>" for it in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def kind(finding):
    """New, removed or changed, as the rule's name says."""
    name = finding["rule_name"]
    if name.endswith("-added") and "#" not in finding["subject"]:
        return "new"
    if name.endswith("-removed") and "#" not in finding["subject"]:
        return "removed"
    return "changed"


def breaks(finding, level):
    return finding["effects"].get(level) in ("breaks", "silent")


def shown_effects(finding):
    signs = {"breaks": "✗", "silent": "●", "unknown": "?"}
    all_effects = [f"{signs[verdict]} {LEVELS.get(level, level)}" for level, verdict in finding["effects"].items()
                   if verdict in signs]
    return html.escape(" · ".join(all_effects)) or "–"


def dialect_page(name, findings, old, new):
    parts = []
    bytecode = sorted({it["subject"].split("#")[0] for it in findings if breaks(it, "bytecode") and kind(it) != "removed"})
    if bytecode:
        parts.append("<h2>Bytecode breaks</h2><p>Files of " + old + " with these are not read, or read otherwise, by " + new +
                     ":</p><p>" + ", ".join(f"<code>{html.escape(it)}</code>" for it in bytecode) + "</p>")
    for which, title in (("new", f"New since {old}"), ("removed", "Removed"), ("changed", "Changed")):
        some = [it for it in findings if kind(it) == which]
        if not some:
            continue
        parts.append(f"<h2>{title}</h2>")
        if which == "changed":
            parts.append(table(("symbol", "change", "what it breaks"), [
                (f"<code>{html.escape(it['subject'])}</code>",
                 f"{html.escape(it['rule'])} {html.escape(it['message'])}", shown_effects(it)) for it in some]))
        else:
            parts.append("<ul>" + "".join(
                f"<li><code>{html.escape(it['subject'])}</code> {html.escape(it['message'])}</li>" for it in some) + "</ul>")
    return page(f"{name}: MLIR {old} to {new}", "\n".join(parts))


def main():
    findings_file, rows_file, old, new, out = sys.argv[1:6]
    comparison = json.loads(pathlib.Path(findings_file).read_text())
    rows = json.loads(pathlib.Path(rows_file).read_text())
    names = {it["id"]: it["name"] for it in json.loads(pathlib.Path(sys.argv[6]).read_text())}
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    by_dialect = {}
    for finding in comparison["findings"]:
        finding["rule_name"] = names[finding["rule"]]
        by_dialect.setdefault(dialect_of(finding["group"]), []).append(finding)
    lines = []
    for name, findings in sorted(by_dialect.items()):
        file = "dialect-" + "".join(c if c.isalnum() else "-" for c in name) + ".html"
        (out / file).write_text(dialect_page(name, findings, old, new))
        count = lambda which: sum(kind(it) == which for it in findings)
        bytecode = len({it["subject"].split("#")[0] for it in findings if breaks(it, "bytecode") and kind(it) != "removed"})
        lines.append((f'<a href="{file}">{html.escape(name)}</a>', count("new"), count("changed"), count("removed"),
                      f'<span class="break">{bytecode}</span>' if bytecode else "0"))
    between = [it for it in rows if int(old) <= it["before"] and it["since"] <= int(new)]
    body = [f"<p>From the definitions of both releases. {len(comparison['findings'])} findings in {len(by_dialect)} dialects.</p>",
            '<p><a href="write.html">What to write otherwise in .td files</a></p>',
            table(("dialect", "new", "changes", "removed", "operations whose bytecode breaks"), lines)]
    (out / "index.html").write_text(page(f"MLIR {old} to {new}, from the definitions", "\n".join(body), root=None))
    (out / "write.html").write_text(page("What to write otherwise", table(
        ("row", "since", "what", "before", "now"),
        [(it["id"], it["since"], html.escape(it["text"]), f"<code>{html.escape(it['bad'])}</code>",
          f"<code>{html.escape(it['good'])}</code>") for it in between])))
    print(f"{len(by_dialect) + 2} pages in {out}")


if __name__ == "__main__":
    main()
