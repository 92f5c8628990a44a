// The search: an index of names and summaries, matched piece by piece, with room for typing errors.
(function () {
  "use strict";
  var box = document.getElementById("search");
  var list = document.getElementById("search-results");
  var status = document.getElementById("found");
  var root = document.body.dataset.root;
  var LABELS = { op: "operation", attr: "attribute" };
  var SHOWN = 14;
  var rows = null;
  var active = -1;

  function build() {
    var index = window.odsmith.index;
    var more = window.odsmith.words || { aliases: {}, words: {} };
    var names = index.names ? index.names.split("\n") : [];
    var summaries = index.summaries.split("\n");
    var bare = new Set(index.bare);
    var old = new Set(index.deprecated);
    var at = 0;
    rows = [];
    index.runs.forEach(function (run) {
      var kind = index.kinds[run[0]];
      var dialect = index.dialects[run[1]];
      for (var i = 0; i < run[2]; i++, at++) {
        var short = names[at];
        var sigil = kind === "type" ? "!" : kind === "attr" ? "#" : "";
        var isDotted = (kind === "op" || sigil) && !bare.has(at);
        var own = /^(trait|interface|constraint|class)$/.test(kind);
        var lower = short.toLowerCase();
        rows.push({
          at: at,
          kind: kind,
          dialect: dialect.toLowerCase(),
          prefix: isDotted ? sigil + dialect + "." : "",
          short: short,
          lower: lower,
          full: ((isDotted ? dialect + "." : "") + short).toLowerCase(),
          flat: lower.replace(/[._]/g, ""),
          pieces: short.split(/[._]|([A-Z][a-z0-9]+)/).filter(Boolean).map(function (p) { return p.toLowerCase(); }),
          alias: (more.aliases[at] || "").toLowerCase() ||
            lower.replace(/[._]/g, "") + (kind === "op" || kind === "type" || kind === "attr" ? kind : ""),
          words: more.words[at] ? more.words[at].toLowerCase().split(" ") : null,
          summary: summaries[at],
          prose: summaries[at].toLowerCase(),
          href: index.addresses[at] || (kind === "dialect" ? short + "/index.html"
            : (own ? kind : dialect + "/" + kind) + "/" + short + ".html"),
          old: old.has(at)
        });
      }
    });
  }

  // Edits between a and b (insert, delete, change, swap), or more than max.
  function distance(a, b, max) {
    if (Math.abs(a.length - b.length) > max) return max + 1;
    var before = [], previous = [], current = [];
    for (var j = 0; j <= b.length; j++) previous[j] = j;
    for (var i = 1; i <= a.length; i++) {
      current = [i];
      var best = i;
      for (j = 1; j <= b.length; j++) {
        var cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
        var edits = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2] + 1);
        current[j] = edits;
        if (edits < best) best = edits;
      }
      if (best > max) return max + 1;
      before = previous;
      previous = current;
    }
    return previous[b.length];
  }

  function typo(word, row) {
    var max = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    if (!max) return 0;
    var least = Math.min(distance(word, row.lower, max), distance(word, row.flat, max), distance(word, row.alias, max));
    for (var i = 0; i < row.pieces.length; i++) {
      least = Math.min(least, distance(word, row.pieces[i], max) + 0.5, distance(word, row.pieces[i].slice(0, word.length), max) + 0.8);
    }
    return least <= max + 0.8 ? 380 - 60 * least : 0;
  }

  function scoreName(word, row, isFuzzy) {
    if (word === row.lower) return 900;
    if (word === row.alias) return 880;
    var flat = word.replace(/[._]/g, "");
    if (flat === row.flat) return 860;
    if (row.words && row.words.indexOf(word) >= 0) return 820;
    if (row.lower.startsWith(word)) return 700;
    if (row.pieces.indexOf(word) >= 0) return 660;
    if (row.pieces.some(function (piece) { return piece.startsWith(word); })) return 600;
    if (word.length > 1 && row.lower.indexOf(word) >= 0) return 500;
    if (flat.length > 2 && (row.flat.indexOf(flat) >= 0 || row.alias.indexOf(flat) >= 0)) return 460;
    return isFuzzy ? typo(word, row) : 0;
  }

  function scoreWord(word, row, isFuzzy, isOnly) {
    if (word === row.full) return 1000;
    var score = scoreName(word, row, isFuzzy);
    var dot = word.indexOf(".");
    if (dot > 0 && row.prefix) {
      var dialect = word.slice(0, dot);
      var fits = row.dialect.startsWith(dialect) || isFuzzy && distance(dialect, row.dialect, 1) < 2;
      var rest = word.slice(dot + 1);
      if (fits) {
        var name = rest ? scoreName(rest, row, isFuzzy) : 260;
        if (name) score = Math.max(score, name + 40);
      }
    }
    if (score) return score;
    if (!isOnly && row.kind.startsWith(word)) return 300;
    if (word === row.dialect) return 290;
    if (row.dialect.startsWith(word)) return 250;
    if (word.length > 2 && row.prose) {
      var found = row.prose.indexOf(word);
      if (found === 0 || found > 0 && /\W/.test(row.prose[found - 1])) return 200;
      if (found > 0) return 120;
    }
    return 0;
  }

  // What was pasted, down to the name in it.
  function nameIn(text) {
    var generic = /"([\w$]+\.[\w$.]+)"\s*[(<]/.exec(text);
    if (generic) return generic[1];
    var assigned = /^\s*%[^=]*=\s*([\w$]+(?:\.[\w$]+)+)/.exec(text);
    if (assigned) return assigned[1];
    var used = /^\s*([\w$]+(?:\.[\w$]+)+)\s.*[%@^]/.exec(text);
    return used ? used[1] : text;
  }

  function parse(text) {
    var query = { facets: [], words: [], sigil: "" };
    nameIn(text.trim()).split(/\s+|::/).filter(Boolean).forEach(function (word) {
      var facet = /^(dialect|kind|trait|iface|takes|returns|has|is):(.+)$/i.exec(word);
      if (facet) return query.facets.push([facet[1].toLowerCase(), facet[2].toLowerCase()]);
      if (word.length > 1 && (word[0] === "!" || word[0] === "#")) {
        query.facets.push(["kind", word[0] === "!" ? "type" : "attr"]);
        word = word.slice(1);
      }
      word = word.toLowerCase().replace(/[(),"<>]/g, "");
      if (word && word !== "mlir") query.words.push(word);
    });
    return query;
  }

  function admits(facet, row) {
    var key = facet[0], want = facet[1];
    if (key === "dialect") return row.dialect === want;
    if (key === "kind") return row.kind === want || LABELS[row.kind] === want;
    if (key === "is") return want === "deprecated" && row.old;
    var facets = window.odsmith.facets;
    var column = { trait: "tags", iface: "tags", takes: "takes", returns: "returns", has: "flags" }[key];
    var set = facets.sets[facets[column][row.at]];
    if (key === "returns" && want === "none") return row.kind === "op" && !set.length;
    return set.some(function (id) {
      var text = facets.words[id].toLowerCase();
      return key === "takes" || key === "returns" ? text.indexOf(want) >= 0 : text.split("<")[0] === want;
    });
  }

  function search(text) {
    var query = parse(text);
    var pool = rows.filter(function (row) {
      return query.facets.every(function (facet) { return admits(facet, row); });
    });
    if (!query.words.length) return query.facets.length ? pool : [];
    function pass(isFuzzy) {
      var found = [];
      pool.forEach(function (row) {
        var total = 0;
        for (var i = 0; i < query.words.length; i++) {
          var score = scoreWord(query.words[i], row, isFuzzy, query.words.length === 1);
          if (!score) return;
          total += score;
        }
        var last = query.words[query.words.length - 1];
        found.push({ row: row, score: total / query.words.length - (row.old ? 90 : 0) - Math.min(40, Math.abs(row.lower.length - last.length)) / 2 });
      });
      return found;
    }
    var found = pass(false);
    if (found.every(function (hit) { return hit.score < 400; })) found = pass(true);
    found.sort(function (a, b) { return b.score - a.score || a.row.at - b.row.at; });
    return found.map(function (hit) { return hit.row; });
  }
  window.odsmithSearch = function (text) {
    if (!rows) build();
    return search(text);
  };

  function node(tag, className, text) {
    var element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
  }

  function show(found) {
    list.textContent = "";
    active = -1;
    found.slice(0, SHOWN).forEach(function (row, i) {
      var option = document.createElement("a");
      option.id = "result-" + i;
      option.href = root + row.href;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.tabIndex = -1;
      var name = node("span", row.old ? "hit old" : "hit", "");
      name.append(node("span", "dim", row.prefix), row.short);
      option.append(name, node("span", "kind", LABELS[row.kind] || row.kind), node("span", "sum", row.summary));
      list.append(option);
    });
    var isOpen = found.length > 0;
    list.hidden = !isOpen;
    box.setAttribute("aria-expanded", String(isOpen));
    box.removeAttribute("aria-activedescendant");
    status.textContent = box.value.trim() ? found.length + (found.length === 1 ? " result" : " results") : "";
    status.classList.toggle("none", !isOpen && box.value.trim() !== "");
    if (isOpen) choose(0);
  }

  function choose(next) {
    var options = list.children;
    if (!options.length) return;
    if (options[active]) options[active].setAttribute("aria-selected", "false");
    active = (next + options.length) % options.length;
    options[active].setAttribute("aria-selected", "true");
    options[active].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options[active].id);
  }

  function update() {
    var text = box.value;
    window.odsmithLoad("index", function () {
      if (!rows) build();
      if (!window.odsmith.words) window.odsmithLoad("words", function () { rows = null; update(); });
      var needsFacets = /\b(trait|iface|takes|returns|has):/i.test(text);
      if (needsFacets && !window.odsmith.facets) return window.odsmithLoad("facets", update);
      show(search(text));
    });
  }

  function close() {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
    status.classList.remove("none");
  }

  box.addEventListener("input", update);
  box.addEventListener("focus", function () { if (box.value) update(); });
  box.addEventListener("keydown", function (event) {
    var isOpen = !list.hidden;
    if (event.key === "ArrowDown" && isOpen) choose(active + 1);
    else if (event.key === "ArrowUp" && isOpen) choose(active - 1);
    else if (event.key === "Escape" && isOpen) close();
    else if (event.key === "Enter" && isOpen && list.children[active]) {
      var href = list.children[active].href;
      if (event.ctrlKey || event.metaKey) window.open(href);
      else location.href = href;
    } else return;
    event.preventDefault();
  });
  document.addEventListener("click", function (event) {
    if (!event.target.closest(".find")) close();
  });
  if (box.value) update();
  window.odsmith = window.odsmith || {};
  window.odsmith.search = true;
})();
