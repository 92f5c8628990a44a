// Reads the words of a question, and its facets as [name, value, "-" if negated]; `unknown` is a word that is no facet, or has no
// value. question.js has the rest of the grammar, for pages that count and compare types.
(window.odsmith = window.odsmith || {}).readWords = (text, facets) => {
  var query = { words: [], facets: [] };
  text.split(/\s+/).filter(Boolean).forEach((word) => {
    var facet = /^(-?)([^:]+):(?!:)(.*)$/.exec(word);
    if (!facet) query.words.push(word.toLowerCase());
    else if (!facets.test(facet[2]) || !facet[3]) query.unknown = word;
    else query.facets.push([facet[2], facet[3], facet[1]]);
  });
  return query;
};
