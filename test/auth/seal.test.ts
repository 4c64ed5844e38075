import { describe, expect, it } from 'vitest';
import { whole } from '../../src/lib/long-text.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { open, openLong, seal, sealLong } from '../../src/auth/seal.ts';

const keyring = createKeyring('the root secret', []);
const plain = Buffer.from('postgres://user:password@host/db');

describe('a sealed text', () => {
  it('opens in its place, and looks different each time', () => {
    const [first, second] = [seal(keyring, plain, 'a/1/url'), seal(keyring, plain, 'a/1/url')];
    expect(open(keyring, first, 'a/1/url')).toEqual(plain);
    expect(second).not.toBe(first);
    expect(first).not.toContain('password');
  });

  it('opens with an earlier secret, and not without it', () => {
    const sealed = seal(keyring, plain, 'a/1/url');
    expect(open(createKeyring('new', ['older', 'the root secret']), sealed, 'a/1/url')).toEqual(plain);
    expect(() => open(createKeyring('new', []), sealed, 'a/1/url')).toThrow(/No secret opens/);
  });

  it.each([
    ['in another place', (sealed: string) => sealed, 'a/2/url'],
    [
      'with a changed letter',
      (sealed: string) => sealed.slice(0, -4) + (sealed.at(-4) === 'A' ? 'B' : 'A') + sealed.slice(-3),
      'a/1/url',
    ],
    ['cut short', (sealed: string) => sealed.slice(0, -8), 'a/1/url'],
    ['cut to its key id', (sealed: string) => sealed.slice(0, 9), 'a/1/url'],
    ['with something behind it', (sealed: string) => `${sealed}.x`, 'a/1/url'],
    ['spelt with padding', (sealed: string) => `${sealed}=`, 'a/1/url'],
    ['empty', () => '', 'a/1/url'],
  ])('does not open %s', (_, change, place) => {
    const sealed = seal(keyring, plain, 'a/1/url');
    expect(() => open(keyring, change(sealed), place)).toThrow();
  });
});

describe('a long text', () => {
  const text = `${'x'.repeat(262_143)}\u{1F600}${'ж'.repeat(300_000)}`;

  it.each([
    ['long', text],
    ['short', 'x'],
    ['empty', ''],
  ])('is sealed in slices as it is at once: %s', async (_what, given) => {
    const sealed = await sealLong(keyring, given, 'a/1/answer');
    expect(open(keyring, whole(sealed), 'a/1/answer').toString()).toBe(given);
    const atOnce = seal(keyring, Buffer.from(given), 'a/1/answer');
    for (const sealedText of [sealed, atOnce, inPieces(atOnce, 7), inPieces(atOnce, 300_001)])
      expect(whole(await openLong(keyring, sealedText, 'a/1/answer'))).toBe(given);
    await expect(openLong(keyring, sealed, 'a/2/answer')).rejects.toThrow();
  });

  it('does not open with a letter changed', async () => {
    const sealed = whole(await sealLong(keyring, text, 'a/1/answer'));
    const at = 400_000;
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    await expect(openLong(keyring, changed, 'a/1/answer')).rejects.toThrow();
  });
});

/** The key's name is in the first of them. */
function inPieces(sealed: string, length: number): string[] {
  const [head = ''] = sealed.split('.', 1);
  const pieces = sealed.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
  const named = pieces.findIndex((_, at) => pieces.slice(0, at + 1).join('').length > head.length);
  return [pieces.slice(0, named + 1).join(''), ...pieces.slice(named + 1)];
}

describe('keys', () => {
  it('differ by purpose and by secret, in id and bytes', () => {
    const other = createKeyring('other', []);
    const keys = [keyring, other].flatMap((ring) => [
      ring.current('token'),
      ring.current('seal'),
      ring.current('cursor'),
    ]);
    expect(new Set(keys.map((key) => key.id)).size).toBe(6);
    expect(new Set(keys.map((key) => Buffer.from(key.bytes).toString('hex'))).size).toBe(6);
    expect(keys.every((key) => key.bytes.length === 32)).toBe(true);
  });

  it('are found by purpose and id', () => {
    const token = keyring.current('token');
    expect(keyring.find('token', token.id)).toBe(token);
    expect(keyring.find('seal', token.id)).toBeUndefined();
  });
});
