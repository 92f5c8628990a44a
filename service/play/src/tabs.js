// Tab lists with keyboard navigation: arrows, Home and End.

/** Manages a list of {id, label, isBad}; calls `choose(id)` for a chosen tab and `remove(id)` for Delete. */
export function tabs(list, panel, { choose, remove }) {
  const select = (button, isByHand) => {
    for (const other of list.children) {
      const isIt = other === button;
      other.setAttribute("aria-selected", String(isIt));
      other.tabIndex = isIt ? 0 : -1;
    }
    if (!button) return;
    panel.setAttribute("aria-labelledby", button.id);
    if (isByHand) button.focus();
    const { offsetLeft, offsetWidth } = button;
    if (offsetLeft < list.scrollLeft || offsetLeft + offsetWidth > list.scrollLeft + list.clientWidth) list.scrollLeft = Math.max(0, offsetLeft - 16);
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest('[role="tab"]');
    if (!button) return;
    select(button);
    choose(button.dataset.id);
  });
  list.addEventListener("keydown", (event) => {
    const all = [...list.children];
    const at = all.indexOf(event.target.closest('[role="tab"]'));
    if (at < 0) return;
    const next = { ArrowRight: (at + 1) % all.length, ArrowLeft: (at + all.length - 1) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Delete" && remove) {
      event.preventDefault();
      remove(all[at].dataset.id);
    } else if (next !== undefined) {
      event.preventDefault();
      select(all[next], true);
      choose(all[next].dataset.id);
    }
  });
  return {
    fill(entries, chosen) {
      const hadFocus = list.contains(document.activeElement);
      list.replaceChildren(
        ...entries.map(({ id, label, isBad }, index) => {
          const button = document.createElement("button");
          Object.assign(button, { type: "button", id: `${list.id}-${index}`, textContent: label });
          button.dataset.id = id;
          button.setAttribute("role", "tab");
          button.setAttribute("aria-controls", panel.id);
          if (isBad) {
            button.classList.add("bad");
            button.setAttribute("aria-label", `${label}, with errors`);
          }
          return button;
        }),
      );
      select([...list.children].find((button) => button.dataset.id === chosen), hadFocus);
    },
    select: (id) => select([...list.children].find((button) => button.dataset.id === id)),
  };
}
