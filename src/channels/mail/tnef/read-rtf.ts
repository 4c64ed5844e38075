/** Extracts from RTF its plain text, or the HTML that it encapsulates. [MS-OXRTFEX] */
import { codePageOfCharset, textIn, defaultCodePage } from './code-pages.ts';

/** The extracted text, or HTML. */
export interface RtfText {
  readonly isHtml: boolean;
  readonly text: string;
}

/** Nested groups; deeper ones are ignored. */
const mostDepth = 200;
const mostFonts = 1_000;

/** A control word, a hexadecimal byte, a control symbol, a brace, or plain text. */
const tokens = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)/g;

/** Control words of groups without visible text. */
const silent = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'themedata',
  'datastore',
  'listtable',
  'listoverridetable',
  'header',
  'footer',
  'headerf',
  'footerf',
  'footnote',
  'mhtmltag',
  'fldinst',
]);

const signs: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
  emspace: ' ',
  enspace: ' ',
};

interface Group {
  /** Whether the group has no visible text. */
  isSilent: boolean;
  /** Whether it is only for programs that do not extract the HTML (`\htmlrtf`). */
  isFallback: boolean;
  /** Whether it contains original HTML markup. */
  isTag: boolean;
  /** Whether it is the font table. */
  isFonts: boolean;
  /** Fallback characters to skip after a Unicode character (`\uc`). */
  fallbacks: number;
  font: number;
}

/** Extracts the text of RTF, which may be truncated. */
export function readRtf(bytes: Uint8Array): RtfText {
  const reading = new Reading();
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const next = new RegExp(tokens);
  for (let found = next.exec(rtf); found && !reading.isOver; found = next.exec(rtf)) {
    const [, word, number, byte, sign, brace, text] = found;
    if (brace !== undefined) reading.brace(brace);
    else if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number);
      // Binary data follows.
      if (word === 'bin') next.lastIndex += Math.max(0, value ?? 0);
      else reading.word(word, value);
    } else if (byte !== undefined) reading.bytes([Number.parseInt(byte, 16)]);
    else if (sign !== undefined) reading.sign(sign);
    else if (text !== undefined) reading.bytes(Buffer.from(text, 'latin1'));
  }
  return reading.outcome();
}

class Reading {
  /** Whether the outermost group has ended. */
  isOver = false;
  readonly #parts: string[] = [];
  readonly #groups: Group[] = [];
  #group: Group = { isSilent: false, isFallback: false, isTag: false, isFonts: false, fallbacks: 1, font: -1 };
  /** The number of open groups that are too deep. */
  #tooDeep = 0;
  #isHtml = false;
  #codePage = defaultCodePage;
  #defaultFont = -1;
  readonly #codePages = new Map<number, number>();
  /** Bytes of one code page, decoded together since a character may have several. */
  #pending: number[] = [];
  #pendingPage = defaultCodePage;
  /** Whether the group begins with `\*`: it is ignored unless its control word is known. */
  #isOptional = false;
  /** The number of fallback characters still to be skipped. */
  #skipped = 0;

  brace(brace: string): void {
    this.#isOptional = false;
    this.#skipped = 0;
    if (brace === '{') {
      if (this.#groups.length >= mostDepth) this.#tooDeep++;
      else {
        this.#groups.push(this.#group);
        this.#group = { ...this.#group };
      }
    } else if (this.#tooDeep > 0) this.#tooDeep--;
    else {
      this.#group = this.#groups.pop() ?? this.#group;
      this.isOver = this.#groups.length === 0;
    }
  }

  word(word: string, value: number | undefined): void {
    const wasOptional = this.#isOptional;
    this.#isOptional = false;
    const group = this.#group;
    if (word === 'htmltag') {
      group.isTag = true;
      group.isSilent = false;
    } else if (silent.has(word) || wasOptional) {
      group.isSilent = true;
      group.isFonts = word === 'fonttbl';
    } else if (word === 'fromhtml') this.#isHtml = true;
    else if (word === 'htmlrtf') group.isFallback = value !== 0;
    else if (word === 'ansicpg') this.#codePage = value || defaultCodePage;
    else if (word === 'deff') this.#defaultFont = value ?? -1;
    else if (word === 'f') group.font = value ?? -1;
    else if (word === 'fcharset') this.#fontOf(value ?? 0);
    else if (word === 'uc') group.fallbacks = Math.min(value ?? 1, 100);
    else if (word === 'plain') group.font = -1;
    else if (word === 'u') {
      this.#text(String.fromCharCode((value ?? 0) & 0xff_ff));
      this.#skipped = group.fallbacks;
    } else if (signs[word] !== undefined) this.#text(signs[word]);
  }

  sign(sign: string): void {
    if (sign === '*') this.#isOptional = true;
    else if (sign === '\n' || sign === '\r') this.word('par', undefined);
    else if (sign === '~') this.#text(' ');
    else if (sign === '_') this.#text('-');
    else if ('{}\\'.includes(sign)) this.bytes([sign.charCodeAt(0)]);
  }

  bytes(bytes: Iterable<number>): void {
    for (const byte of bytes) {
      if (this.#skipped > 0) {
        this.#skipped--;
        continue;
      }
      if (!this.#isVisible()) continue;
      const page = this.#page();
      if (page !== this.#pendingPage) this.#flush();
      this.#pendingPage = page;
      this.#pending.push(byte);
    }
  }

  outcome(): RtfText {
    this.#flush();
    return { isHtml: this.#isHtml, text: this.#parts.join('') };
  }

  #fontOf(charset: number): void {
    const page = codePageOfCharset(charset);
    if (this.#group.isFonts && page !== undefined && this.#codePages.size < mostFonts)
      this.#codePages.set(this.#group.font, page);
  }

  #page(): number {
    const { font, isTag } = this.#group;
    if (isTag) return this.#codePage;
    return this.#codePages.get(font === -1 ? this.#defaultFont : font) ?? this.#codePage;
  }

  #text(text: string): void {
    if (!this.#isVisible()) return;
    this.#flush();
    this.#parts.push(text);
  }

  #isVisible(): boolean {
    const { isSilent, isFallback } = this.#group;
    return this.#tooDeep === 0 && !isSilent && !(isFallback && this.#isHtml);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    this.#parts.push(textIn(this.#pendingPage, Uint8Array.from(this.#pending)));
    this.#pending = [];
  }
}
