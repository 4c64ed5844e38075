/**
 * The mistakes that people make, each with its answer as a text that was reviewed: what is wrong, where, what would be right.
 * `npx vitest run test/mistakes -u` writes the texts anew; read what changed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type TestKith } from '../support/kith.ts';
import { charting } from './charting.ts';
import { filtering } from './filtering.ts';
import { findingTheWay } from './finding-the-way.ts';
import { importing } from './importing.ts';
import { listing } from './listing.ts';
import { chapter, type Mistake } from './mistake.ts';
import { merging } from './merging.ts';
import { noting } from './noting.ts';
import { reading } from './reading.ts';
import { sending } from './sending.ts';
import { signingIn } from './signing-in.ts';
import { makeStage, type Stage } from './stage.ts';
import { viewing } from './viewing.ts';
import { writing } from './writing.ts';

let kith: TestKith;
let stage: Stage;
beforeAll(async () => {
  kith = await startKith();
  stage = await makeStage(kith);
});
afterAll(() => kith.stop());

const chapters: readonly (readonly [name: string, mistakes: readonly Mistake[]])[] = [
  ['charting', charting],
  ['viewing', viewing],
  ['sending', sending],
  ['signing-in', signingIn],
  ['finding-the-way', findingTheWay],
  ['reading', reading],
  ['filtering', filtering],
  ['writing', writing],
  ['importing', importing],
  ['noting', noting],
  ['listing', listing],
  ['merging', merging],
];

describe('what people get wrong', () => {
  it.each(chapters)('%s is answered with what would be right', async (name, mistakes) => {
    const text = await chapter(stage, mistakes);
    const untold = text.split('\n# ').filter((entry) => / {4}(?:2\d\d|500) /.test(entry));
    expect(untold).toEqual([]);
    await expect(text).toMatchFileSnapshot(`answers/${name}.txt`);
  });

  it('is told apart: no two mistakes are the same', () => {
    const titles = chapters.flatMap(([, mistakes]) => mistakes.map(({ who }) => who));
    expect(titles.length).toBeGreaterThan(100);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
