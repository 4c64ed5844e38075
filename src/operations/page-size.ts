/** [spec: Page and size limits] A size outside the range is clamped to it; what is no number takes the default. */
import { Type } from 'typebox';
import { Lenient } from '../describe/annotations.ts';
import { Digits } from '../lib/json.ts';

/** The input for a page size; `pageSize` reads it. */
export function PageSize(usual: number, max: number) {
  return Type.Optional(Lenient(Type.Integer({ minimum: 1, maximum: max, default: usual }), 'Clamped to its range'));
}

export function pageSize(given: unknown, usual: number, max: number): number {
  if (given === undefined || given === null || given === '') return usual;
  const number = Number(given instanceof Digits ? given.source : given);
  if (Number.isNaN(number)) return usual;
  return Math.min(max, Math.max(1, Math.trunc(number)));
}
