/** What an operator names may be no file at all, have no end, or never begin. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readGiven, readGivenSync } from '../../src/lib/given-file.ts';

const limits = { maxBytes: 8, tooLong: 'It is too long', waitMs: 60_000 };
/** For what never comes to its end. */
const impatient = { ...limits, waitMs: 20 };

let directory: string;
let pipe: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kith-given-'));
  pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Both ways to read answer alike. */
async function refusalOf(path: string, within = limits): Promise<string> {
  const told = await readGiven(path, within).then(String, (error: Error) => error.message);
  expect(() => readGivenSync(path, within)).toThrow(told);
  return told;
}

it('reads a plain file to its bound', async () => {
  const path = join(directory, 'plain');
  writeFileSync(path, '12345678');
  expect(String(await readGiven(path, limits))).toBe('12345678');
  expect(String(readGivenSync(path, limits))).toBe('12345678');
  writeFileSync(path, '123456789');
  expect(await refusalOf(path)).toBe('It is too long');
  writeFileSync(path, '');
  expect([String(await readGiven(path, limits)), String(readGivenSync(path, limits))]).toEqual(['', '']);
});

it('refuses devices and directories', async () => {
  expect(await refusalOf('/dev/zero')).toBe('"/dev/zero" is neither a file nor a pipe: name one');
  expect(await refusalOf(directory)).toBe(`"${directory}" is a directory`);
});

it('waits for a pipe for so long', async () => {
  const late = `"${pipe}" was not at its end after 0.02 seconds: whatever writes to the pipe has to finish`;
  expect(await refusalOf(pipe, impatient)).toBe(late);
  const end = openSync(pipe, 'r+');
  for (const read of [readGiven, async (...of: Parameters<typeof readGiven>) => readGivenSync(...of)]) {
    writeSync(end, '1234');
    await expect(read(pipe, impatient)).rejects.toThrow(late);
    writeSync(end, '123456789');
    await expect(read(pipe, limits)).rejects.toThrow('It is too long');
  }
  closeSync(end);
});

it('reads a pipe whose writer comes later', async () => {
  const reading = readGiven(pipe, limits);
  execFileSync('/bin/sh', ['-c', 'printf 1234 > "$0"', pipe]);
  expect(String(await reading)).toBe('1234');
});

it('stops when it is told to', async () => {
  const stop = new AbortController();
  const reading = readGiven(pipe, { ...limits, signal: stop.signal });
  stop.abort();
  await expect(reading).rejects.toThrow('aborted');
});
