// The search box: a combobox over a list of results, with a preview beside it.
((odsmith) => {
  "use strict";
  var box = document.getElementById("search");
  var panel = document.getElementById("search-panel");
  var list = document.getElementById("search-results");
  var preview = document.getElementById("search-preview");
  var status = document.getElementById("found");
  var facets = node("div", "facets");
  panel.prepend(facets);
  var root = document.body.dataset.root;
  var SHOWN = 40;
  var shown = [];
  var active = -1;
  var asked = "";
  var isClosed = true;

  function node(tag, className, text) {
    var element = document.createElement(tag);
    element.className = className;
    element.textContent = text || "";
    return element;
  }

  function name(row, tag) {
    var element = node(tag, row.isOld ? "hit old" : "hit");
    element.append(node("span", "dim", row.prefix));
    odsmith.name(element, row.name);
    if (row.word) element.append(node("span", "dim", " · "), row.word);
    return element;
  }

  function recent() {
    try {
      return JSON.parse(localStorage.getItem("odsmith-recent")) || [];
    } catch (e) {
      return [];
    }
  }

  function remember(row) {
    if (!row) return;
    // The numbers of rows change with each build, so the entry is stored without its own.
    row = { href: row.href, kind: row.kind, prefix: row.prefix, name: row.name, word: row.word, summary: row.summary };
    var others = recent().filter((known) => known.href !== row.href);
    try {
      localStorage.setItem("odsmith-recent", JSON.stringify([row].concat(others).slice(0, 6)));
    } catch (e) { /* a page opened from disk may have no storage */ }
  }

  function open(isOpen) {
    isClosed = !isOpen;
    panel.hidden = !isOpen;
    box.setAttribute("aria-expanded", String(isOpen && shown.length > 0));
    if (!isOpen) box.removeAttribute("aria-activedescendant");
  }

  function show(rows, message) {
    // Scripts that load later add results; the selected one stays selected.
    var chosen = active > 0 && asked === box.value && shown[active];
    var place = rows.findIndex((row) => chosen && row.href === chosen.href);
    asked = box.value;
    shown = rows;
    active = -1;
    list.textContent = facets.textContent = "";
    preview.textContent = "";
    rows.forEach((row, i) => {
      var option = document.createElement("a");
      option.id = "result-" + i;
      option.href = root + row.href;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.tabIndex = -1;
      option.append(name(row, "span"), node("span", "kind", row.kind), node("span", "sum", row.summary));
      list.append(option);
    });
    list.hidden = !rows.length;
    box.removeAttribute("aria-activedescendant");
    status.textContent = message;
    open(rows.length > 0 || message !== "");
    if (rows.length) choose(Math.max(0, place), place <= 0);
  }

  function choose(next, isFirst) {
    var options = list.children;
    if (!options.length) return;
    if (options[active]) options[active].setAttribute("aria-selected", "false");
    active = (next + options.length) % options.length;
    options[active].setAttribute("aria-selected", "true");
    if (!isFirst) options[active].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options[active].id);
    if (preview.offsetParent) odsmith.look(shown[active], preview, (row) => shown[active] === row);
  }

  // Buttons that narrow the search to a kind or a dialect.
  function offer(counts, text) {
    facets.textContent = "";
    Object.keys(counts || {}).forEach((key) => {
      var names = Object.keys(counts[key]).sort((a, b) => counts[key][b] - counts[key][a]);
      if (names.length > 1) names.slice(0, 4).forEach((name) => {
        var button = node("button", "", name + " " + counts[key][name]);
        button.type = "button";
        button.tabIndex = -1;
        button.onclick = () => {
          box.value = text.trim() + " " + key + ":" + name;
          box.focus();
          update();
        };
        facets.append(button);
      });
    });
  }

  // The whole summary and the signature are in a script per dialect.
  odsmith.look = (row, into, isWanted) => {
    into.textContent = "";
    into.append(name(row, "p"), node("p", "kind", row.kind + (row.dialect ? " of " + row.dialect : "")));
    var text = node("p", "sum", row.summary);
    into.append(text);
    if (row.file === undefined) return;
    odsmith.load("preview/" + row.file, () => {
      var more = (odsmith.preview[row.file] || {})[row.place];
      if (!more || !isWanted(row)) return;
      text.textContent = more[0];
      if (more[1]) into.append(node("code", "", more[1]));
      if (more[2]) into.append(node("pre", "", more[2]));
    });
  };

  function share(text) {
    try {
      var address = new URL(location.href);
      if (text) address.searchParams.set("q", text);
      else address.searchParams.delete("q");
      history.replaceState(history.state, "", address);
    } catch (e) { /* a page opened from disk may not change its address */ }
  }

  // A script that loads late must not reopen a closed list.
  function again() {
    if (!isClosed) update();
  }

  function update() {
    isClosed = false;
    var text = box.value;
    var isEmpty = !text.trim();
    share(isEmpty ? "" : text);
    if (isEmpty) {
      var known = recent();
      return show(known, known.length ? "Opened from here before" : "");
    }
    if (!odsmith.index) {
      status.textContent = "Loading…";
      return odsmith.load("index", again);
    }
    if (!odsmith.rest || !odsmith.words) odsmith.load("words", () => {
      odsmith.load("rest", () => {
        odsmith.renew();
        again();
      });
    });
    var needs = odsmith.needs(text);
    if (needs) return odsmith.load(needs, again);
    var found = odsmith.find(text, SHOWN);
    show(found.rows, found.total ? found.total + (found.total === 1 ? " result" : " results") : "Nothing is called that. Try fewer words, or what goes in and out: memref -> index");
    offer(found.counts, text);
    found.more.forEach((name) => {
      odsmith.load(name, () => { if (box.value === text) again(); });
    });
  }

  box.addEventListener("input", update);
  box.addEventListener("focus", update);
  box.addEventListener("keydown", (event) => {
    var isOpen = !panel.hidden && shown.length > 0;
    if (event.isComposing || event.altKey) return;
    if (event.key === "ArrowDown" && isOpen) choose(active + 1);
    else if (event.key === "ArrowDown") update();
    else if (event.key === "ArrowUp" && isOpen) choose(active - 1);
    else if (event.key === "Home" && isOpen && !event.shiftKey) choose(0);
    else if (event.key === "End" && isOpen && !event.shiftKey) choose(shown.length - 1);
    else if (event.key === "Escape" && !isClosed) open(false);
    else if (event.key === "Enter" && isOpen && list.children[active]) {
      var href = list.children[active].href;
      remember(shown[active]);
      if (event.ctrlKey || event.metaKey) window.open(href, "_blank", "noopener");
      else {
        open(false);
        location.href = href;
      }
    } else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    var option = event.target.closest("a");
    remember(shown[[].indexOf.call(list.children, option)]);
    if (!event.ctrlKey && !event.metaKey) open(false);
  });
  list.addEventListener("mousemove", (event) => {
    var place = [].indexOf.call(list.children, event.target.closest("a"));
    if (place >= 0 && place !== active) choose(place, true);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".find")) open(false);
  });
  // Leaving with the Tab key closes the list; a click on it does not.
  box.addEventListener("blur", (event) => {
    if (event.relatedTarget && !event.relatedTarget.closest(".find")) open(false);
  });
  // Escape may have been pressed before this script was loaded.
  if (document.activeElement === box && odsmith.lastKey !== "Escape") update();
})(window.odsmith = window.odsmith || {});
