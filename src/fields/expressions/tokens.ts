/** Tokenises the language of CALCULATED fields. */
import { FieldProblem } from '../field-problem.ts';

export interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'word' | 'sign' | 'end';
  /** The source text, with quotes for a string. */
  readonly text: string;
  readonly at: number;
}

/** Reserved words. */
const words: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false', 'null']);

const tokenPattern =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?)|(?<name>[a-z][a-z0-9_]*)|(?<sign><=|>=|<>|!=|[(),+\-*/%=<>]))/uy;

/** The token at `from`, after white space. Throws FieldProblem. */
export function tokenAt(source: string, from: number): Token {
  tokenPattern.lastIndex = from;
  const match = tokenPattern.exec(source);
  if (match?.groups === undefined) return unreadable(source, from);
  const { text, number, name, sign } = match.groups;
  const written = text ?? number ?? name ?? sign ?? '';
  return { kind: kindOf(text, number, name), text: written, at: tokenPattern.lastIndex - written.length };
}

/** A problem at a position of the expression, counted from 1. */
export function problemAt(message: string, at: number, available?: readonly string[]): FieldProblem {
  return new FieldProblem(`${message} (position ${at + 1})`, available);
}

/** Renames one field in `source`; strings, functions and reserved words stay. */
export function renameInputs(source: string, from: string, to: string): string {
  if (words.has(from)) return source;
  return source.replace(/'(?:[^']|'')*'|[a-z][a-z0-9_]*(?:\s*\()?/g, (part) => (part === from ? to : part));
}

function kindOf(text: string | undefined, number: string | undefined, name: string | undefined): Token['kind'] {
  if (text !== undefined) return 'text';
  if (number !== undefined) return 'number';
  if (name === undefined) return 'sign';
  return words.has(name) ? 'word' : 'name';
}

/** The end, or the error of an invalid character. */
function unreadable(source: string, from: number): Token {
  const rest = source.slice(from);
  const at = from + rest.length - rest.trimStart().length;
  if (at === source.length) return { kind: 'end', text: '', at };
  throw problemAt(source[at] === "'" ? 'has a text without its closing quote' : 'cannot be read', at);
}
