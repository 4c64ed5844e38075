/** Texts on which a careless pattern takes time that grows with the square of their length: hours, at their longest. */
import { expect, it } from 'vitest';
import { FieldProblem } from '../../src/fields/field-problem.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { choiceSamples } from './samples/choices.ts';
import { numberSamples } from './samples/numbers.ts';
import { referenceSamples } from './samples/references.ts';
import { decodeContext } from './samples/sample.ts';
import { textSamples } from './samples/texts.ts';
import { timeSamples } from './samples/times.ts';
import { parseCsvList } from '../../src/fields/operators/csv-list.ts';
import { checkedPattern } from '../../src/fields/operators/like.ts';

const samples = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples, ...referenceSamples];
const length = 500_000;
/** A fine pattern takes a hundredth of it; a careless one takes minutes. */
const mostMs = 5_000;

const runs = [
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '0',
  '1',
  ',',
  ';',
  '.',
  '-',
  '+',
  '(',
  '"',
  '\\',
  '/',
  '@',
  '=',
  "'",
  ' to',
  '1,',
  '[',
  '{',
  '"a",',
  '[0.1,',
  '\u0301',
];
const hostile = runs.flatMap((run) => {
  const text = run.repeat(length / run.length);
  return [text, `1${text}x`, `-${text}x`, `"${text}`, `[${text}`, `x${text}%`];
});

it.each(samples.map(({ field }) => [field.type, field] as const))('%s reads them soon', (name, field) => {
  const type = fieldType(name);
  for (const text of hostile) {
    const begin = performance.now();
    const cells = attempt(() => type.decode(type.fromCell(text, field), field, decodeContext));
    attempt(() => type.decode(text, field, decodeContext));
    if (cells) type.searchText?.(cells);
    expect(performance.now() - begin, JSON.stringify(text.slice(0, 10))).toBeLessThan(mostMs);
  }
});

it('filters read them soon', () => {
  for (const text of hostile) {
    const begin = performance.now();
    attempt(() => parseCsvList(text));
    attempt(() => checkedPattern(text));
    expect(performance.now() - begin, JSON.stringify(text.slice(0, 10))).toBeLessThan(mostMs);
  }
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FieldProblem) return undefined;
    throw error;
  }
}
