/** Numbers without binary floats: text in, PostgreSQL's own text for the same numeric out. */
import { Digits, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import { FieldProblem, misfit } from './field-problem.ts';

const maxDigits = 100;
const aNumber = 'a number such as 1200.5';
const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/** The digits of a JSON number; strings are not accepted. `wanted` describes a valid value. Throws FieldProblem. */
export function decodeNumber(value: Json, wanted = aNumber): string {
  if (typeof value === 'number') return canonicalNumber(String(value));
  if (value instanceof Digits) return canonicalNumber(value.source);
  throw misfit(wanted, value);
}

/**
 * Normalises to PostgreSQL's form: `1.50e3` is `1500`, `-0.0` is `0.0`. Throws FieldProblem, describing `wanted`, for
 * text that is no number or too long.
 */
export function canonicalNumber(text: string, wanted = aNumber): string {
  const match = numberPattern.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (!match || whole + fraction === '') throw misfit(wanted, text);
  const point = whole.length + Number(exponent);
  const scale = Math.max(0, fraction.length - Number(exponent));
  if (Math.abs(point) > maxDigits || scale > maxDigits) throw new FieldProblem(`must have at most ${maxDigits} digits`);
  const digits = (whole + fraction).padEnd(point, '0');
  const before = digits.slice(0, Math.max(0, point)).replace(/^0+/, '');
  const after = (point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)).slice(0, scale);
  if (before.length + after.length > maxDigits) throw new FieldProblem(`must have at most ${maxDigits} digits`);
  const isZero = !/[1-9]/.test(before + after);
  return `${sign === '-' && !isZero ? '-' : ''}${before || '0'}${after && `.${after}`}`;
}

/** A number in a CSV cell: `1234.5`, `1,234.50`; null for an empty cell. Throws FieldProblem, describing `wanted`. */
export function numberFromCell(cell: string, wanted?: string): Json {
  const text = cell.trim();
  if (text === '') return null;
  const grouped = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  return parseJson(canonicalNumber(grouped ? text.replaceAll(',', '') : text, wanted));
}
