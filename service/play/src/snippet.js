// Converts snippets of the language server (`$1`, `${2:default}`) to CodeMirror's templates.

/** Converts a snippet to a template. */
export function template(snippet) {
  let made = "";
  for (let at = 0; at < snippet.length; at++) {
    const c = snippet[at];
    const rest = snippet.slice(at);
    let match;
    if (c === "\\" && at + 1 < snippet.length) {
      at += 1;
      made += literal(snippet[at]);
    } else if ((match = rest.match(/^\$(\d+)/))) {
      made += field(match[1], "");
      at += match[0].length - 1;
    } else if ((match = rest.match(/^\$\{(\d+)(?::((?:[^\\}]|\\.)*))?\}/))) {
      made += field(match[1], (match[2] ?? "").replace(/\\(.)/g, "$1"));
      at += match[0].length - 1;
    } else {
      made += literal(c);
    }
  }
  return made;
}

// CodeMirror visits fields in the order of their numbers, so `$0` gets the highest one.
const field = (number, text) => `\${${number === "0" ? 99 : number}:${text.replace(/[{}]/g, "")}}`;

const literal = (c) => (c === "{" || c === "}" || c === "\\" ? `\\${c}` : c);
