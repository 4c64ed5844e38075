const mostShown = 300;
const [leftToRight, rightToLeft, firstStrong, end] = ['\u2066', '\u2067', '\u2068', '\u2069'];

/** A name as it stands among other words: not endless, and what it opens of another direction ends with it. */
export function inSentence(name: string): string {
  const shown = name.length > mostShown ? `${name.slice(0, mostShown)}…` : name;
  let open = 0;
  for (const sign of shown) {
    if (sign === leftToRight || sign === rightToLeft || sign === firstStrong) open++;
    else if (sign === end) open = Math.max(0, open - 1);
  }
  return shown + end.repeat(open);
}
