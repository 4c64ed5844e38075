const mostShown = 300;
const [leftToRight, rightToLeft, firstStrong, end] = ['\u2066', '\u2067', '\u2068', '\u2069'];

/** A name within a sentence: cut off if it is long, with the direction isolates that it opens closed, so that the rest reads as usual. */
export function inSentence(name: string): string {
  const shown = name.length > mostShown ? `${name.slice(0, mostShown)}…` : name;
  let open = 0;
  for (const sign of shown) {
    if (sign === leftToRight || sign === rightToLeft || sign === firstStrong) open++;
    else if (sign === end) open = Math.max(0, open - 1);
  }
  return shown + end.repeat(open);
}
