/** A start on an external PostgreSQL that does not let it in, or not do what it has to. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { kithJson } from '../cli/in-process.ts';
import { start } from '../cli/kith.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { order } from '../support/server.ts';

const role = `kith_test_${randomBytes(8).toString('hex')}`;
const password = 'open sesame';
let dataDir: string;
let database: TestDatabase;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kith-refused-'));
  database = await testDatabase();
  await order(inject('kithTestServer').connection, `create role ${role} login password '${password}'`);
});
afterAll(async () => {
  await database.drop();
  await order(inject('kithTestServer').connection, `drop role ${role}`);
  rmSync(dataDir, { recursive: true });
});

function address(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

/** What a start tells that does not succeed; it must not wait for what will not come. */
async function refusal(url: string): Promise<string> {
  const env = { DATABASE_URL: url, KITH_DATA_DIR: dataDir, PORT: '0' };
  const { code, json, stderr } = await kithJson(['serve'], env);
  expect(stderr).not.toContain('trying again');
  expect([code, json['code']]).toEqual([69, 'UNAVAILABLE']);
  expect(json['message']).not.toContain(password);
  return String(json['message']);
}

describe('a start tells PostgreSQL’s words and what to grant, at once,', { timeout: 60_000 }, () => {
  it('to a user that there is not, or a password that is wrong', async () => {
    const nobody = address((url) => ((url.username = 'no "one"'), (url.password = 'wrong')));
    // A server that trusts everybody looks for the role alone.
    expect(await refusal(nobody)).toMatch(
      /^PostgreSQL refuses: (password authentication failed for user|role) "no "one"".*\. (Put the right user and password into DATABASE_URL, or|Let .*,) as a superuser: (alter|create) role "no ""one""" (login )?password '…'$/,
    );
  });

  it('for a database that there is not', async () => {
    const nowhere = address((url) => (url.pathname = '/no_such_database'));
    expect(await refusal(nowhere)).toMatch(
      /^PostgreSQL refuses: database "no_such_database" does not exist\. As a superuser: create database "no_such_database" owner "\w+"$/,
    );
  });

  it('to a role that may not make a schema', async () => {
    const url = address((url) => ((url.username = role), (url.password = password)));
    const name = new URL(url).pathname.slice(1);
    expect(await refusal(url)).toBe(
      `PostgreSQL refuses: permission denied for database ${name}. As the database's owner: grant connect, create on database "${name}" to "${role}"`,
    );

    await order(inject('kithTestServer').connection, `grant connect, create on database "${name}" to "${role}"`);
    const env = { DATABASE_URL: url, KITH_DATA_DIR: dataDir, PORT: '0' };
    const { process: child, outcome } = start(['serve'], env);
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed, { timeout: 30_000 }).toContain('Ctrl-C stops the service.');
    const [, first = ''] = /^No organization yet: npx kith (.*)$/m.exec(printed) ?? [];
    const { code, json } = await kithJson(first.split(' '), env);
    expect([code, json['token']]).toEqual([0, expect.stringMatching(/^svc_/)]);
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });
});
