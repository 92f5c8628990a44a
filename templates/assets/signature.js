// The search by signature: `memref -> index`, `(tensor, i32) -> tensor`. The data after this script lists the types that the
// operands and results of each operation accept, as far as their constraints can be evaluated.
(function (odsmith) {
  "use strict";
  // Normalizes a type of a query: `tensor<4xf32>` is a tensor.
  function family(text) {
    text = text.trim().replace(/^%\w+\s*:\s*/, "");
    var name = text.split("<")[0].trim().toLowerCase();
    return name;
  }

  // The accepted types that a word means.
  function means(word, type) {
    if (word === type || word === type.replace(/^!/, "") || word === "any" || word === "_") return true;
    if (word === "int" || word === "integer") return /^[su]?i\d+$/.test(type);
    if (word === "float") return /^(b|t)?f\d/.test(type);
    if (word === "bool") return type === "i1";
    if (word === "shaped") return /^(tensor|memref|vector)$/.test(type);
    return type[0] === "!" && (type.split(".").pop() === word || type.split(".")[0] === "!" + word);
  }

  // Splits at commas outside of brackets.
  function list(text) {
    var depth = 0, from = 0, out = [];
    for (var i = 0; i <= text.length; i++) {
      var c = text[i];
      if (c === "<" || c === "(" || c === "[") depth++;
      else if (c === ">" || c === ")" || c === "]") depth--;
      else if (i === text.length || c === "," && !depth) {
        if (text.slice(from, i).trim()) out.push(family(text.slice(from, i)));
        from = i + 1;
      }
    }
    return out;
  }

  function side(text) {
    text = text.trim();
    if (/^\(.*\)$/.test(text)) text = text.slice(1, -1);
    return /^(none|void)?$/.test(text) ? [] : list(text);
  }

  // The number of kinds of types in a list: all integers are one kind.
  function kinds(types) {
    return new Set(types.map(function (type) { return /^[su]?i\d+$/.test(type) ? "int" : /^(b|t)?f\d/.test(type) ? "float" : type; })).size;
  }

  // The score of parts for the wanted types, each matched with a different part: 0, or up to 1 for each.
  function fit(words, parts, sets) {
    if (!words.length) return parts.every(function (part) { return part[1] > 0; }) ? 1 : 0;
    var used = new Set(), total = 0;
    for (var i = 0; i < words.length; i++) {
      var best = 0, place = -1;
      for (var j = 0; j < parts.length; j++) {
        if (used.has(j) && parts[j][1] !== 2) continue;
        var accepts = sets[parts[j][0]].answers[words[i]];
        // An exact match, an implied one, or a part that accepts anything; the same position scores slightly better.
        var score = accepts ? accepts - (j === i ? 0 : 0.03) - (parts[j][1] === 2 ? 0.35 : 0) : 0;
        if (score > best) { best = score; place = j; }
      }
      if (!best) return 0;
      used.add(place);
      total += best;
    }
    var missing = parts.filter(function (part, j) { return !used.has(j) && part[1] === 0; }).length;
    return total / words.length - 0.3 * missing;
  }

  // The direction of a conversion between numbers of one kind: 1 if it widens, -1 if it narrows, 0 for everything else.
  function direction(takes, returns) {
    if (takes.length !== 1 || returns.length !== 1) return 0;
    var from = /^(\D+)(\d+)$/.exec(takes[0]), to = /^(\D+)(\d+)$/.exec(returns[0]);
    return from && to && from[1] === to[1] ? Math.sign(to[2] - from[2]) : 0;
  }

  // The same for the name of an operation: `extsi`, `zext`, `widen`; `trunci`, `fptrunc`, `narrow`.
  function direct(name) {
    return /(^|\W|_)([sz]|fp)?ext([fsu]|$)|widen/.test(name) ? 1 : /trunc|narrow/.test(name) ? -1 : 0;
  }

  // The weight of how much the other dialects mention an operation's own.
  var CORE = 1.4;

  odsmith.isSignature = function (text) { return /->|→/.test(text); };

  // The matching rows, best first.
  odsmith.bySignature = function (text, rows) {
    var halves = text.split(/->|→/);
    var takes = side(halves[0]), returns = side(halves.slice(1).join("->"));
    // Operations whose operands and results have one type do not fit several.
    var same = new Set(new Set(takes.concat(returns)).size > 1 ? odsmith.signatures.same : []);
    var sets = odsmith.signatures.sets.map(function (types) {
      var answers = {};
      takes.concat(returns).forEach(function (word) {
        if (!types.some(function (type) { return means(word, type); })) return;
        var count = kinds(types);
        answers[word] = count === 1 ? 1 : count < 6 ? 0.8 - 0.02 * count : 0.45;
      });
      return { answers: answers };
    });
    var wanted = direction(takes, returns);
    var scores = new Map();
    Object.keys(odsmith.signatures.rows).forEach(function (row) {
      var shape = odsmith.signatures.rows[row];
      if (same.has(+row)) return;
      var into = fit(takes, shape[0], sets), out = into > 0 ? fit(returns, shape[1], sets) : 0;
      if (into > 0 && out > 0) {
        scores.set(+row, into + out + 0.05 * Math.min(6, Math.log2(1 + (rows.degree[row] || 0))) + CORE * rows.core[rows.dialect[row]] +
          0.5 * wanted * direct(rows.short[row]));
      }
    });
    return Array.from(scores.keys()).sort(function (a, b) { return scores.get(b) - scores.get(a) || a - b; });
  };
})(window.odsmith = window.odsmith || {});
