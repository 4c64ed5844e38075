/**
 * The language of CALCULATED fields, parsed: `join(' ', first_name, last_name)`, `budget * share / 100`.
 * Nothing here evaluates anything; `expression-sql.ts` turns the tree into SQL.
 */
import { didYouMean } from '../lib/nearest.ts';
import { FieldProblem } from './field-problem.ts';

export type FunctionName = 'join' | 'concat' | 'coalesce' | 'lower' | 'upper' | 'trim';

/** How many arguments each function takes, from and to. */
const functions: Readonly<Record<FunctionName, readonly [least: number, most: number]>> = {
  join: [2, 100],
  concat: [1, 100],
  coalesce: [1, 100],
  lower: [1, 1],
  upper: [1, 1],
  trim: [1, 1],
};

export type Expression =
  | { readonly kind: 'text'; readonly value: string }
  /** Its digits as they were written. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | { readonly kind: 'sum'; readonly sign: ArithmeticSign; readonly left: Expression; readonly right: Expression };

export type ArithmeticSign = '+' | '-' | '*' | '/';

const maxLength = 5_000;
const maxDepth = 32;
/** A long chain of signs is a deep tree. */
const maxSigns = 200;

/** The tree of `source`. Throws FieldProblem, which names the position (counted from 1). */
export function parseExpression(source: string): Expression {
  if (source.length > maxLength) throw new FieldProblem(`must be an expression of at most ${maxLength} characters`);
  const parser = new Parser(source);
  const parsed = parser.expression(0);
  parser.end();
  return parsed;
}

/** The names of the fields that an expression reads, each once. */
export function inputs(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Expression): void => {
    if (node.kind === 'field') names.add(node.name);
    if (node.kind === 'call') node.args.forEach(visit);
    if (node.kind === 'sum') [node.left, node.right].forEach(visit);
  };
  visit(expression);
  return [...names];
}

/** `source` with one field under its new name; texts and functions stay. */
export function renameInputs(source: string, from: string, to: string): string {
  return source.replace(/'(?:[^']|'')*'|[a-z][a-z0-9_]*(?:\s*\()?/g, (part) => (part === from ? to : part));
}

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokenPattern =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?)|(?<name>[a-z][a-z0-9_]*)|(?<sign>[(),+\-*/]))/uy;

class Parser {
  readonly #source: string;
  #token: Token;
  #signs = 0;

  constructor(source: string) {
    this.#source = source;
    this.#token = this.#read(0);
  }

  expression(depth: number): Expression {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#operand(depth)));
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#problem('has something after its end');
  }

  /** Operands with signs of one rank between them, from left to right. */
  #chain(signs: readonly ArithmeticSign[], next: () => Expression): Expression {
    let left = next();
    for (;;) {
      const sign = signs.find((candidate) => candidate === this.#token.text);
      if (sign === undefined) return left;
      if (++this.#signs > maxSigns) throw this.#problem(`has more than ${maxSigns} signs`);
      this.#advance();
      left = { kind: 'sum', sign, left, right: next() };
    }
  }

  #operand(depth: number): Expression {
    if (depth > maxDepth) throw this.#problem(`is nested deeper than ${maxDepth} levels`);
    const token = this.#token;
    switch (token.kind) {
      case 'text':
        this.#advance();
        return { kind: 'text', value: token.text.slice(1, -1).replaceAll("''", "'") };
      case 'number':
        this.#advance();
        return { kind: 'number', value: token.text };
      case 'name':
        this.#advance();
        return this.#token.text === '(' ? this.#call(token, depth) : { kind: 'field', name: token.text };
      case 'sign':
        return this.#signed(token, depth);
      default:
        throw this.#problem("needs a field, a text in '…', a number or a function");
    }
  }

  /** `-a` as `0 - a`, or what stands in brackets. */
  #signed(token: Token, depth: number): Expression {
    if (token.text !== '(' && token.text !== '-') {
      throw this.#problem("needs a field, a text in '…', a number or a function");
    }
    this.#advance();
    if (token.text === '-') {
      return { kind: 'sum', sign: '-', left: { kind: 'number', value: '0' }, right: this.#operand(depth + 1) };
    }
    const inner = this.expression(depth + 1);
    if (this.#token.text !== ')') throw this.#problem('needs a closing bracket');
    this.#advance();
    return inner;
  }

  #call(name: Token, depth: number): Expression {
    if (!isFunctionName(name.text)) {
      const known = Object.keys(functions);
      throw this.#problem(`has no function "${name.text}"${didYouMean(name.text, known)}`, name, known);
    }
    const args: Expression[] = [];
    do {
      this.#advance();
      args.push(this.expression(depth + 1));
    } while (this.#token.text === ',');
    if (this.#token.text !== ')') throw this.#problem('needs a comma or a closing bracket');
    this.#advance();
    const [least, most] = functions[name.text];
    if (args.length < least) throw this.#problem(`needs at least ${least} arguments for ${name.text}`, name);
    if (args.length > most) throw this.#problem(`takes at most ${most} arguments for ${name.text}`, name);
    if (name.text === 'join' && args[0]?.kind !== 'text') {
      throw this.#problem("needs a text in '…' as the first argument of join", name);
    }
    return { kind: 'call', name: name.text, args };
  }

  #advance(): void {
    this.#token = this.#read(this.#token.at + this.#token.text.length);
  }

  #read(from: number): Token {
    tokenPattern.lastIndex = from;
    const match = tokenPattern.exec(this.#source);
    if (match?.groups === undefined) return this.#unreadable(from);
    const { text, number, name, sign } = match.groups;
    const value = text ?? number ?? name ?? sign ?? '';
    const kind = text !== undefined ? 'text' : number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    return { kind, text: value, at: tokenPattern.lastIndex - value.length };
  }

  /** The end, or a character that begins nothing. */
  #unreadable(from: number): Token {
    const rest = this.#source.slice(from);
    const at = from + rest.length - rest.trimStart().length;
    const token: Token = { kind: 'end', text: '', at };
    if (at === this.#source.length) return token;
    throw this.#problem(this.#source[at] === "'" ? 'has a text without its closing quote' : 'cannot be read', token);
  }

  #problem(message: string, token: Token = this.#token, available?: readonly string[]): FieldProblem {
    return new FieldProblem(`${message} (position ${token.at + 1})`, available);
  }
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}
