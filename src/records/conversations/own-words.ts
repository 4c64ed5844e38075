/** Extracts a mail's own text for its preview: most replies quote everything they answer. */

/** Characters that are examined. */
const mostText = 50_000;
const quoted = /^\s*>/;
const blank = /^\s*$/;
const separator = /^[\s_=*-]*$|^\s*[-_]{2,}[^-_]{1,60}[-_]{2,}\s*$/;
/** The signature marker: dash, dash, space; some programs drop the space. */
const signature = /^-- ?$/;
const header = /^\s*\*?[\p{L}][\p{L} .-]{0,30}\s?[:：]/u;
/** The start of unmarked quoted headers, by mail program and language. */
const from =
  /^\s*\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|kimden|feladó|expeditor|от|від|发件人|寄件者|差出人|보낸 사람)\*?\s?[:：]/iu;
/** The start of the introduction of a quote: `On`, `Am`, `Le`, a date, or a script without capitals. */
const sentenceStart = /^\s*(?:\p{Lu}\p{L}{0,3}\s|\d|\p{Lo})/u;
/** Lines over which an introduction such as "On …, Bob wrote:" may be wrapped. */
const mostWrapped = 3;

/**
 * The text without signature, quoted lines and their introductions. The whole text where nothing else remains, as in
 * a mail that only forwards.
 */
export function ownWords(text: string): string {
  const lines = text.slice(0, mostText).split(/\r?\n/u);
  const end = lines.findIndex((line, at) => signature.test(line) || isHeaderBlock(lines, at));
  const own = withoutQuotes(end === -1 ? lines : lines.slice(0, end));
  while (own.length > 0 && separator.test(own.at(-1) ?? '')) own.pop();
  return own.every((line) => blank.test(line)) ? text : own.join('\n');
}

/** Whether headers of another mail begin there, such as `From: … Sent: … Subject: …`. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!from.test(lines[at] ?? '')) return false;
  const next = lines.slice(at + 1, at + 5).filter((line) => header.test(line));
  return next.length >= 2;
}

function withoutQuotes(lines: readonly string[]): string[] {
  const own: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (!quoted.test(line)) own.push(line);
    else if (!quoted.test(lines[at - 1] ?? '')) dropIntroduction(own);
  }
  return own;
}

/** Drops a trailing sentence that introduces a quote. */
function dropIntroduction(own: string[]): void {
  while (own.length > 0 && blank.test(own.at(-1) ?? '')) own.pop();
  if (!/[:：]\s*$/u.test(own.at(-1) ?? '')) return;
  const wrapped = own.slice(-mostWrapped);
  const paragraph = wrapped.slice(wrapped.findLastIndex((line) => blank.test(line)) + 1);
  const begin = Math.max(
    0,
    paragraph.findLastIndex((line) => sentenceStart.test(line)),
  );
  const sentence = paragraph.slice(begin);
  if (/\d|@/u.test(sentence.join(' '))) own.splice(-sentence.length);
}
