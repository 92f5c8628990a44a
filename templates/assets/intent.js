// Answers queries in everyday words instead of names: "int to float", "sign extend", "matmul". Loaded when a query has several
// words, or one that has synonyms. Words are compared by stems and synonyms.
(function (odsmith) {
  "use strict";
  // Lines of "words of a query=names that answer them", from `synonyms.txt`, which the site's writer appends to this script.
  // A name counts as a whole, or as a part of a longer one.
  var STOP = /^(a|an|the|of|to|in|for|with|from|and|is|are|by|between|on|as|into|at|or|its|two|one|op|operation|how|do|i|within|that|another|per|using)$/;
  var KINDS = { type: "type", types: "type", attribute: "attr", attr: "attr", pass: "pass", trait: "trait", interface: "interface", enum: "enum", dialect: "dialect", constraint: "constraint" };
  // The more frequent meaning.
  var PRIOR = { op: 0.06, pass: 0.03, type: 0.01, attr: 0, enum: 0, "interface": -0.02, trait: -0.02, dialect: 0.02, constraint: -0.14, "class": -0.16, guide: 0 };
  var known = null;

  function stem(word) {
    word = word.toLowerCase();
    if (word.length < 5) return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
    return word.replace(/(?:ations?|ating|ated|ate|ions?|ings?|ied|ies|ed|ers?|es|s|e|y)$/, "").replace(/([^aeiouls])\1$/, "$1");
  }

  function split(name) {
    return name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").split(/[^A-Za-z0-9]+/).filter(Boolean);
  }

  // The rows that have a stem in their name or summary; and all names, unstemmed.
  function build(rows) {
    known = { rows: rows, names: new Map(), summaries: new Map(), whole: new Map(), size: new Uint8Array(rows.count) };
    function add(map, key, row) {
      var list = map.get(key);
      if (!list) map.set(key, (list = []));
      if (list[list.length - 1] !== row) list.push(row);
    }
    for (var row = 0; row < rows.count; row++) {
      var parts = split(rows.short[row]);
      known.size[row] = Math.min(255, parts.length);
      parts.forEach(function (part) { add(known.names, stem(part), row); if (stem(part) !== part.toLowerCase()) add(known.names, part.toLowerCase(), row); });
      split(rows.summary[row]).forEach(function (word) { add(known.summaries, stem(word), row); });
      add(known.whole, rows.flat[row], row);
      add(known.whole, rows.alias[row], row);
    }
    known.list = Array.from(known.names.keys());
    known.summaryList = Array.from(known.summaries.keys());
    known.synonyms = odsmith.synonyms.split("\n").filter(Boolean).map(function (line) {
      var half = line.split("=");
      // The order of the words says what is converted into what.
      return { words: half[0].split(" ").map(stem), names: half[1].split(" "), isOrdered: / to /.test(half[0]) };
    });
  }

  // The similarity of two stems with a common start, from 0 to 1.
  function likeness(a, b) {
    if (a.length > b.length) { var c = a; a = b; b = c; }
    if (a.length < 3) return 0;
    if (b.startsWith(a)) return a.length / b.length;
    for (var i = 0; i < a.length && a[i] === b[i]; i++);
    return i >= 5 && i >= 0.7 * b.length ? 0.6 : 0;
  }

  function meaning(words) {
    var query = { units: [], words: [], kinds: new Set(), phrases: [] };
    var stems = words.map(stem);
    // The query may have only short words; and one may be a name in the dialect beside it: `emitc for`.
    var isAll = words.every(function (word) { return STOP.test(word) || KINDS[word]; });
    var own = words.map(function (word) { return odsmith.index.dialects.indexOf(word); });
    var isName = function (word) {
      return (known.whole.get(word) || []).some(function (row) { return own.indexOf(known.rows.dialect[row]) >= 0; });
    };
    // The position of each word among the significant ones.
    var unit = words.map(function (word, i) {
      if (KINDS[word] && words.length > 1) query.kinds.add(KINDS[word]);
      else if (isAll || !STOP.test(word) || isName(word)) return query.words.push(word), query.units.push(stems[i]) - 1;
      return -1;
    });
    known.synonyms.forEach(function (line) {
      var before = -1;
      var places = line.words.map(function (word) {
        var place = stems.indexOf(word, line.isOrdered ? before + 1 : 0);
        return before = place < 0 ? stems.length : place;
      });
      if (places.some(function (place) { return place >= stems.length; })) return;
      places = places.map(function (place) { return unit[place]; }).filter(function (place) { return place >= 0; });
      query.phrases.push({ places: places, size: line.words.length, names: line.names });
    });
    return query;
  }

  // Tests if a single word has synonyms.
  odsmith.isSynonym = function (word, rows) {
    if (!known || known.rows !== rows) build(rows);
    word = stem(word);
    return known.synonyms.some(function (line) { return line.words.length === 1 && line.words[0] === word; });
  };

  // The score of each row: about 1 for a good answer.
  odsmith.intent = function (words, rows) {
    if (!known || known.rows !== rows) build(rows);
    var query = meaning(words);
    var units = query.units;
    var count = rows.count;
    var matches = units.map(function () { return new Float32Array(count); });
    var via = new Float32Array(count);
    units.forEach(function (unit, i) {
      var put = function (row, score) { if (score > matches[i][row]) matches[i][row] = score; };
      var all = function (list, score) { if (list) list.forEach(function (row) { put(row, score); }); };
      all(known.whole.get(query.words[i]), 1.1);
      all(known.names.get(unit), 1);
      all(known.summaries.get(unit), 0.62);
      known.list.forEach(function (name) {
        var like = name === unit ? 0 : likeness(unit, name);
        if (like) all(known.names.get(name), 0.5 + 0.4 * like);
        else if (unit.length > 3 && name.length > unit.length && name.indexOf(unit) > 0) all(known.names.get(name), 0.5);
      });
      known.summaryList.forEach(function (word) {
        var like = word === unit ? 0 : likeness(unit, word);
        if (like) all(known.summaries.get(word), 0.25 + 0.3 * like);
      });
      rows.dialect.forEach(function (dialect, row) {
        var name = odsmith.index.dialects[dialect];
        if (name === query.words[i]) put(row, units.length > 1 ? 1 : 0.6);
      });
      odsmith.inText(unit, function (row) { put(row, 0.4); });
    });
    // The weight of each word: rare words weigh more.
    var weights = units.map(function (unit) {
      var list = (known.names.get(unit) || []).length + (known.summaries.get(unit) || []).length;
      return Math.log(2 + count / (1 + list));
    });
    query.phrases.forEach(function (phrase) {
      var credit = function (list, score) {
        if (list) list.forEach(function (row) {
          phrase.places.forEach(function (place) { if (score > matches[place][row]) matches[place][row] = score; });
          via[row] = Math.max(via[row], 0.03 * phrase.size);
        });
      };
      phrase.names.forEach(function (name, i) {
        var order = 0.01 * i;
        credit(known.whole.get(name.replace(/[._-]/g, "")), 1.12 - order);
        credit(known.whole.get(name), 1.12 - order);
        if (/[.-]/.test(name)) return;
        credit(known.names.get(name), 0.85 - order);
        // Dialects have synonyms, too.
        rows.dialect.forEach(function (dialect, row) {
          if (odsmith.index.dialects[dialect] === name) phrase.places.forEach(function (place) {
            if (matches[place][row] < 0.7) matches[place][row] = 0.7;
          });
        });
      });
    });
    var total = weights.reduce(function (a, b) { return a + b; }, 0);
    var scores = new Float32Array(count);
    // A dialect's name among other words narrows the search to it.
    var named = odsmith.index.dialects.map(function (name) { return units.length > 1 ? query.words.indexOf(name) : -1; });
    function within(row) {
      var own = named[rows.dialect[row]];
      if (own < 0 || rows.kind[row] === 0) return 0;
      for (var i = 0; i < units.length; i++) if (i !== own && matches[i][row] < 0.5) return 0;
      return 0.3;
    }
    // A conversion has the name of what it converts: `convert-vector-to-llvm`.
    var to = words.indexOf("to");
    var route = to > 0 && to + 1 < words.length ? words[to - 1] + "-to-" + words[to + 1] : "";
    // A name that has all words next to each other: `stack save` is `intr.stacksave`.
    var joined = units.length > 1 ? query.words.join("") : "-";
    for (var row = 0; row < count; row++) {
      for (var i = 0, sum = 0; i < units.length; i++) sum += weights[i] * matches[i][row];
      if (!sum) continue;
      var kind = odsmith.index.kinds[rows.kind[row]];
      var score = sum / total + via[row] + PRIOR[kind] + (query.kinds.has(kind) ? 0.2 : query.kinds.size ? -0.1 : 0) +
        Math.min(0.06, 0.012 * Math.log2(1 + (rows.degree[row] || 0))) +
        0.1 * rows.core[rows.dialect[row]] + within(row) +
        (rows.flat[row].endsWith(joined) ? 0.15 : 0) + (route && rows.flat[row].indexOf(route) >= 0 ? 0.5 : 0) -
        // The parts of a name that the query does not mention.
        Math.min(0.12, 0.02 * Math.max(0, known.size[row] - units.length)) - (rows.old.has(row) ? 0.2 : 0);
      scores[row] = score;
    }
    return scores;
  };
})(window.odsmith = window.odsmith || {});
