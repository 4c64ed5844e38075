import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecret } from '../../src/auth/secret.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'kith-secret-')), 'data');
});

afterEach(async () => {
  await rm(join(dataDir, '..'), { recursive: true });
});

describe('the root secret', () => {
  it('is made once, for its owner alone, with nothing left beside it', async () => {
    const secret = await loadSecret(dataDir);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(await loadSecret(dataDir)).toBe(secret);
    expect(await readdir(dataDir)).toEqual(['secret']);
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  it('is the same for all who start at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecret(dataDir)));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secret']);
  });

  it('is not replaced when its file is empty', async () => {
    await loadSecret(dataDir);
    await writeFile(join(dataDir, 'secret'), '\n');
    await expect(loadSecret(dataDir)).rejects.toThrow(/is empty/);
  });

  it('is refused when it is too short, without being told', async () => {
    await loadSecret(dataDir);
    await writeFile(join(dataDir, 'secret'), `${'hunter2'.padEnd(31, '.')}\n`);
    const refused = await loadSecret(dataDir).catch((error: unknown) => String(error));
    expect(refused).toMatch(/^Error: The secret in .*secret is too short: a root secret has at least 32 characters/);
    expect(refused).not.toContain('hunter2');
  });
});
