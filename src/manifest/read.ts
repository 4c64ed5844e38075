/** Parses a manifest's JSON or YAML text, keeping the position of each part. */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { errors, KithError, quoted } from '../errors.ts';
import { Digits, maxDepth, unstorable, type Json } from '../lib/json.ts';

export interface ManifestText {
  readonly value: Json;
  /** Line and column (from 1) of a place such as `objects[0].fields[2].type`, or of its nearest parent. */
  locate(place: string): Position | undefined;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

const maxLength = 1024 * 1024;
/** The most UTF-8 bytes of a text with the most characters. */
export const maxManifestBytes = 3 * maxLength;
export const manifestTooLong = 'A manifest has at most 1 MiB';
/** Anchors may repeat what they name, but must not make a small file a large one. */
const maxNodes = 200_000;

/** Parses the text; JSON is a subset of YAML. Throws VALIDATION_ERROR that begins with line and column. */
export function readManifestText(text: string): ManifestText {
  if (text.length > maxLength) throw errors.validation(manifestTooLong);
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const [syntax] = document.errors;
  if (syntax) throw refusal(lines, syntax.pos[0], syntax.message);
  const offsets = new Map<string, number>();
  const value = new Walker(document, lines, offsets).value(document.contents, '', 0);
  const problem = unstorable(value);
  if (problem !== undefined) throw errors.validation(`A value in the manifest ${problem}`);
  return {
    value,
    locate(place) {
      let known = place;
      while (known !== '' && !offsets.has(known)) known = known.replace(/(?:^|\.)[^.[\]]*$|\[[^[\]]*\]$/, '');
      const offset = offsets.get(known);
      return offset === undefined ? undefined : positionOf(lines, offset);
    },
  };
}

/** The error with line and column in front of every problem that has a place. */
export function located(error: KithError, source: ManifestText): KithError {
  const problems = error.fieldErrors ?? [];
  if (problems.length === 0) return error;
  const told = problems.map(({ field, message }) => {
    const at = source.locate(field);
    return at ? `${at.line}:${at.column} ${message}` : message;
  });
  return new KithError(error.code, told.join('\n'), {
    fieldErrors: problems,
    ...(error.availableValues && { availableValues: error.availableValues }),
  });
}

function parsed(text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) throw errors.validation(`The manifest is nested deeper than ${maxDepth} levels`);
    throw error;
  }
}

function positionOf(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function refusal(lines: LineCounter, offset: number, message: string): KithError {
  const { line, column } = positionOf(lines, offset);
  return errors.validation(`${line}:${column} ${message}`);
}

class Walker {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #offsets: Map<string, number>;
  #nodes = 0;

  constructor(document: Document.Parsed, lines: LineCounter, offsets: Map<string, number>) {
    this.#document = document;
    this.#lines = lines;
    this.#offsets = offsets;
  }

  value(node: Node | null, place: string, depth: number): Json {
    if (node === null) return null;
    const offset = node.range?.[0] ?? 0;
    if (!this.#offsets.has(place)) this.#offsets.set(place, offset);
    if (depth > maxDepth) throw refusal(this.#lines, offset, `nested deeper than ${maxDepth} levels`);
    if (++this.#nodes > maxNodes) throw refusal(this.#lines, offset, `more than ${maxNodes} values`);
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (!target) throw refusal(this.#lines, offset, `there is no anchor ${quoted(node.source)}`);
      return this.value(target, place, depth + 1);
    }
    if (isMap(node)) return this.#map(node.items, place, depth);
    if (isSeq(node)) {
      return node.items.map((item, index) => this.value(item as Node | null, `${place}[${index}]`, depth + 1));
    }
    return isScalar(node) ? this.#scalar(node.value, node.source, offset) : null;
  }

  #map(items: readonly unknown[], place: string, depth: number): Json {
    const entries = new Map<string, Json>();
    for (const item of items) {
      if (!isPair(item) || !isScalar(item.key)) throw refusal(this.#lines, 0, 'a key must be a text');
      const offset = item.key.range?.[0] ?? 0;
      const key = String(item.key.value);
      if (entries.has(key)) throw refusal(this.#lines, offset, `${quoted(key)} is given twice`);
      const inner = place === '' ? key : `${place}.${key}`;
      this.#offsets.set(inner, offset);
      entries.set(key, this.value(item.value as Node | null, inner, depth + 1));
    }
    // Own properties of any name: `__proto__` is an ordinary key.
    return Object.fromEntries(entries);
  }

  #scalar(value: unknown, source: string | undefined, offset: number): Json {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw refusal(this.#lines, offset, 'must be text, a number, true, false or null');
    }
    const written = source ?? String(value);
    const isJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(written);
    return isJson && String(value) !== written ? new Digits(written) : value;
  }
}
