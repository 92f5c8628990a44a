// Finds the answers of the search in a catalogue: the rows of all projects, ranked as the command line and the service rank
// them. This file does not touch the page's elements.
(function (odsmith) {
  "use strict";
  var LEVELS = ["bytecode", "semantics", "text", "generic", "verifier", "cpp", "implementer", "python", "pipeline"];
  var PROFILES = { wire: [0, 2], ir: [0, 5], api: [5, 9], all: [0, 9] };
  var rows = [];
  var loaded = {};
  // The search of a reference loads more scripts under these names.
  odsmith.rest = {};
  odsmith.words = {};
  odsmith.renew = function () { };
  odsmith.at = function () { return null; };

  function texts(row) {
    var name = row.name.toLowerCase();
    var parts = row.signature.split(" : ");
    var types = row.kind === "op" && parts.length > 1 ? parts.slice(1).join(" : ").toLowerCase() : "";
    var arrow = types.lastIndexOf(" -> ");
    return {
      name: name,
      short: name.split(/[.:]/).pop().replace(/^[!#]+/, ""),
      aliases: row.aliases.map(function (alias) { return alias.toLowerCase(); }),
      summary: row.summary.toLowerCase(),
      parts: row.parts.map(function (part) { return part.toLowerCase().split(":").pop(); }),
      types: arrow < 0 ? null : [types.slice(0, arrow), types.slice(arrow + 4)]
    };
  }

  // Each script with rows of a project calls this.
  odsmith.addRows = function (project, list) {
    if (loaded[project]) return;
    loaded[project] = true;
    list.forEach(function (row) {
      row.project = project;
      row.texts = texts(row);
      rows.push(row);
    });
    rows.sort(function (a, b) { return order(a.project, b.project) || order(a.id, b.id); });
  };

  function order(a, b) { return a < b ? -1 : a > b ? 1 : 0; }

  function about(project) {
    return odsmith.index.projects.find(function (it) { return it.name === project; });
  }

  // The number of edits between two names: the number of letters to insert, remove, replace or swap.
  function distance(a, b) {
    var table = [[]];
    for (var j = 0; j <= b.length; j++) table[0].push(j);
    for (var i = 1; i <= a.length; i++) {
      var line = [i];
      for (j = 1; j <= b.length; j++) {
        var best = Math.min(table[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), table[i - 1][j] + 1, line[j - 1] + 1);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, table[i - 2][j - 2] + 1);
        line.push(best);
      }
      table.push(line);
    }
    return table[a.length][b.length];
  }

  function score(query, row) {
    var text = row.texts;
    if (query.signature) {
      var has = function (of, words) { return words.every(function (word) { return of.indexOf(word) >= 0; }); };
      if (!text.types || !has(text.types[0], query.signature[0]) || !has(text.types[1], query.signature[1])) return null;
      return Math.max(0, 100 - (text.types.join("").split(",").length - 1));
    }
    var total = 0;
    for (var i = 0; i < query.words.length; i++) {
      var word = query.words[i], last = word.split("::").pop();
      var inSummary = text.summary.indexOf(word) >= 0;
      if (text.name === word || row.id === word) total += 100;
      else if (text.short === word || text.aliases.indexOf(last) >= 0) total += 80;
      else if (text.name.startsWith(word) || text.short.startsWith(word)) total += 50;
      else if (text.name.indexOf(word) >= 0) total += 30;
      else if (text.aliases.some(function (alias) { return alias.indexOf(last) >= 0; })) total += 20;
      else if (inSummary && text.summary.split(/[^\p{L}\p{N}]/u).indexOf(word) >= 0) total += 15;
      else if (inSummary) total += 8;
      else if (text.parts.indexOf(word) >= 0) total += 6;
      else return null;
    }
    return total;
  }

  function scoreOfSpelling(query, row) {
    var total = 0;
    for (var i = 0; i < query.words.length; i++) {
      var word = query.words[i], most = Math.floor(word.length / 4);
      var to = function (text) { return Math.abs(text.length - word.length) <= most * 4 ? distance(word, text) : Infinity; };
      var edits = Math.min(to(row.texts.short), to(row.texts.name));
      if (!most || edits > most) return null;
      total += Math.max(0, 10 - edits);
    }
    return total;
  }

  function stem(id) { return id.split("~")[0]; }
  function lastOf(id) { return stem(id).split("/").pop(); }

  // The rows of a name, those of the strongest kind of name alone.
  function named(name) {
    name = name.trim().replace(/^(::)+/, "");
    var last = name.split("::").pop();
    var bare = name.indexOf("/") >= 0 ? name.slice(name.indexOf("/") + 1) : name;
    var isId = function (row, id) { return row.id === id || stem(row.id) === id; };
    var tests = [
      function (row) { return isId(row, name) || isId(row, bare); },
      function (row) { return row.name === name; },
      function (row) { return row.kind === "pass" && name[0] === "-" && name.replace(/^-+/, "") === row.name; },
      function (row) { return row.aliases.indexOf(last) >= 0 || row.aliases.indexOf(name) >= 0; },
      function (row) { return row.name === last || row.id.split("/").pop() === name; }
    ];
    for (var i = 0; i < tests.length; i++) {
      var found = rows.filter(tests[i]);
      if (found.length) return found;
    }
    return [];
  }

  // The targets that a name or an id means, as ids without a version.
  function targets(name) {
    var known = new Set();
    rows.forEach(function (row) { (row.uses || []).forEach(function (use) { known.add(use[1]); }); });
    var id = /^([a-z0-9][a-z0-9._-]*)(?:@[^/]*)?\/([^/]+\/[a-z]+\/[^/#]+)(?:#.*)?$/.exec(name);
    if (id) return known.has(id[1] + "/" + id[2]) ? [id[1] + "/" + id[2]] : [];
    var found = named(name).map(function (row) { return row.project + "/" + row.id; }).filter(function (target) { return known.has(target); });
    if (found.length) return found;
    var last = name.split("::").pop();
    var dotted = /^[!#]*([^.]+)\.(.+)$/.exec(name);
    return Array.from(known).filter(function (target) {
      var row = target.slice(target.indexOf("/") + 1);
      return lastOf(row) === last || dotted && row.split("/")[0] === dotted[1] && lastOf(row) === dotted[2];
    });
  }

  var WAYS = { trait: "trait", iface: "interface", takes: "operand", returns: "result" };

  function test(facet) {
    var key = facet[0], value = facet[1];
    if (key === "kind") return function (row) { return row.kind === value; };
    if (key === "dialect") return function (row) { return row.id.split("/")[0] === value; };
    if (key === "name") return function (row) { return row.texts.name.indexOf(value.toLowerCase()) >= 0; };
    if (key === "file") return function (row) { return row.file.indexOf(value) >= 0; };
    if (key === "is") return function (row) { return row.is.indexOf(value) >= 0; };
    if (key === "project") return function (row) { return row.project === value; };
    if (key === "owner") {
      return function (row) {
        return about(row.project).owners.some(function (owner) { return owner === value || owner.replace(/^@+/, "") === value; });
      };
    }
    if (key === "mlir") return function (row) { return about(row.project).mlir === value || about(row.project).profile === value; };
    if (key === "version") {
      return function (row) {
        var known = about(row.project).versions.find(function (version) { return version.indexOf(value) >= 0; });
        return !!known && row.absent.indexOf(known[0]) < 0;
      };
    }
    if (key === "released") {
      var sign = /^[<>]/.test(value) ? value[0] : "", day = value.replace(/^[<>]/, "");
      return function (row) {
        var own = row.added.slice(0, day.length);
        return !!row.added && (sign === ">" ? own > day : sign === "<" ? own < day : own === day);
      };
    }
    if (key === "breaks") {
      var span = PROFILES[value], levels = span ? LEVELS.slice(span[0], span[1]) : [value];
      return function (row) { return (row.breaks || []).some(function (level) { return levels.indexOf(level) >= 0; }); };
    }
    var wanted = new Set(targets(value));
    return function (row) {
      return (row.uses || []).some(function (use) { return wanted.has(use[1]) && (!WAYS[key] || use[0] === WAYS[key]); });
    };
  }

  // All rows that answer a question, the best first, with the question.
  odsmith.answer = function (text) {
    var query = odsmith.parseQuery(text);
    var page = query.facets.find(function (facet) { return /^(has|since|changed)$/.test(facet[0]); });
    if (page) query.error = "'" + page[0] + ":' is known to the pages of a reference alone";
    if (query.error) return { query: query, rows: [] };
    var tests = query.facets.map(function (facet) { return [test(facet), facet[2] === "-"]; });
    var fitting = rows.filter(function (row) { return tests.every(function (it) { return it[0](row) !== it[1]; }); });
    var by = function (of) {
      return fitting.map(function (row) { return [row, of(query, row)]; }).filter(function (it) { return it[1] !== null; });
    };
    var found = by(score);
    if (!found.length && query.words.length) found = by(scoreOfSpelling);
    found.sort(function (a, b) { return b[1] - a[1] || a[0].name.length - b[0].name.length || order(a[0].id, b[0].id); });
    return { query: query, rows: found.map(function (it) { return it[0]; }) };
  };

  // The numbers of rows by what a question counts.
  odsmith.counted = function (list, by) {
    var counts = {};
    list.forEach(function (row) {
      var dialect = row.id.split("/")[0];
      var names = by === "project" ? [row.project] : by === "kind" ? [row.kind] : by === "dialect" ? [dialect === "_" ? "" : dialect] : about(row.project).owners;
      names.forEach(function (name) { counts[name] = (counts[name] || 0) + 1; });
    });
    return counts;
  };

  // The id of a row with the version.
  odsmith.idOf = function (row) { return row.project + "@" + about(row.project).version + "/" + row.id; };

  odsmith.needs = function () {
    var missing = odsmith.index.projects.filter(function (project) { return !loaded[project.name]; });
    // All are loaded at once; the search goes on when the last one is there.
    missing.slice(0, -1).forEach(function (project) { odsmith.load(project.rows, function () { }); });
    return missing.length ? missing[missing.length - 1].rows : "";
  };

  odsmith.find = function (text, limit) {
    var found = odsmith.answer(text);
    if (found.query.count) {
      var counts = odsmith.counted(found.rows, found.query.count);
      var names = Object.keys(counts).sort(function (a, b) { return counts[b] - counts[a] || order(a, b); });
      return {
        total: found.rows.length, more: [], counts: {}, rows: names.slice(0, limit).map(function (name) {
          return { kind: String(counts[name]), prefix: "", name: name || "(none)", summary: "", href: found.query.count === "project" ? "project/" + name + ".html" : "search.html" };
        })
      };
    }
    return {
      total: found.rows.length,
      more: [],
      counts: { project: odsmith.counted(found.rows, "project"), kind: odsmith.counted(found.rows, "kind") },
      rows: found.rows.slice(0, limit).map(function (row) {
        return {
          kind: row.kind, dialect: row.project, prefix: "", name: row.name, summary: row.summary,
          href: row.href || "project/" + row.project + ".html", isOld: row.is.indexOf("deprecated") >= 0
        };
      })
    };
  };
})(window.odsmith = window.odsmith || {});
