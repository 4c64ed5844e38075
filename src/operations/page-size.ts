/** [spec: Page and size limits] A size outside the range is clamped to it; what is no number takes the default. */
import { Type } from 'typebox';
import { Lenient } from '../describe/annotations.ts';
import { Digits } from '../lib/json.ts';

/** A page size: the input for it, and the number that a given one means. */
export function pageSize(usual: number, max: number) {
  return {
    input: Type.Optional(Lenient(Type.Integer({ minimum: 1, maximum: max, default: usual }), 'Clamped to its range')),
    of(given: unknown): number {
      if (given === undefined || given === null || given === '') return usual;
      const number = Number(given instanceof Digits ? given.source : given);
      if (Number.isNaN(number)) return usual;
      return Math.min(max, Math.max(1, Math.trunc(number)));
    },
  };
}

/** That of records and what belongs to them. */
export const recordPage = pageSize(20, 100);
