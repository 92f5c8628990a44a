// The theme switch, copy buttons, and the keys that open the search; the search itself is loaded when it is used.
(function () {
  "use strict";
  var html = document.documentElement;
  var root = document.body.dataset.root;
  var theme = document.getElementById("theme");
  var box = document.getElementById("search");
  var prefersDark = matchMedia("(prefers-color-scheme: dark)");

  function isDark() {
    return html.dataset.theme ? html.dataset.theme === "dark" : prefersDark.matches;
  }
  function showTheme() {
    theme.setAttribute("aria-pressed", String(isDark()));
    theme.title = isDark() ? "Switch to light" : "Switch to dark";
  }
  theme.addEventListener("click", function () {
    html.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("odsmith-theme", html.dataset.theme);
    } catch (e) { /* a page opened from disk may have no storage */ }
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  document.querySelectorAll(".copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var text = button.dataset.copy;
      var done = function () {
        button.classList.add("done");
        setTimeout(function () { button.classList.remove("done"); }, 1200);
      };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(text).then(done, function () {});
      }
    });
  });

  var waiting = {};
  window.odsmithLoad = function (name, then) {
    if (window.odsmith && window.odsmith[name]) return then();
    if (waiting[name]) return waiting[name].push(then);
    waiting[name] = [then];
    var script = document.createElement("script");
    script.src = root + "assets/" + name + ".js";
    script.onload = function () { waiting[name].splice(0).forEach(function (call) { call(); }); };
    document.head.appendChild(script);
  };
  function openSearch() {
    window.odsmithLoad("search", function () {});
    window.odsmithLoad("index", function () {});
  }
  box.addEventListener("focus", openSearch);
  if (document.activeElement === box) openSearch();

  document.addEventListener("keydown", function (event) {
    var isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
    var isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
    var isK = (event.key === "k" || event.key === "K") && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isSlash || isK) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });

  addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
  });

  var query = new URLSearchParams(location.search).get("q");
  if (query) {
    box.value = query;
    openSearch();
    box.focus();
  }
})();
