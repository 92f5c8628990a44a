// The functions of every page: themes, density, copying, the sidebar, shortcuts. The search is loaded on first use.
((odsmith) => {
  "use strict";
  var html = document.documentElement;
  var body = document.body;
  var root = body.dataset.root;
  var box = document.getElementById("search");
  var help = document.getElementById("help");
  var prefersDark = matchMedia("(prefers-color-scheme: dark)");

  function keep(name, value) {
    try {
      if (value) localStorage.setItem("odsmith-" + name, value);
      else localStorage.removeItem("odsmith-" + name);
    } catch (e) { /* a page opened from disk may have no storage */ }
  }
  function kept(name) {
    try {
      return localStorage.getItem("odsmith-" + name);
    } catch (e) {
      return null;
    }
  }

  // Loads a script of this site once, then calls back.
  var scripts = {};
  odsmith.load = (name, then) => {
    var script = scripts[name];
    if (script && script.isThere) return then();
    if (!script) {
      script = scripts[name] = document.createElement("script");
      script.src = root + "assets/" + name + ".js";
      script.addEventListener("load", () => { script.isThere = true; });
      document.head.appendChild(script);
    }
    script.addEventListener("load", then);
  };

  // Allows line breaks after the dots and underscores of a name.
  odsmith.name = (element, text) => {
    text.split(/(?<=[._])(?=.)/).forEach((piece, i) => {
      if (i) element.append(document.createElement("wbr"));
      element.append(piece);
    });
  };

  // The theme
  var theme = document.getElementById("theme");
  function isDark() {
    return html.dataset.theme ? html.dataset.theme === "dark" : prefersDark.matches;
  }
  function showTheme() {
    theme.setAttribute("aria-pressed", String(isDark()));
    theme.title = isDark() ? "Switch to light" : "Switch to dark";
  }
  theme.addEventListener("click", () => {
    html.dataset.theme = isDark() ? "light" : "dark";
    // A choice that equals the system's setting need not be stored.
    keep("theme", isDark() === prefersDark.matches ? "" : html.dataset.theme);
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  // Density and shortcuts, in the help
  var isDense = document.getElementById("dense");
  var hasKeys = document.getElementById("keys");
  isDense.checked = html.dataset.density === "compact";
  hasKeys.checked = kept("keys") !== "off";
  isDense.addEventListener("change", () => {
    html.dataset.density = isDense.checked ? "compact" : "";
    keep("density", html.dataset.density);
  });
  hasKeys.addEventListener("change", () => { keep("keys", hasKeys.checked ? "" : "off"); });
  document.getElementById("help-open").addEventListener("click", () => { help.showModal(); });
  help.addEventListener("click", (event) => { if (event.target === help) help.close(); });

  // Copying
  function copied(button, text) {
    if (!navigator.clipboard) return;
    navigator.clipboard.writeText(text).then(() => {
      button.classList.add("done");
      setTimeout(() => { button.classList.remove("done"); }, 1200);
    }, () => {});
  }
  document.querySelectorAll("main pre").forEach((pre) => {
    var frame = document.createElement("div");
    var button = document.createElement("button");
    frame.className = "listing";
    button.className = "copy";
    button.type = "button";
    button.setAttribute("aria-label", "Copy this code");
    pre.replaceWith(frame);
    frame.append(pre, button);
  });
  body.addEventListener("click", (event) => {
    var button = event.target.closest(".copy");
    if (button) copied(button, button.dataset.copy || button.previousElementSibling.textContent);
  });

  // The sidebar: all names of the dialect on first use, and a filter
  var side = document.querySelector(".side");
  var filter = document.getElementById("filter");
  var menu = document.getElementById("menu");
  if (menu) {
    var unfold = (isOpen) => {
      side.classList.toggle("open", isOpen);
      menu.setAttribute("aria-expanded", String(isOpen));
      (isOpen && (filter || side.querySelector("a")) || menu).focus();
    };
    menu.addEventListener("click", () => { unfold(!side.classList.contains("open")); });
    side.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && side.classList.contains("open")) unfold(false);
    });
  }
  if (filter) {
    var names = side.querySelector(".names");
    var isWhole = false;
    var whole = (then) => {
      if (isWhole || !side.dataset.list) return then && then();
      odsmith.load("list/" + side.dataset.list, () => {
        if (!isWhole) fill(odsmith.list[side.dataset.list]);
        isWhole = true;
        if (then) then();
      });
    };
    var fill = (items) => {
      var here = names.querySelector("[aria-current]");
      var before = here && here.getBoundingClientRect().top;
      var current = here && here.getAttribute("href");
      var folder = "";
      names.textContent = "";
      items.forEach((item) => {
        if (Array.isArray(item)) {
          folder = item[0];
          var head = document.createElement("li");
          head.className = "label";
          head.textContent = item[1];
          return names.append(head);
        }
        var parts = item.split("\t");
        var link = document.createElement("a");
        odsmith.name(link, parts[0]);
        link.setAttribute("href", root + folder + (parts[1] || parts[0]) + ".html");
        if (link.getAttribute("href") === current) link.setAttribute("aria-current", "page");
        var line = document.createElement("li");
        line.append(link);
        names.append(line);
      });
      here = names.querySelector("[aria-current]");
      if (here) names.scrollTop += here.getBoundingClientRect().top - before;
    };
    var narrow = () => {
      var wanted = filter.value.toLowerCase();
      var count = 0;
      names.querySelectorAll("li").forEach((line) => {
        var isLabel = line.className === "label";
        line.hidden = wanted !== "" && (isLabel || line.textContent.toLowerCase().indexOf(wanted) < 0);
        if (!line.hidden && !isLabel) count++;
      });
      document.getElementById("filtered").textContent = wanted ? count + " left" : "";
    };
    side.addEventListener("pointerenter", () => { whole(); });
    filter.addEventListener("focus", () => { whole(); });
    filter.addEventListener("input", () => { whole(narrow); });
    var here = names.querySelector("[aria-current]");
    if (here) names.scrollTop = Math.max(0, here.offsetTop - names.offsetTop - names.clientHeight / 2);
  }
  var dialects = document.getElementById("dialects");
  if (dialects) dialects.addEventListener("toggle", () => {
    if (dialects.open && !dialects.querySelector("ul")) odsmith.load("list", () => {
      var list = document.createElement("ul");
      odsmith.dialects.forEach((item) => {
        var line = document.createElement("li");
        var link = document.createElement("a");
        link.textContent = item[0];
        link.href = root + item[1];
        line.append(link);
        list.append(line);
      });
      dialects.append(list);
    });
  });

  // Releases that are newer than this page
  var versions = document.getElementById("versions");
  if (versions) versions.addEventListener("toggle", () => {
    if (versions.open) odsmith.load("../../versions", () => {
      var list = versions.querySelector("ul");
      var known = Array.from(list.children, (line) => { return line.textContent.trim(); });
      known.push(versions.querySelector("summary").lastChild.textContent.trim());
      var path = location.href.slice(home.length).replace(/[?#].*/, "");
      odsmith.versions.reverse().forEach((item) => {
        if (known.indexOf(item.name) >= 0) return;
        var line = document.createElement("li"), link = document.createElement("a");
        link.textContent = item.name;
        link.href = root + "../" + item.folder + "/" + path;
        line.append(link);
        list.prepend(line);
      });
    });
  });

  // The current section in the contents
  var contents = new Map();
  document.querySelectorAll(".toc a").forEach((link) => {
    var target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target) contents.set(target, link);
  });
  if (contents.size && "IntersectionObserver" in window) {
    var mark = () => {
      var now = null;
      contents.forEach((link, target) => {
        link.removeAttribute("aria-current");
        if (!now || target.getBoundingClientRect().top < 140) now = link;
      });
      if (now) now.setAttribute("aria-current", "true");
    };
    var watch = new IntersectionObserver(mark, { rootMargin: "-80px 0px -60% 0px" });
    contents.forEach((_, target) => { watch.observe(target); });
    mark();
  }

  // The search, and keys
  function openSearch() {
    odsmith.load("search", () => {});
    odsmith.load("index", () => {});
  }
  box.addEventListener("focus", openSearch);
  box.addEventListener("keydown", (event) => { odsmith.lastKey = event.key; });
  if (document.activeElement === box) openSearch();

  // Previews of links on a card, from the data of the search
  var card = document.createElement("div");
  var pointed = null;
  var waiting = 0;
  var home = new URL(root || "./", location.href).href;
  card.id = "card";
  card.className = "look";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  body.append(card);
  function point(link) {
    if (link && link === pointed) return;
    clearTimeout(waiting);
    if (link === card) return;
    if (pointed) pointed.removeAttribute("aria-describedby");
    pointed = link;
    waiting = setTimeout(show, link ? 350 : 200);
  }
  function show() {
    var link = pointed;
    card.hidden = true;
    if (!link) return;
    var path = link.href.split("#")[0];
    if (path === location.href.split("#")[0] || !path.startsWith(home)) return;
    ["rest", "index", "search"].reduce((then, name) => {
      return odsmith.load.bind(odsmith, name, then);
    }, () => {
      if (!show.isWhole) odsmith.renew();
      show.isWhole = true;
      var row = odsmith.at(path.slice(home.length));
      if (!row || pointed !== link) return;
      odsmith.look(row, card, () => { return pointed === link; });
      card.hidden = false;
      link.setAttribute("aria-describedby", "card");
      var at = link.getBoundingClientRect();
      var isAbove = at.bottom + 200 > innerHeight && at.top > 200;
      card.style.left = scrollX + Math.max(8, Math.min(at.left, html.clientWidth - card.offsetWidth - 8)) + "px";
      card.style.top = isAbove ? "auto" : scrollY + at.bottom + 6 + "px";
      card.style.bottom = isAbove ? html.clientHeight - scrollY - at.top + 6 + "px" : "auto";
    })();
  }
  function pointee(target) {
    return target.closest("#card, main a[href]:not(.rows a, .dialects a, .trail a, .turn a, [title])");
  }
  document.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") point(pointee(event.target)); });
  document.addEventListener("focusin", (event) => { point(event.target.matches(":focus-visible") ? pointee(event.target) : null); });
  addEventListener("keydown", (event) => { if (event.key === "Escape") point(null); });

  document.addEventListener("keydown", (event) => {
    var isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    var isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
    var isPlain = hasKeys.checked && !isTyping && (!event.ctrlKey || event.getModifierState("AltGraph")) && !event.metaKey && !help.open;
    var turn = { "[": "prev", "]": "next" }[event.key];
    if (isK || isPlain && event.key === "/") {
      help.close();
      box.focus();
      box.select();
    } else if (isPlain && event.key === "?") help.showModal();
    else if (isPlain && turn) {
      var link = document.querySelector(".turn [rel=" + turn + "]");
      if (!link) return;
      link.click();
    } else return;
    event.preventDefault();
  });

  // Nothing can be unfolded on paper.
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
  });

  var query = new URLSearchParams(location.search).get("q");
  if (query) {
    box.value = query;
    box.focus();
    openSearch();
  }
  // Permalinks for every heading and row with a fragment.
  var places = document.querySelectorAll("main h2[id], main h3[id], main tr[id], main li[id], main dt[id]");
  if (places.length < 900) places.forEach((place) => {
    var link = document.createElement("a");
    link.className = "mark";
    link.href = "#" + place.id;
    link.setAttribute("aria-label", "Link to " + (place.id));
    // Beside the name: after a block it would take a line of its own.
    if (place.tagName === "TR") place.firstElementChild.append(link);
    else place.insertBefore(link, place.querySelector(":scope > :is(details, dl, ol, p, pre, ul)"));
  });

  // The 404 page: definitions with a name similar to the last part of the address.
  var nearest = document.getElementById("nearest");
  if (nearest) ["index", "words", "rest", "search"].reduceRight((next, name) => {
    return () => { odsmith.load(name, next); };
  }, () => {
    var parts = decodeURIComponent(location.pathname).replace(/\.\w+$/, "").split("/").filter(Boolean);
    var found = odsmith.find(parts.slice(-1).join(""), 8).rows;
    found.forEach((row) => {
      var item = document.createElement("li"), link = document.createElement("a");
      link.className = "op";
      link.href = root + row.href;
      link.textContent = row.prefix + row.name;
      item.append(link, " " + row.summary);
      nearest.append(item);
    });
    nearest.hidden = !found.length;
  })();
})(window.odsmith = window.odsmith || {});
