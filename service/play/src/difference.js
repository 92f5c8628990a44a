// The difference of two texts, line by line: Myers' algorithm, which stops if they have too little in common.

/** The limit for edits; beyond it, all lines count as changed. */
const MOST_EDITS = 2000;

/** The lines of both texts in order, as {sign: " " | "+" | "-", text}. */
export function difference(before, after) {
  const [old, young] = [lines(before), lines(after)];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < young.length - start && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  const same = (list) => list.map((text) => ({ sign: " ", text }));
  const middle = changed(old.slice(start, old.length - end), young.slice(start, young.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

function lines(text) {
  if (!text) return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function changed(old, young) {
  const all = [...old.map((text) => ({ sign: "-", text })), ...young.map((text) => ({ sign: "+", text }))];
  if (!old.length || !young.length) return all;
  const trail = path(old, young);
  if (!trail) return all;
  const found = [];
  let [x, y] = [old.length, young.length];
  for (let step = trail.length - 1; step > 0; step--) {
    const reach = trail[step - 1];
    const diagonal = x - y;
    const isDown = diagonal === -step || (diagonal !== step && at(reach, diagonal - 1) < at(reach, diagonal + 1));
    const from = at(reach, isDown ? diagonal + 1 : diagonal - 1);
    const [fromX, fromY] = [from, from - (isDown ? diagonal + 1 : diagonal - 1)];
    while (x > fromX && y > fromY && x > 0 && y > 0 && old[x - 1] === young[y - 1]) {
      found.push({ sign: " ", text: old[x - 1] });
      x -= 1;
      y -= 1;
    }
    if (isDown) found.push({ sign: "+", text: young[(y -= 1)] });
    else found.push({ sign: "-", text: old[(x -= 1)] });
  }
  while (x > 0) {
    found.push({ sign: " ", text: old[x - 1] });
    x -= 1;
  }
  return found.reverse();
}

const at = (reach, diagonal) => reach.get(diagonal) ?? -1;

/** How far each diagonal reaches after each number of edits, up to the end; null if there are too many edits. */
function path(old, young) {
  const trail = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(MOST_EDITS, old.length + young.length); edits++) {
    const next = new Map();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = diagonal === -edits || (diagonal !== edits && at(reach, diagonal - 1) < at(reach, diagonal + 1));
      let x = edits === 0 ? 0 : isDown ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < old.length && y < young.length && old[x] === young[y]) {
        x += 1;
        y += 1;
      }
      next.set(diagonal, x);
      if (x >= old.length && y >= young.length) {
        trail.push(next);
        return trail;
      }
    }
    trail.push(next);
    reach = next;
  }
  return null;
}

/** The lines near a change; other runs of equal lines become {sign: "…", text} with their number. */
export function near(all, around = 3) {
  const isNear = new Uint8Array(all.length);
  all.forEach(({ sign }, index) => {
    if (sign === " ") return;
    for (let other = Math.max(0, index - around); other <= Math.min(all.length - 1, index + around); other++) isNear[other] = 1;
  });
  const found = [];
  for (let index = 0; index < all.length; ) {
    if (isNear[index]) {
      found.push(all[index]);
      index += 1;
      continue;
    }
    let end = index;
    while (end < all.length && !isNear[end]) end += 1;
    found.push({ sign: "…", text: `${end - index} equal ${end - index === 1 ? "line" : "lines"}` });
    index = end;
  }
  return found;
}
