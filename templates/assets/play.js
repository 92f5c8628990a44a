// Adds a link beside a definition's source that opens it in a playground. The link contains all files of the project,
// from a script of this site, so the server stores nothing. A playground of the site itself needs no server.
(function () {
  "use strict";
  var place = document.querySelector("section[aria-labelledby=source]");
  var source = place && place.querySelector("a, .path");
  if (!source || !window.CompressionStream) return;
  var link = document.createElement("a");
  var address = document.body.dataset.playground;
  var isOwn = address === "static";
  link.textContent = isOwn ? "Try it" : "Open in the playground";
  link.href = isOwn ? document.body.dataset.root + "play/index.html" : address;
  link.rel = "noopener";
  place.querySelector("p").append(" · ", link);

  link.addEventListener("click", function (event) {
    event.preventDefault();
    window.odsmith.load("sources", function () {
      var file = source.textContent.replace(/:\d+$/, "");
      var record = place.querySelector(".chain code");
      var state = { files: window.odsmith.sources, open: file, view: "page", find: "def " + (record ? record.textContent : "") };
      pack(JSON.stringify(state)).then(function (fragment) {
        location.href = link.href.split("#")[0] + "#1." + fragment;
      });
    });
  });

  function pack(text) {
    var packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return new Response(packed).arrayBuffer().then(function (bytes) {
      var letters = "";
      new Uint8Array(bytes).forEach(function (byte) { letters += String.fromCharCode(byte); });
      return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    });
  }
})();
