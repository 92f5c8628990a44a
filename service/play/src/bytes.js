// The service counts bytes of UTF-8, the editor code units of UTF-16.

/** The number of bytes before an offset of the editor. */
export function bytesBefore(text, offset) {
  let bytes = 0;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** A function that converts bytes to offsets of the editor, for one text; positions after the end become the end. */
export function offsets(text) {
  const isPlain = !/[^\x00-\x7f]/.test(text);
  if (isPlain) return (bytes) => Math.min(bytes, text.length);
  // Offsets at regular intervals: counting begins at the last one before a position.
  const every = 1024;
  const marks = [0];
  let bytes = 0;
  let at = 0;
  const step = () => {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
    at += 1;
  };
  const starts = [0];
  while (at < text.length) {
    step();
    if (bytes >= marks.length * every) {
      marks.push(at);
      starts.push(bytes);
    }
  }
  return (wanted) => {
    const mark = Math.min(Math.floor(wanted / every), marks.length - 1);
    const from = starts[mark] > wanted ? mark - 1 : mark;
    at = marks[from];
    bytes = starts[from];
    while (bytes < wanted && at < text.length) step();
    return at;
  };
}
