/** The title of a note, which is the beginning of its text. [spec: Note] */

/** Characters of a title, with the ellipsis of one that was cut. */
const most = 80;

/** A title that is cut at a word keeps at least so many characters; a longer word is cut itself. */
const least = 40;

/** Of a note in whose text nothing can be seen. */
const untitled = 'Note';

/** Letters, digits, signs: no spaces, and nothing that is not seen. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first line of `text` that has something to see, cut at a word where it is long. A line is what HTML has as a block. */
export function titleOf(text: string): string {
  const line = firstLine(text).trim();
  if (line === '') return untitled;
  const shown = beginning(line, most + 1);
  if (shown.length <= most) return shown.join('');
  const cut = shown.slice(0, most - 1);
  const isWordEnd = shown[most - 1] === ' ';
  const space = isWordEnd ? cut.length : cut.lastIndexOf(' ');
  const kept = cut.slice(0, space < least ? cut.length : space).join('');
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}

function firstLine(text: string): string {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? undefined : end);
    if (visible.test(line)) return line;
    if (end === -1) break;
    from = end + 1;
  }
  return '';
}

/** The first characters as people see them, `count` at most. */
function beginning(line: string, count: number): string[] {
  const found: string[] = [];
  // A character may be of many code points, but none that anybody means of a hundred.
  for (const { segment } of characters.segment(line.slice(0, count * 100).toWellFormed())) {
    if (found.push(segment) === count) break;
  }
  return found;
}
