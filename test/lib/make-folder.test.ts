/** Folders where a caller wants them, or a sentence. */
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../../src/lib/make-folder.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kith-folders-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

it('makes a folder with those above it, and leaves one that is there', () => {
  const folder = join(directory, 'a', 'b', 'c');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('opens a folder as wide as is asked under a strict umask', () => {
  const before = process.umask(0o077);
  try {
    makeFolder(join(directory, 'open', 'below'), 0o711);
  } finally {
    process.umask(before);
  }
  for (const folder of ['open', 'open/below']) expect(statSync(join(directory, folder)).mode & 0o777).toBe(0o711);
});

it('says where no folder can be made, and comes to its end', () => {
  expect(() => makeFolder('/proc/kith/data', 0o700)).toThrow('No folder can be made in /proc: name a place elsewhere');
});

it('puts none in the place of a file or of a link that leads nowhere', () => {
  writeFileSync(join(directory, 'file'), '');
  symlinkSync('nowhere', join(directory, 'link'));
  expect(() => makeFolder(join(directory, 'file'), 0o700)).toThrow('is no directory');
  expect(() => makeFolder(join(directory, 'file', 'below'), 0o700)).toThrow('ENOTDIR');
  expect(() => makeFolder(join(directory, 'link'), 0o700)).toThrow('is no directory');
});
