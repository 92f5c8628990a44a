// Waits for the next build of a watched site, then reloads the page at the same position.
(function () {
  "use strict";
  // The page names its version, so that a build before the first request is not missed.
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
