// While a site is watched: waits for the next one, then loads the page again where it was.
(function () {
  "use strict";
  // The page says of which version it is: what changes before it asks is not missed.
  var known = null;
  performance.getEntriesByType("navigation").forEach(function (page) {
    (page.serverTiming || []).forEach(function (entry) {
      if (entry.name === "version") known = entry.description;
    });
  });
  function ask() {
    fetch("/~version" + (known === null ? "" : "?after=" + known), { cache: "no-store" }).then(function (answer) {
      return answer.text();
    }).then(function (version) {
      if (known !== null && version !== known) return location.reload();
      known = version;
      ask();
    }).catch(function () { setTimeout(ask, 500); });
  }
  ask();
})();
