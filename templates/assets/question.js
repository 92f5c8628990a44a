// The grammar of questions beyond words and facets: signatures, `count by`, and errors. The table engine/interchange/src/queries.tsv
// holds it to that of the command line and the service.
(function (odsmith) {
  "use strict";
  var FACETS = /^(kind|dialect|name|file|trait|iface|interface|takes|returns|uses|is|project|version|released|owner|breaks|mlir|has|since|changed)$/;
  var STATES = ["undocumented", "variant", "deprecated", "yanked", "duplicate", "skewed"];
  var COUNTED = ["project", "dialect", "kind", "owner"];

  function side(words) {
    return words.join(",").split(",").map(function (word) { return word.replace(/^[()_]+|[()_]+$/g, ""); }).filter(Boolean);
  }

  // Reads a question: its words, the words of a signature, the facets as [name, value, "-" if negated], and what is counted.
  odsmith.parseQuery = function (text) {
    var query = odsmith.readWords(text.replace(/→|->/g, " -> "), FACETS);
    var words = query.words;
    query.signature = query.count = query.error = null;
    if (query.unknown) {
      query.error = query.unknown.slice(-1) === ":" ? "'" + query.unknown + "' has no value" : "there is no facet '" + query.unknown.split(":")[0].replace(/^-/, "") + "'";
    }
    query.facets.forEach(function (facet) {
      if (facet[0] === "interface") facet[0] = "iface";
      var isWrong = facet[0] === "is" && STATES.indexOf(facet[1]) < 0;
      if (isWrong) query.error = "'is:" + facet[1] + "' is unknown";
      if (facet[0] === "released" && !/^[<>]*\d{4}(-\d\d(-\d\d)?)?$/.test(facet[1])) query.error = "'released:" + facet[1] + "' has no day";
    });
    for (var i = 0; i < words.length; i++) {
      if (words[i] !== "count" || words[i + 1] !== "by") continue;
      query.count = words[i + 2] || "";
      if (COUNTED.indexOf(query.count) < 0) query.error = "nothing is counted by '" + query.count + "'";
      words.splice(i, 3);
    }
    var at = words.indexOf("->");
    if (at >= 0) {
      query.signature = [side(words.slice(0, at)), side(words.slice(at + 1))];
      query.words = [];
    }
    return query;
  };
})(window.odsmith);
