import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldType } from '../../src/fields/registry.ts';
import { cut, longTextSearchLimit, normalise } from '../../src/fields/search-text.ts';

describe('normalise', () => {
  it.each([
    ['  Anna\t SMITH\n', 'anna smith'],
    ['Łódź', 'lodz'],
    ['STRASSE Straße', 'strasse strasse'],
    ['ΟΔΟΣ Οδός', 'οδοσ οδοσ'],
    ['Øre Æble Œuvre Đuro', 'ore aeble oeuvre duro'],
    ['İstanbul', 'istanbul'],
    ['ﬁne ℌ ①', 'fine h 1'],
    ['e\u0301a\u0308', 'ea'],
    ['山田\u3000太郎', '山田 太郎'],
    ['a\u00a0b', 'a b'],
    ['', ''],
  ])('%j is %j', (text, normal) => expect(normalise(text)).toBe(normal));

  it('changes nothing twice, and keeps well-formed text well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
        expect(once.isWellFormed()).toBe(true);
        expect(once).not.toMatch(/^\s|\s$|\s\s/);
      }),
    );
  });

  const naughty = new URL('../../../shared/data/strings/blns.json', import.meta.url);
  it.skipIf(!existsSync(naughty))(`stands the big list of naughty strings (${naughty.pathname})`, () => {
    const strings = JSON.parse(readFileSync(naughty, 'utf8')) as string[];
    expect(strings.length).toBeGreaterThan(400);
    for (const text of strings) {
      const once = normalise(text);
      expect(normalise(once)).toBe(once);
      expect(normalise(text.toUpperCase().normalize('NFD'))).toBe(normalise(text.toUpperCase().normalize('NFC')));
    }
  });
});

describe('what a search finds a value by', () => {
  it('cuts a long text, and only that', () => {
    const long = 'wörd '.repeat(5_000);
    expect(fieldType('LONG_TEXT').searchText?.([long])).toBe('word '.repeat(longTextSearchLimit / 5).trim());
    expect(fieldType('TEXT').searchText?.([long])).toBe('word '.repeat(5_000).trim());
  });

  it('never cuts a character in two', () => {
    expect(cut('ab😀', 3)).toBe('ab');
    expect(cut('ab😀', 4)).toBe('ab😀');
  });

  it('has all addresses and numbers, and the digits alone', () => {
    const emails =
      '[{"email":"Anna@ACME.com","label":"work","is_primary":true},{"email":"b@c.d","label":"x","is_primary":false}]';
    expect(fieldType('EMAILS').searchText?.([emails])).toBe('anna@acme.com b@c.d');
    const phones = '[{"phone":"+49 (30) 12-34","label":"work","is_primary":true}]';
    expect(fieldType('PHONES').searchText?.([phones])).toBe('+49 (30) 12-34 49301234');
    expect(fieldType('ADDRESS').searchText?.(['{"city":"Köln","formatted":"Domplatz 1, Köln"}'])).toBe(
      'domplatz 1, koln',
    );
    for (const type of ['TEXT', 'LONG_TEXT', 'URL', 'EMAILS', 'PHONES', 'ADDRESS'] as const) {
      expect(fieldType(type).searchText?.([null])).toBe('');
    }
  });
});
