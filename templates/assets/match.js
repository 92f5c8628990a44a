// Finds and ranks the answers of the search: an index of names and summaries, matched piece by piece, with tolerance for
// typing errors. This file does not touch the page's elements.
((odsmith) => {
  "use strict";
  var COUNTED = 400;
  var LABELS = { op: "operation", attr: "attribute" };
  var rows = null;
  var typos = null;

  // Lines of text as one string, so that a single search finds a word in all of them.
  function Lines(lines) {
    this.text = lines.join("\n");
    this.starts = new Int32Array(lines.length + 1);
    for (var i = 0, at = 0; i < lines.length; i++) {
      this.starts[i] = at;
      at += lines[i].length + 1;
    }
    this.starts[lines.length] = at;
  }
  Lines.prototype.each = function (word, visit) {
    for (var row = 0, at = this.text.indexOf(word); at >= 0; at = this.text.indexOf(word, at + 1)) {
      while (this.starts[row + 1] <= at) row++;
      visit(row, at - this.starts[row]);
    }
  };

  // The first character of a name counts the letters that it shares with the previous name: `1` for one, `2` for two, …
  function unfold(text) {
    var before = "";
    return text ? text.split("\n").map((line) => {
      return (before = before.slice(0, line.charCodeAt(0) - 48) + line.slice(1));
    }) : [];
  }

  function build() {
    var index = odsmith.index;
    var more = odsmith.words || { aliases: {}, joined: [], words: {}, users: {}, degree: {} };
    // The names of rarer kinds are loaded later; their numbers continue the others'.
    var parts = [index].concat(odsmith.rest && odsmith.rest.names ? odsmith.rest : []);
    var all = (of) => [].concat.apply([], parts.map(of));
    var short = all((part) => unfold(part.names));
    var summary = all((part) => part.summaries.split("\n"));
    var count = short.length;
    var bare = new Set(all((part) => part.bare));
    var joined = new Set(more.joined);
    var full = [], flat = [], alias = [], names = [];
    rows = {
      count: count, short: short, summary: summary, prefix: [], kind: [], dialect: [], flat: flat, alias: alias,
      skip: new Int32Array(count), old: new Set(all((part) => part.deprecated)), users: more.users, degree: more.degree, cases: []
    };
    var at = 0;
    all((part) => part.runs).forEach((run) => {
      var kind = index.kinds[run[0]];
      var sigil = kind === "type" ? "!" : kind === "attr" ? "#" : "";
      var isDotted = kind === "op" || sigil !== "";
      for (var i = 0; i < run[2]; i++, at++) {
        var dotted = isDotted && !bare.has(at) ? index.dialects[run[1]] + "." : "";
        rows.kind.push(run[0]);
        rows.dialect.push(run[1]);
        rows.prefix.push(dotted && sigil + dotted);
        rows.skip[at] = dotted.length;
        full.push((dotted + short[at]).toLowerCase());
        var plain = short[at].toLowerCase().replace(/[._]/g, "");
        flat.push(plain);
        // A C++ class is the name and the kind; in some dialects after the dialect's name.
        alias.push((more.aliases[at] || (joined.has(at) ? index.dialects[run[1]].replace(/_/g, "") : "") +
          plain + (isDotted ? kind : "")).toLowerCase());
        names.push(plain + " " + alias[at]);
        rows.cases.push(more.words[at] ? " " + more.words[at].toLowerCase() + " " : "");
      }
    });
    // How much the other dialects mention each one, from 0 to 1: core dialects come before niche ones.
    var pop = index.dialects.map((name, i) => Math.log(1 + (more.pop && more.pop[i] || 0)));
    var most = Math.max.apply(null, pop) || 1;
    rows.core = pop.map((pop) => pop / most);
    rows.full = new Lines(full);
    rows.names = new Lines(names);
    rows.caseLines = new Lines(rows.cases);
    rows.prose = new Lines(summary.map((line) => line.toLowerCase()));
    typos = null;
  }

  function isUpper(c) { return c >= "A" && c <= "Z"; }

  // Tests if a piece of a name begins at `at`: after a dot or an underscore, or with a capital.
  function isSeam(name, at) {
    if (at <= 0 || at >= name.length) return true;
    var before = name[at - 1], here = name[at];
    return before === "." || before === "_" || here === "." || here === "_" || isUpper(here) && !isUpper(before);
  }

  function inName(row, at, length) {
    var skip = rows.skip[row];
    var name = rows.short[row];
    var from = at - skip;
    if (from === 0) return length === name.length ? 900 : 700;
    if (from < 0) {
      if (length + from <= 0) return 0;
      return at > 0 ? 500 : length === skip + name.length ? 1000 : 740;
    }
    if (!isSeam(name, from)) return length > 1 ? 500 : 0;
    return isSeam(name, from + length) ? 660 : 600;
  }

  // The number of edits between a and b (insert, delete, change, swap), or more than max.
  var before = [], previous = [], current = [];
  function distance(a, b, max) {
    if (Math.abs(a.length - b.length) > max) return max + 1;
    for (var j = 0; j <= b.length; j++) previous[j] = j;
    for (var i = 1; i <= a.length; i++) {
      var best = current[0] = i;
      for (j = 1; j <= b.length; j++) {
        var edits = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? previous[j - 1]
          : 1 + Math.min(previous[j], current[j - 1], previous[j - 1]);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2] + 1);
        current[j] = edits;
        if (edits < best) best = edits;
      }
      if (best > max) return max + 1;
      var spare = before;
      before = previous;
      previous = current;
      current = spare;
    }
    return previous[b.length];
  }

  // The set of letters in a text, one bit each.
  function letters(text) {
    for (var mask = 0, i = 0; i < text.length; i++) mask |= 1 << (text.charCodeAt(i) & 31);
    return mask;
  }
  function bits(mask) {
    mask -= mask >>> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >>> 2 & 0x33333333);
    return Math.imul(mask + (mask >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }

  // Every name, class and piece of a name once, with its rows.
  function buildTypos() {
    var known = [new Map(), new Map()];
    function add(level, text, row) {
      var list = known[level].get(text);
      if (!list) known[level].set(text, (list = []));
      if (list[list.length - 1] !== row) list.push(row);
    }
    for (var row = 0; row < rows.count; row++) {
      var short = rows.short[row];
      add(0, short.toLowerCase(), row);
      add(0, rows.flat[row], row);
      add(0, rows.alias[row], row);
      short.split(/[._]|([A-Z][a-z0-9]+)/).forEach((piece) => {
        if (piece && piece.length > 2) add(1, piece.toLowerCase(), row);
      });
    }
    typos = known.map((map) => {
      return Array.from(map, (entry) => { return { text: entry[0], mask: letters(entry[0]), rows: entry[1] }; });
    });
  }

  function scoreTypos(word, put) {
    var max = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    if (!max) return;
    if (!typos) buildTypos();
    var mask = letters(word);
    typos.forEach((entries, level) => {
      entries.forEach((entry) => {
        var text = entry.text;
        var edits = max + 1;
        if (Math.abs(text.length - word.length) <= max && bits(mask ^ entry.mask) <= 2 * max) edits = distance(word, text, max);
        if (level === 1 && edits > max && text.length > word.length && text[0] === word[0]) {
          edits = distance(word, text.slice(0, word.length), max) + 0.5;
        }
        if (edits < max + 1) {
          var score = 380 - 60 * edits - 30 * level;
          entry.rows.forEach((row) => { put(row, score); });
        }
      });
    });
  }

  // The dialects that a word may mean, with scores.
  function dialects(word, isFuzzy) {
    return odsmith.index.dialects.map((name) => {
      name = name.toLowerCase();
      if (!name) return 0;
      if (name === word) return 290;
      if (name.startsWith(word)) return 250;
      return isFuzzy && word.length > 3 && distance(word, name, 1) < 2 ? 240 : 0;
    });
  }

  function scoreName(word, put, isFuzzy) {
    var flat = word.replace(/[._]/g, "");
    rows.full.each(word, (row, at) => { put(row, inName(row, at, word.length)); });
    if (flat) {
      rows.names.each(flat, (row, at) => {
        var plain = rows.flat[row].length;
        var length = at > plain ? rows.alias[row].length : plain;
        if (at === 0 || at === plain + 1) put(row, flat.length === length ? (at ? 880 : 860) : 640);
        else if (flat.length > 2) put(row, 460);
      });
    }
    if (isFuzzy) scoreTypos(flat.length < word.length ? word : flat, put);
  }

  // The rows whose descriptions have a word with this prefix, as far as they are loaded.
  odsmith.inText = (word, visit) => {
    var text = odsmith.text && odsmith.text[word[0]] || "";
    for (var at = text.indexOf("\n" + word); at >= 0; at = text.indexOf("\n" + word, at + 1)) {
      var line = text.slice(at + 1, text.indexOf("\n", at + 1)).split(" ");
      for (var k = 1, row = 0; k < line.length; k++) visit(row += parseInt(line[k], 36));
    }
  };

  // The part of a word that descriptions are searched for.
  function inText(word) {
    return word.split(/[^a-z0-9]+/).filter((piece) => /^[a-z]../.test(piece));
  }

  // The words of descriptions: one per line, with the distances between its rows.
  function scoreText(word, put) {
    var pieces = inText(word);
    var counts = new Map();
    pieces.forEach((piece, i) => {
      odsmith.inText(piece, (row) => { if ((counts.get(row) || 0) >= i) counts.set(row, i + 1); });
    });
    counts.forEach((count, row) => { 
      // A dialect's page covers words that most of its definitions share.
      if (count === pieces.length) put(row, odsmith.index.kinds[rows.kind[row]] === "dialect" ? 110 : 100);
    });
  }

  // The scores of all rows for a word: 0 to 1000.
  function scoreWord(word, isFuzzy, isOnly) {
    var scores = new Float32Array(rows.count);
    var via = null;
    var put = (row, score) => { if (score > scores[row]) scores[row] = score; };
    scoreName(word, put, isFuzzy);
    rows.caseLines.each(" " + word, (row, at) => {
      var isWhole = rows.cases[row][at + 1 + word.length] === " ";
      if (!isWhole) return put(row, 400);
      // The fewer cases an enum has, the more specific each of them is.
      put(row, 820 - rows.cases[row].split(" ").length / 50);
      (via = via || {})[row] = word;
      (rows.users[row] || []).forEach((user) => { put(user, 800); });
    });
    var dot = word.indexOf(".");
    if (dot > 0 && dot + 1 < word.length) {
      var near = dialects(word.slice(0, dot), isFuzzy);
      if (near.some(Boolean)) scoreName(word.slice(dot + 1), (row, score) => {
        if (score && near[rows.dialect[row]]) put(row, score + near[rows.dialect[row]] / 10);
      }, isFuzzy);
    }
    var of = dialects(dot > 0 && dot + 1 === word.length ? word.slice(0, dot) : word, isFuzzy);
    var kinds = odsmith.index.kinds.map((kind) => {
      return !isOnly && (kind.startsWith(word) || (LABELS[kind] || "").startsWith(word)) ? 300 : 0;
    });
    var around = (row) => Math.max(of[rows.dialect[row]], kinds[rows.kind[row]]);
    if (word.length > 2) {
      rows.prose.each(word, (row, at) => {
        var before = at && rows.prose.text.charCodeAt(rows.prose.starts[row] + at - 1);
        put(row, !at || !(before > 96 && before < 123 || before > 47 && before < 58) ? 200 : 120);
      });
      scoreText(word, put);
    }
    return { scores: scores, around: around, via: via };
  }

  // Extracts the name from pasted code.
  function nameIn(text) {
    var found = /^Declare\w+InterfaceMethods<\s*(\w+)/.exec(text) || // a trait of a definition
      /^(?:def|class)\s+(\w+)/.exec(text) || // a definition
      /^[^%"]*pipeline=?[^a-z]*.*?([a-z][\w-]*)(?:\{[^}]*\})?[)"']*$/.exec(text) || // a pipeline of passes: the last one
      /^\w+\.module\(.*?([a-z][\w-]*)(?:\{[^}]*\})?\)+$/.exec(text) ||
      /^\S+-opt\s(?:.*?\s)?--?([a-z][\w-]*-[\w-]*)/.exec(text) || // a command line
      /^--?([a-z][\w-]*)=/.exec(text) ||
      /"([\w$]+\.[\w$.]+)"\s*[(<]/.exec(text) || // the generic form
      /(?:create|isa|cast|dyn_cast|replaceOpWithNewOp)<\s*((?:\w+::)*\w+)/.exec(text) || // C++
      /^\s*%[^=]*=\s*([\w$]+(?:\.[\w$]+)+)/.exec(text) || // an assignment in the IR
      /^\s*([\w$]+(?:\.[\w$]+)+)\s.*[%@^]/.exec(text) || // a statement without a result
      /^\s*((?:\w+(?:::|\.))+\w+)\s*\(/.exec(text); // a call in C++ or Python
    return found ? found[1] : text;
  }

  var FACETS = /^(name|dialect|kind|trait|iface|takes|returns|has|is|since|changed)$/;

  function parse(text) {
    var name = nameIn(text.trim());
    var query = odsmith.readWords(name, FACETS);
    // Pasted code has colons of its own.
    if (query.unknown) query = { facets: [], words: [name] };
    var words = query.words.join(" ").split(/\s+|::/);
    query.words = [];
    words.forEach((word) => {
      if (word.length > 1 && (word[0] === "!" || word[0] === "#")) {
        query.facets.push(["kind", word[0] === "!" ? "type" : "attr"]);
        query.isSigil = true;
        word = word.slice(1);
      }
      // The spelling of a type leads to its class, a flag to its pass.
      word = word.replace(/^(tensor|memref|vector|complex|tuple)<.*/, (all, name) => (name === "tensor" ? "Ranked" : "") + name + "type")
        .replace(/^[su]?i\d+$/, "IntegerType").replace(/^f(16|32|64|80|128)$/, "Float$1Type").replace(/^(![\w.]+)<.*/, "$1").replace(/^--?(?=[a-z])/, "");
      word = word.toLowerCase().replace(/^[@%]+|[(),"<>`]/g, "");
      if (word && word !== "mlir") query.words.push(word);
    });
    return query;
  }

  // The condition of a facet on rows, decided once for each set of words that rows share.
  function admission(key, want) {
    want = want.toLowerCase();
    if (key === "dialect") return (row) => odsmith.index.dialects[rows.dialect[row]].toLowerCase() === want;
    if (key === "kind") {
      return (row) => {
        var kind = odsmith.index.kinds[rows.kind[row]];
        return kind === want || LABELS[kind] === want;
      };
    }
    if (key === "is" && want === "deprecated") return (row) => rows.old.has(row);
    if (key === "name") return (row) => rows.short[row].toLowerCase().indexOf(want) >= 0;
    var facets = odsmith.facets;
    if (key === "since" || key === "changed") return (row) => (facets[key][row] || "").toLowerCase() === want;
    var column = facets[{ trait: "tags", iface: "tags", takes: "takes", returns: "returns", has: "flags", is: "flags" }[key]];
    var isType = key === "takes" || key === "returns";
    var fits = facets.words.map((text) => {
      text = text.toLowerCase();
      return isType ? text.indexOf(want) >= 0 : text.split("<")[0] === want;
    });
    var sets = facets.sets.map((set) => { return set.some((id) => fits[id]); });
    return (row) => {
      if (isType && want === "none") return odsmith.index.kinds[rows.kind[row]] === "op" && !facets.sets[column[row]].length;
      return sets[column[row]];
    };
  }

  // Tests if a query is in everyday words, which a script of its own answers.
  function isWish(query) {
    return !query.isSigil && query.words.length > 0 && query.words.every((word) => /^[a-z0-9-]+$/.test(word));
  }

  // The answers to a query in everyday words, best first; empty for other queries.
  function wished(query) {
    if (!isWish(query) || !odsmith.intent) return null;
    if (query.words.length === 1 && !odsmith.isSynonym(query.words[0], rows)) return null;
    var scores = odsmith.intent(query.words, rows);
    var tests = query.facets.map(admissionOf);
    var list = [];
    for (var row = 0; row < rows.count; row++) {
      if (scores[row] > 0.3 && tests.every((test) => test(row))) list.push(row);
    }
    list.sort((a, b) => scores[b] - scores[a] || a - b);
    return list.length && scores[list[0]] > 0.55 ? { rows: list, best: scores[list[0]] } : null;
  }

  function admissionOf(facet) {
    var test = admission(facet[0], facet[1]);
    return facet[2] ? (row) => !test(row) : test;
  }

  function rank(query, isFuzzy) {
    var answers = query.words.map((word) => scoreWord(word, isFuzzy, query.words.length === 1));
    var last = query.words[query.words.length - 1] || "";
    var tests = query.facets.map(admissionOf);
    var keys = new Float64Array(rows.count);
    var count = 0, best = 0;
    next: for (var row = 0; row < rows.count; row++) {
      for (var i = 0, total = 0, named = 0, around = 0, worst = 1000; i < answers.length; i++) {
        var score = answers[i].scores[row];
        var place = answers[i].around(row);
        if (!score && !place) continue next;
        // A word for the dialect or the kind restricts the search, but does not score a name.
        if (place > score) around += place;
        else {
          total += score;
          worst = Math.min(worst, score);
          named++;
        }
      }
      // All words count; the worst match counts most.
      total = named ? worst * 0.9 + total / named / 10 + around / 25 : around / (answers.length || 1);
      for (i = 0; i < tests.length; i++) if (!tests[i](row)) continue next;
      if (answers.length) {
        total += Math.min(9, Math.log2(1 + (rows.degree[row] || 0))) / 25 + 20 * rows.core[rows.dialect[row]] - (rows.old.has(row) ? 90 : 0) -
          Math.min(40, Math.abs(rows.short[row].length - last.length)) / 2;
      }
      best = Math.max(best, total);
      // A single number that sorts by score, then by position.
      keys[count++] = Math.round((total + 150) * 32) * 2097152 + 2097151 - row;
    }
    var sorted = keys.subarray(0, count).sort();
    return {
      best: best,
      total: count,
      at: (i) => 2097151 - sorted[count - 1 - i] % 2097152,
      via: (row) => {
        for (var i = 0; i < answers.length; i++) if (answers[i].via && answers[i].via[row]) return answers[i].via[row];
      }
    };
  }

  function describe(row, found) {
    var index = odsmith.index;
    var kind = index.kinds[rows.kind[row]];
    var dialect = index.dialects[rows.dialect[row]];
    var short = rows.short[row];
    var via = found && found.via(row);
    var word = via && odsmith.words.words[row].split(" ").find((word) => word.toLowerCase() === via);
    return {
      at: row,
      kind: LABELS[kind] || kind,
      dialect: dialect,
      prefix: rows.prefix[row],
      name: short,
      // The matching case of an enum, with its fragment on the page.
      word: word,
      summary: rows.summary[row],
      href: (index.addresses[row] || odsmith.rest && odsmith.rest.addresses[row] || (kind === "dialect" ? short + "/index.html"
        : (/^(trait|interface|constraint|class|guide)$/.test(kind) ? kind : dialect + "/" + kind) + "/" + short + ".html")) +
        (word ? "#case-" + word : ""),
      isOld: rows.old.has(row),
      // The script with its preview.
      file: rows.dialect[row],
      place: row
    };
  }

  odsmith.needs = (text) => {
    return !odsmith.facets && /\b(trait|iface|takes|returns|has|is|since|changed):/i.test(text) ? "facets" : "";
  };
  odsmith.renew = () => { rows = null; };
  // The entry of a page, by its address.
  odsmith.at = (href) => {
    if (!rows) build();
    if (!rows.pages) {
      rows.pages = new Map();
      for (var row = 0; row < rows.count; row++) rows.pages.set(describe(row).href, row);
    }
    return rows.pages.has(href) ? describe(rows.pages.get(href)) : null;
  };
  // The best `limit` answers to a query, and the number of all answers.
  odsmith.find = (text, limit) => {
    if (!rows) build();
    var list = [];
    if (/^[^%"=]*(->|→)/.test(text)) {
      if (!odsmith.bySignature) return { total: 0, rows: list, more: ["signature"] };
      var fitting = odsmith.bySignature(text, rows);
      return { total: fitting.length, rows: fitting.slice(0, limit).map((row) => describe(row)), more: [] };
    }
    var query = parse(text);
    if (!query.words.length && !query.facets.length) return { total: 0, rows: list, more: [] };
    var more = new Set();
    var wish = wished(query);
    if (!odsmith.intent && isWish(query)) more.add("intent");
    var found = rank(query, false);
    if (query.words.length && found.best < 240 && !wish) found = rank(query, true);
    // A name with a sigil may be defined as something else.
    if (!found.total && query.isSigil) {
      query.facets = query.facets.filter((facet) => facet[0] !== "kind");
      found = rank(query, false);
    }
    // A record may be named after its dialect: `Arith_SelectOp`.
    var rest = /^[A-Za-z0-9]+_(\w+)$/.exec(text.trim());
    if (!found.total && rest) return odsmith.find(rest[1], limit);
    var taken = new Set();
    var take = (row) => {
      if (list.length < limit && !taken.has(row)) list.push(describe(row, found));
      taken.add(row);
    };
    // Pasted and exact names come first, then answers to everyday words.
    if (wish) wish.rows.forEach(take);
    for (var i = 0; i < (wish ? Math.min(found.total, limit) : found.total) && list.length < limit; i++) take(found.at(i));
    // If no name matches, descriptions may: the scripts to load for that.
    if (wish ? wish.best < 0.9 : found.best < 400) query.words.forEach((word) => {
      inText(word).forEach((piece) => {
        if (!(odsmith.text && odsmith.text[piece[0]])) more.add("text/" + piece[0]);
      });
    });
    // The kinds and dialects of the best answers, with their numbers, for a choice among them.
    var counts = { kind: {}, dialect: {} };
    for (i = 0; i < Math.min(found.total, COUNTED); i++) {
      var row = found.at(i), of = odsmith.index.dialects[rows.dialect[row]], kind = odsmith.index.kinds[rows.kind[row]];
      kind = LABELS[kind] || kind;
      counts.kind[kind] = (counts.kind[kind] || 0) + 1;
      if (of) counts.dialect[of] = (counts.dialect[of] || 0) + 1;
    }
    return { total: wish ? taken.size : found.total, rows: list, more: Array.from(more), counts: counts };
  };
})(window.odsmith = window.odsmith || {});
