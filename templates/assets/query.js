// The grammar of questions: words, signatures, facets, `count by`. The table tests/fixtures/queries.tsv holds it to that of
// the command line and the service.
(function (odsmith) {
  "use strict";
  var FACETS = {
    kind: "kind", dialect: "dialect", name: "name", file: "file", trait: "trait", iface: "iface", interface: "iface",
    takes: "takes", returns: "returns", uses: "uses", is: "is", project: "project", version: "version", released: "released",
    owner: "owner", breaks: "breaks", mlir: "mlir", has: "has", since: "since", changed: "changed"
  };
  var STATES = ["undocumented", "variant", "deprecated", "yanked", "duplicate", "skewed"];
  var COUNTED = ["project", "dialect", "kind", "owner"];

  function side(words) {
    return words.join(",").split(",").map(function (word) { return word.replace(/^[()_]+|[()_]+$/g, ""); }).filter(Boolean);
  }

  // Reads a question: its words, the words of a signature, the facets as [name, value, is negated], and what is counted.
  odsmith.parseQuery = function (text) {
    var query = { words: [], signature: null, facets: [], count: null, error: null };
    var words = text.replace(/→/g, "->").replace(/->/g, " -> ").split(/\s+/).filter(Boolean);
    for (var i = 0; i < words.length; i++) {
      var word = words[i];
      if (word === "count" && words[i + 1] === "by") {
        i += 2;
        if (COUNTED.indexOf(words[i]) < 0) query.error = "nothing is counted by '" + (words[i] || "") + "'";
        query.count = words[i];
        continue;
      }
      var isNegated = word[0] === "-" && word.indexOf(":") > 0;
      var facet = /^([^:]+):(?!:)(.*)$/.exec(isNegated ? word.slice(1) : word);
      if (!facet) {
        query.words.push(word.toLowerCase());
        continue;
      }
      var known = Object.prototype.hasOwnProperty.call(FACETS, facet[1]) && FACETS[facet[1]];
      if (!known) query.error = "there is no facet '" + facet[1] + "'";
      else if (!facet[2]) query.error = "'" + facet[1] + ":' has no value";
      else if (known === "is" && STATES.indexOf(facet[2]) < 0) query.error = "'is:" + facet[2] + "' is unknown";
      else if (known === "released" && !/^[<>]*\d{4}(-\d\d(-\d\d)?)?$/.test(facet[2])) query.error = "'released:" + facet[2] + "' has no day";
      else query.facets.push([known, facet[2], isNegated]);
    }
    var at = query.words.indexOf("->");
    if (at >= 0) {
      query.signature = [side(query.words.slice(0, at)), side(query.words.slice(at + 1))];
      query.words = [];
    }
    return query;
  };
})(window.odsmith = window.odsmith || {});
