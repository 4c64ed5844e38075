/** What a mail says itself, for its preview: a reply mostly carries along all that it answers. */

/** Characters that are looked at. */
const mostText = 50_000;
const quoted = /^\s*>/;
const blank = /^\s*$/;
const separator = /^[\s_=*-]*$|^\s*[-_]{2,}[^-_]{1,60}[-_]{2,}\s*$/;
/** The dash, dash, space of signatures; some programs drop the space. */
const signature = /^-- ?$/;
const header = /^\s*\*?[\p{L}][\p{L} .-]{0,30}\s?[:：]/u;
/** How programs begin the headers of what they quote without marks, in the languages that they speak. */
const from =
  /^\s*\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|kimden|feladó|expeditor|от|від|发件人|寄件者|差出人|보낸 사람)\*?\s?[:：]/iu;
/** How that sentence begins: `On`, `Am`, `Le`, a date, or a script without capitals. */
const sentenceStart = /^\s*(?:\p{Lu}\p{L}{0,3}\s|\d|\p{Lo})/u;
/** Lines that the sentence "On …, Bob wrote:" is wrapped to. */
const mostWrapped = 3;

/**
 * The text without its signature, the lines that it quotes, and what introduces them. All of it where nothing else is in it, as in
 * a mail that only forwards.
 */
export function ownWords(text: string): string {
  const lines = text.slice(0, mostText).split(/\r?\n/u);
  const end = lines.findIndex((line, at) => signature.test(line) || isHeaderBlock(lines, at));
  const own = withoutQuotes(end === -1 ? lines : lines.slice(0, end));
  while (own.length > 0 && separator.test(own.at(-1) ?? '')) own.pop();
  return own.every((line) => blank.test(line)) ? text : own.join('\n');
}

/** Whether headers of another mail stand there, such as `From: … Sent: … Subject: …`. */
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

/** Takes away a last sentence that says who wrote what follows, and when. */
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
