/** Each type's JSON Schema against the values that the conformance suite writes and reads. */
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { orNull } from '../../src/fields/json-schema.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { choiceSamples } from './samples/choices.ts';
import { numberSamples } from './samples/numbers.ts';
import { referenceSamples } from './samples/references.ts';
import { textSamples } from './samples/texts.ts';
import { timeSamples } from './samples/times.ts';

/** What its links look like is said by test/describe, with a whole service. */
const elsewhere = 'MANY_TO_MANY';

const samples = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples, ...referenceSamples].filter(
  ({ field }) => field.type !== elsewhere,
);

describe.each(samples.map((sample) => ({ name: sample.field.type, sample })))('$name', ({ sample }) => {
  const { field, values } = sample;
  const { read, write } = fieldType(field.type).schema(field);

  it('admits what is read', () => {
    const shown = read[field.name];
    const validator = Compile(shown ?? false);
    const problems = values.filter((value) => !validator.Check(JSON.parse(value.read)));
    expect(problems.map((value) => value.read)).toEqual([]);
  });

  it('admits that what was read is written again, and knows what is no value', () => {
    if (write === undefined) return expect(['ID', 'RELATION']).toContain(field.type);
    const validator = Compile(orNull(write));
    const problems = values.filter((value) => !validator.Check(JSON.parse(value.read)));
    expect(problems.map((value) => value.read)).toEqual([]);
    expect(validator.Check({ nonsense: [[1]] })).toBe(false);
    return undefined;
  });
});
