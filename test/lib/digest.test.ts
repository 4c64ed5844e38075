import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf, digestOfText } from '../../src/lib/digest.ts';
import { isLong, piecesOf } from '../../src/lib/long-text.ts';

it('a digest of pieces is that of the whole', async () => {
  const text = 'a😀é'.repeat(1_000);
  const whole = hash('sha256', text, 'hex');
  expect((await digestOf([text])).toString('hex')).toBe(whole);
  for (const length of [2, 3, 4_000]) expect((await digestOf(piecesOf(text, length))).toString('hex')).toBe(whole);
  expect((await digestOf([Buffer.from('a😀é'), text.slice(4)])).toString('hex')).toBe(whole);
});

it('a digest of a text is the same, whether it is short or long', async () => {
  for (const text of ['', 'a😀é', '\ud800 alone', 'a😀é'.repeat(100_000)]) {
    for (const form of ['hex', 'base64url'] as const)
      expect(await digestOfText(text, form)).toBe(hash('sha256', text, form));
  }
  expect(isLong('a😀é'.repeat(100_000))).toBe(true);
});
