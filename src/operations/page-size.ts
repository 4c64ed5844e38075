/** [spec: Page and size limits] A size outside the range is clamped to it; what is no number takes the default. */
import { Type } from 'typebox';
import { Digits } from '../lib/json.ts';

export const PageSize = Type.Optional(Type.Unknown({ description: 'Page size; clamped to its range' }));

export function pageSize(given: unknown, usual: number, max: number): number {
  if (given === undefined || given === null || given === '') return usual;
  const number = Number(given instanceof Digits ? given.source : given);
  if (Number.isNaN(number)) return usual;
  return Math.min(max, Math.max(1, Math.trunc(number)));
}
