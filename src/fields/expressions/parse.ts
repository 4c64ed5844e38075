/** Parses the language of CALCULATED fields: `join(' ', first_name, last_name)`, `if(share > 50, budget * share / 100, 0)`. */
import { didYouMean } from '../../lib/nearest.ts';
import { functions } from './functions.ts';
import { problemAt, tokenAt, type Token } from './tokens.ts';
import type { Expression, FunctionName, Sign } from './tree.ts';
import { FieldProblem } from '../field-problem.ts';

const maxLength = 5_000;
const maxDepth = 32;
/** A long chain of operators makes a deep tree. */
const maxSigns = 200;

const comparisons: Readonly<Record<string, Sign>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const needed = "needs a field, a text in '…', a number or a function";

/** Parses `source`. Throws FieldProblem, which names the position (counted from 1). */
export function parseExpression(source: string): Expression {
  if (source.length > maxLength) throw new FieldProblem(`must be an expression of at most ${maxLength} characters`);
  const parser = new Parser(source);
  const parsed = parser.expression(0);
  parser.end();
  return parsed;
}

class Parser {
  readonly #source: string;
  #token: Token;
  #signs = 0;

  constructor(source: string) {
    this.#source = source;
    this.#token = tokenAt(source, 0);
  }

  /** The precedence levels of operators, lowest first. */
  expression(depth: number): Expression {
    return this.#chain(['or'], () => this.#chain(['and'], () => this.#negation(depth)));
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#problem('has something after its end');
  }

  /** Operands joined by operators of one level, from left to right. */
  #chain(signs: readonly Sign[], next: () => Expression): Expression {
    let left = next();
    for (;;) {
      const sign = signs.find((candidate) => candidate === this.#token.text);
      if (sign === undefined) return left;
      left = this.#joined(left, sign, next);
    }
  }

  #joined(left: Expression, sign: Sign, next: () => Expression): Expression {
    if (++this.#signs > maxSigns) throw this.#problem(`has more than ${maxSigns} signs`);
    const { at } = this.#token;
    this.#advance();
    return { kind: 'sign', sign, left, right: next(), at };
  }

  #negation(depth: number): Expression {
    if (this.#token.text !== 'not') return this.#comparison(depth);
    this.#checkDepth(depth);
    const { at } = this.#token;
    this.#advance();
    return { kind: 'not', of: this.#negation(depth + 1), at };
  }

  #comparison(depth: number): Expression {
    const sum = () => this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#operand(depth)));
    const left = sum();
    const sign = this.#comparisonSign();
    if (sign === undefined) return left;
    const compared = this.#joined(left, sign, sum);
    if (this.#comparisonSign()) throw this.#problem('compares a comparison: put it in brackets, or "and" between two');
    return compared;
  }

  #comparisonSign(): Sign | undefined {
    return this.#token.kind === 'sign' ? comparisons[this.#token.text] : undefined;
  }

  #operand(depth: number): Expression {
    this.#checkDepth(depth);
    const token = this.#token;
    const { kind, text, at } = token;
    if (kind === 'sign') return this.#signed(token, depth);
    if (kind === 'end' || (kind === 'word' && !['true', 'false', 'null'].includes(text))) throw this.#problem(needed);
    this.#advance();
    if (kind === 'text') return { kind, value: text.slice(1, -1).replaceAll("''", "'"), at };
    if (kind === 'number') return { kind, value: text, at };
    if (kind === 'word')
      return text === 'null' ? { kind: 'null', at } : { kind: 'boolean', value: text === 'true', at };
    return this.#token.text === '(' ? this.#call(token, depth) : { kind: 'field', name: text, at };
  }

  /** `-a` as `0 - a`, or a parenthesised expression. */
  #signed(token: Token, depth: number): Expression {
    const { text, at } = token;
    if (text !== '(' && text !== '-') throw this.#problem(needed);
    this.#advance();
    if (text === '-') {
      const left: Expression = { kind: 'number', value: '0', at };
      return { kind: 'sign', sign: '-', left, right: this.#operand(depth + 1), at };
    }
    const inner = this.expression(depth + 1);
    if (this.#token.text !== ')') throw this.#problem('needs a closing bracket');
    this.#advance();
    return inner;
  }

  #call({ text: name, at }: Token, depth: number): Expression {
    if (!isFunctionName(name)) {
      const known = Object.keys(functions);
      throw problemAt(`has no function "${name}"${didYouMean(name, known)}`, at, known);
    }
    const args: Expression[] = [];
    this.#advance();
    while (this.#token.text !== ')' || args.length > 0) {
      args.push(this.expression(depth + 1));
      if (this.#token.text !== ',') break;
      this.#advance();
    }
    if (this.#token.text !== ')') throw this.#problem('needs a comma or a closing bracket');
    this.#advance();
    const { least, most } = functions[name];
    if (args.length < least) throw problemAt(`needs ${counted(least)} for ${name}`, at);
    if (args.length > most) throw problemAt(`takes at most ${most} arguments for ${name}`, at);
    return { kind: 'call', name, args, at };
  }

  #advance(): void {
    this.#token = tokenAt(this.#source, this.#token.at + this.#token.text.length);
  }

  #checkDepth(depth: number): void {
    if (depth > maxDepth) throw this.#problem(`is nested deeper than ${maxDepth} levels`);
  }

  #problem(message: string): FieldProblem {
    return problemAt(message, this.#token.at);
  }
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

function counted(least: number): string {
  return least === 1 ? 'an argument' : `at least ${least} arguments`;
}
