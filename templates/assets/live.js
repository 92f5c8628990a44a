// While a site is watched: waits for the next one, then loads the page again where it was.
(function () {
  "use strict";
  var known = null;
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
