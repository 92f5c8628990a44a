// The ends of comments and code fragments, line by line.

/**
 * How deep a line leaves what encloses its text from `at` on, and where that ends or the line does.
 *
 * `nests`: a start within counts. `passes`: such a letter hides the one after it, unless both are the end; so `}}]` does
 * not end a code fragment of TableGen, and `}}}]` does.
 */
export function ended({ start, end, nests, passes }, line, at, depth) {
  while (at < line.length) {
    if (line.startsWith(end, at)) {
      at += end.length;
      depth--;
      if (depth === 0) break;
    } else if (nests && line.startsWith(start, at)) {
      at += start.length;
      depth++;
    } else at += line[at] === passes ? 2 : 1;
  }
  return { depth, at: Math.min(at, line.length) };
}
