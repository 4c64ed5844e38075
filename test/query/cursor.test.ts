import { describe, expect, it } from 'vitest';
import { KithError } from '../../src/errors.ts';
import { cursorSigners, fingerprint, readCursor, writeCursor, type Position } from '../../src/query/cursor.ts';

const seal = cursorSigners(Buffer.alloc(32, 7))('one');
const query = fingerprint(['contacts', ['name asc'], [], '']);
const position: Position = {
  id: '0199c0de-0000-7000-8000-00000000abcd',
  keys: ['Łódź "x"', null, '2026-01-02 03:04:05.000001+00'],
};
const cursor = writeCursor(seal, query, position, false);

function refusal(text: string, keyCount = 3, by = seal, of = query): string {
  try {
    readCursor(by, of, keyCount, text, false);
  } catch (error) {
    if (error instanceof KithError && error.code === 'VALIDATION_ERROR') return error.message;
    throw error;
  }
  throw new Error(`taken: ${text}`);
}

describe('a cursor', () => {
  it('brings back where the page ended, nulls included', () => {
    expect(readCursor(seal, query, 3, cursor, false)).toEqual(position);
  });

  it('that is sealed says nothing of where the page ended, and brings it back all the same', () => {
    const sealed = writeCursor(seal, query, position, true);
    expect(Buffer.from(cursor, 'base64url').toString()).toContain(position.id);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/0199c0de|2026/);
    expect(readCursor(seal, query, 3, sealed, true)).toEqual(position);
    expect(() => readCursor(seal, query, 3, sealed, false)).toThrow(/cursor is not one/);
    expect(() => readCursor(cursorSigners(Buffer.alloc(32, 7))('two'), query, 3, sealed, true)).toThrow(
      /cursor is not one/,
    );
  });

  it('is refused when any one of its characters is another', () => {
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(refusal(cursor.slice(0, at) + other + cursor.slice(at + 1))).toMatch(/^cursor /);
    }
  });

  it('has one spelling', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = [...alphabet].map((last) => cursor.slice(0, -1) + last).filter((text) => text !== cursor);
    for (const text of [...spellings, `${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}\n`, `${cursor}!`]) {
      expect(refusal(text)).toMatch(/^cursor is not one/);
    }
  });

  it.each(['', 'x', 'AQ', Buffer.alloc(33, 1).toString('base64url'), Buffer.alloc(200).toString('base64url'), '🙂'])(
    'refuses %j',
    (text) => {
      expect(refusal(text)).toMatch(/^cursor is not one/);
    },
  );

  it('belongs to its query, its organization, its key and its number of sort keys', () => {
    expect(refusal(cursor, 3, seal, fingerprint(['companies', ['name asc'], [], '']))).toMatch(/another query/);
    expect(refusal(cursor, 3, cursorSigners(Buffer.alloc(32, 8))('one'))).toMatch(/^cursor is not one/);
    expect(refusal(cursor, 3, cursorSigners(Buffer.alloc(32, 7))('other'))).toMatch(/^cursor is not one/);
    expect(refusal(cursor, 2)).toMatch(/^cursor is not one/);
  });
});
