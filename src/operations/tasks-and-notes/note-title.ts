/** The title of a note, derived from its text. [spec: Note] */

/** The most characters of a title, including the ellipsis. */
const most = 80;

/** The fewest characters of a title that is cut at a word; a longer word is cut itself. */
const least = 40;

/** The title of a note without visible text. */
const untitled = 'Note';

/** Visible characters: letters, digits, punctuation and symbols. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first line of `text` with visible characters, cut at a word if it is long. Blocks of HTML are lines. */
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

/** The first `count` graphemes, at most. */
function beginning(line: string, count: number): string[] {
  const found: string[] = [];
  // A grapheme may have many code points, but never a hundred.
  for (const { segment } of characters.segment(line.slice(0, count * 100).toWellFormed())) {
    if (found.push(segment) === count) break;
  }
  return found;
}
