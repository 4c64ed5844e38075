/** What a file offers to others says what it is for: an exported function or class has its sentence of contract. */
import { expect, it } from 'vitest';
import { projectFiles, textOf } from './project-files.ts';

const code = projectFiles('src/**/*.ts');
const offer = /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|class) (\w+)/;
const overload = /^export (?:async )?function .*;$/;

interface Offer {
  readonly name: string;
  /** The text of the comment that stands directly above; empty where there is none. */
  readonly contract: string;
}

function offersIn(path: string): Offer[] {
  const lines = textOf(path).split('\n');
  return lines.flatMap((line, index) => {
    const name = offer.exec(line)?.[1];
    if (name === undefined || overload.test(line)) return [];
    return [{ name: `${path}: ${name}`, contract: commentAbove(lines, index) }];
  });
}

function commentAbove(lines: readonly string[], index: number): string {
  if (!lines[index - 1]?.endsWith('*/')) return '';
  const begin = lines.slice(0, index).findLastIndex((line) => line.startsWith('/**'));
  const text = lines
    .slice(Math.max(begin, 0), index)
    .map((line) => line.replaceAll(/^\/\*\*| ?\*\/$|^ \* ?/g, '').trim());
  return text.join(' ').trim();
}

const offers = code.flatMap(offersIn);

it('sees what is exported', () => {
  expect(offers.length).toBeGreaterThan(700);
});

it('none is without a contract', () => {
  expect(offers.filter(({ contract }) => contract === '').map(({ name }) => name)).toEqual([]);
});

it('and each is a sentence', () => {
  const isSentence = (contract: string) => /[.?](?: \[[^\]]+\])?$/.test(contract);
  expect(offers.filter(({ contract }) => contract !== '' && !isSentence(contract)).map(({ name }) => name)).toEqual([]);
});
