import { describe, expect, it } from 'vitest';
import { guardCell, unguardCell } from '../../src/records/csv/guard.ts';
import { csvLine } from '../../src/records/csv/writer.ts';

describe('csvLine', () => {
  const scenarios: [cells: string[], line: string][] = [
    [['a', 'b'], 'a,b\r\n'],
    [['a,b', 'say "x"', 'l1\nl2', 'l1\rl2'], '"a,b","say ""x""","l1\nl2","l1\rl2"\r\n'],
    [[' padded '], '" padded "\r\n'],
    [['', ''], ',\r\n'],
    [[''], '""\r\n'],
    [['=1+1', '@x'], "'=1+1,'@x\r\n"],
  ];
  for (const [cells, line] of scenarios) {
    it(`writes ${JSON.stringify(cells)}`, () => expect(csvLine(cells)).toBe(line));
  }
});

describe('the guard', () => {
  const guarded = [
    '=1+1',
    '+cmd',
    '-2+3',
    '@sum',
    '\tx',
    '\rx',
    "'=x",
    "''-",
    '-',
    '+',
    '+49 x',
    "=cmd|' /C calc'!A0",
    '-5,000',
    '+1;=2',
  ];
  for (const text of guarded) {
    it(`goes before ${JSON.stringify(text)} and comes off again`, () => {
      expect(guardCell(text)).toBe(`'${text}`);
      expect(unguardCell(guardCell(text))).toBe(text);
    });
  }

  const plain = [
    '',
    'text',
    "it's",
    "'quoted'",
    '-5',
    '+5',
    '-5.25',
    '-1e10',
    '-1200.5 EUR',
    '+49 30 (123) 45-6',
    '+1 2; +3 4; 5',
    '1=1',
  ];
  for (const text of plain) {
    it(`leaves ${JSON.stringify(text)} alone, both ways`, () => {
      expect(guardCell(text)).toBe(text);
      expect(unguardCell(text)).toBe(text);
    });
  }
});
