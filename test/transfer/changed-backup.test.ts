/** A backup that is not as it was written is refused before anything is made, and so is what no backup would hold. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/lib/json.ts';
import { withArchive, writeArchive, writtenArchive, type Piece } from '../../src/transfer/archive.ts';
import { newBackupKeys, type BackupKeys } from '../../src/transfer/backup-keys.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { readContents } from '../../src/transfer/contents.ts';
import { restore } from '../../src/transfer/restore.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { randomFrom } from '../query/random.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

const passphrase = 'correct horse battery';
const seed = Number(process.env['KITH_SEED'] ?? 20_261_123);

let kith: TestKith;
let organization: TestOrganization;
const directory = mkdtempSync(join(tmpdir(), 'kith-changed-'));
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  // Large enough for several frames, and hard to compress.
  const records = Array.from({ length: 6_000 }, () => ({ last_name: crypto.randomUUID().repeat(4) }));
  await organization.admin.post('/import/contacts', { records });
});
afterAll(async () => {
  await kith?.stop();
  rmSync(directory, { recursive: true });
});

/** What an installation is made of: nothing may be left of a restore that was refused. */
async function everything(): Promise<readonly unknown[]> {
  const query = sql`select (select count(*) from pg_namespace), (select count(*) from pg_class),
    (select count(*) from kith.organizations), (select count(*) from kith.people), (select count(*) from kith.tokens)`;
  return (await kith.database.database.run('', statement(query))).rows;
}

async function expectRefused(path: string, what: string, message = /changed/): Promise<void> {
  const request = { path, as: 'new', passphrase };
  await expect(restore(kith.deps, request), what).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(message),
  });
}

describe.each<[string, { readonly passphrase?: string }]>([
  ['with a passphrase', { passphrase }],
  ['without one', {}],
])('%s', (name, sealing) => {
  it(
    'every change, cut, addition and exchange of bytes is refused, and nothing is made',
    { timeout: 120_000 },
    async () => {
      const path = file(`${name}.kith`);
      const twin = file(`${name} again.kith`);
      await backUp(kith.deps, { path, organizationId: organization.id, ...sealing });
      await backUp(kith.deps, { path: twin, organizationId: organization.id, ...sealing });
      const [bytes, other] = [readFileSync(path), readFileSync(twin)];
      const start = bytes.indexOf('\n') + 1;
      const frames: Buffer[] = [];
      for (let at = start; at < bytes.length; at += 37 + bytes.readUInt32BE(at + 1))
        frames.push(bytes.subarray(at, at + 37 + bytes.readUInt32BE(at + 1)));
      expect(frames.length).toBeGreaterThan(4);
      const heading = bytes.subarray(0, start);
      const [first, second, third] = frames as [Buffer, Buffer, Buffer];
      const last = frames.at(-1) ?? third;
      const rest = frames.slice(3);
      const whole = (...parts: readonly Buffer[]) => Buffer.concat([heading, ...parts]);
      const changed: [string, Buffer][] = [
        ['a frame left out', whole(first, third, ...rest)],
        ['two frames in another order', whole(first, third, second, ...rest)],
        ['a frame twice', whole(first, second, second, third, ...rest)],
        ['without its last frame', whole(...frames.slice(0, -1))],
        ['ended early by the last frame', whole(first, last)],
        ['another letter', whole(...frames.slice(0, -1), Buffer.concat([Buffer.from('F'), last.subarray(1)]))],
        ['the last one said to be earlier', whole(Buffer.concat([Buffer.from('L'), first.subarray(1)]))],
        ['a byte more', Buffer.concat([bytes, Buffer.from('x')])],
        ['another backup behind it', Buffer.concat([bytes, other])],
        ['nothing but its heading', heading],
        ['the heading of a twin', Buffer.concat([other.subarray(0, other.indexOf('\n') + 1), ...frames])],
        [
          'a frame of a twin',
          whole(first, other.subarray(start + first.length, start + first.length + second.length), third, ...rest),
        ],
        ['an enormous frame', whole(Buffer.concat([Buffer.from('F'), Buffer.from('ffffffff', 'hex'), first]))],
      ];
      const random = randomFrom(seed);
      for (let n = 0; n < 40; n++) {
        const at = n < 10 ? start + n : start + random.below(bytes.length - start);
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
        changed.push([`bit at ${at}`, flipped], [`cut at ${at}`, bytes.subarray(0, at)]);
      }
      const keys = await withArchive(path, kith.deps.keyring, passphrase, async (archive) => archive.keys);
      const before = await everything();
      const tried = file('tried.kith');
      for (const [what, content] of changed) {
        writeFileSync(tried, content);
        if (!sealing.passphrase || /heading|a byte/.test(what)) await expectRefused(tried, what);
        // A passphrase takes half a second a time: these are read with the keys that were found once.
        else expect(await refusalOf(tried, keys), what).toMatchObject({ code: 'VALIDATION_ERROR' });
      }
      for (let at = 0; at < start; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ 1;
        if (sealing.passphrase !== undefined && at % 40 > 0) continue;
        writeFileSync(tried, flipped);
        await expect(
          restore(kith.deps, { path: tried, as: 'new', passphrase }),
          `heading, ${at}`,
        ).rejects.toMatchObject({
          code: expect.stringMatching(/^(VALIDATION_ERROR|NOT_SUPPORTED)$/),
        });
      }
      expect(await everything()).toEqual(before);
      expect(await restore(kith.deps, { path, as: 'new', passphrase })).toHaveLength(1);
    },
  );
});

/** What the file is refused with, by the keys of the one that it was made of. */
async function refusalOf(tried: string, keys: BackupKeys): Promise<unknown> {
  const handle = await open(tried, 'r');
  try {
    return await readContents(await writtenArchive(tried, handle, keys));
  } catch (error) {
    return error;
  } finally {
    await handle.close();
  }
}

describe('a file that is authentic, but was never written by a backup', () => {
  let pieces: readonly Piece[];
  let keys: BackupKeys;
  beforeAll(async () => {
    const path = file('real.kith');
    await backUp(kith.deps, { path, organizationId: organization.id });
    keys = newBackupKeys(kith.deps.keyring, undefined);
    pieces = await withArchive(path, kith.deps.keyring, undefined, (archive) => Array.fromAsync(archive.pieces()));
  });

  type Change = (document: JsonObject) => Json;

  /** The backup with its documents changed. */
  async function forged(name: string, change: Change, more: readonly object[] = []): Promise<string> {
    const path = file(name);
    const handle = await open(path, 'wx+', 0o600);
    await writeArchive(path, handle, keys, async (archive) => {
      for (const piece of pieces) {
        if (piece.kind === 'rows') await archive.rows(piece.bytes);
        else {
          const document = change(structuredClone(piece.value));
          if (isObject(document) && 'end' in document) for (const one of more) await archive.document(one);
          await archive.document(document as object);
        }
      }
    });
    await handle.close();
    return path;
  }

  const emptyTable = { rows: 0, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };
  const tableAs = (name: string) => [{ table: { name, columns: [['id', 'uuid']], key: ['id'] } }, emptyTable];
  const inHeading =
    // oxlint-disable-next-line typescript/no-explicit-any -- each test says what is there
    (change: (heading: any) => void): Change =>
      (document) => {
        if (isObject(document['organization'] ?? null)) change(document['organization']);
        return document;
      };
  const same: Change = (document) => document;

  it.each<[string, RegExp, Change, readonly object[]]>([
    ['tokens', /table "_tokens", which no backup has/, same, tableAs('_tokens')],
    ['answers', /table "_idempotency", which no backup has/, same, tableAs('_idempotency')],
    ['settings', /table "_organization", which no backup has/, same, tableAs('_organization')],
    ['an unknown table', /Table "_guests" of the original has no place here/, same, tableAs('_guests')],
    ['a table twice', /table "_users" twice/, same, tableAs('_users')],
    [
      'another schema',
      /Table "pg_catalog.pg_authid" of the original has no place/,
      same,
      tableAs('pg_catalog.pg_authid'),
    ],
    [
      'an unknown column',
      /Table "contacts" cannot take column "extra" \("text"\)/,
      (document) => {
        const table = document['table'];
        if (isObject(table ?? null) && (table as JsonObject)['name'] === 'contacts')
          ((table as JsonObject)['columns'] as Json[]).push(['extra', 'text']);
        return document;
      },
      [],
    ],
    [
      'a table without columns',
      /does not follow its own order/,
      same,
      [{ table: { name: 'x', columns: [] } }, emptyTable],
    ],
    ['no end', /does not follow its own order/, same, [{ organization: {} }]],
    ['no id', /does not follow its own order/, inHeading((heading) => (heading.id = '../../etc')), []],
    [
      'notes that hide nothing',
      /notes is not the built-in object that it says it is/,
      inHeading((heading) => delete heading.model.objects[4].definition.condition),
      [],
    ],
    [
      'an object that reads a table of another',
      /contacts is not the built-in object/,
      inHeading((heading) => (heading.model.objects[0].definition.table = '_tokens')),
      [],
    ],
    [
      'tasks with a field that they do not have',
      /tasks is not the built-in object/,
      inHeading((heading) => (heading.model.objects[3].fields[0].name = 'x"; drop schema kith; --')),
      [],
    ],
    ['a model that is none', /objects must be a list/, inHeading((heading) => (heading.model.objects = 'all')), []],
    [
      "an object of Kith's own tables",
      /workspace of organization .* cannot be: .*name/,
      inHeading((heading) => (heading.model.objects[0].name = '_tokens')),
      [],
    ],
    [
      'a name that is SQL',
      /workspace of organization .* cannot be/,
      inHeading((heading) => (heading.model.objects[0].fields[0].name = 'x"; drop schema kith; --')),
      [],
    ],
    [
      'an id twice',
      /has the id of something else/,
      inHeading((heading) => (heading.model.objects[1].id = heading.model.objects[0].id)),
      [],
    ],
    [
      'an unknown type',
      /type must be one of/,
      inHeading((heading) => (heading.model.objects[0].fields[0].definition.type = 'SECRET')),
      [],
    ],
    [
      'a rule that cannot be',
      /permissions.contacts.view/,
      inHeading((heading) => (heading.model.roles[1].permissions = { contacts: { view: 'everything' } })),
      [],
    ],
    [
      'a field that is not there',
      /displayField must be|displayField is|displayField .*nothing/,
      inHeading((heading) => (heading.model.objects[0].definition.displayField = 'nothing')),
      [],
    ],
    [
      'a rule by a field that is not there',
      /permissions.contacts.view cannot be used/,
      inHeading((heading) => {
        const view = { type: 'AND', conditions: [{ field: 'nothing', operator: 'equals', value: 1 }] };
        heading.model.roles[1].permissions = { contacts: { view } };
      }),
      [],
    ],
    [
      'other rows than its model',
      /make another workspace than it says/,
      inHeading((heading) => (heading.model.roles[1].name = 'Somebody')),
      [],
    ],
  ])('is refused with %s, and nothing is made', async (name, message, change, more) => {
    const before = await everything();
    await expectRefused(await forged(name.replaceAll(/\W/g, '-'), change, more), name, message);
    const [left] = await everything();
    if (name === 'other rows than its model') return; // found in the transaction itself, which is not kept
    expect([left]).toEqual(before);
  });

  it('is taken where nothing was changed', async () => {
    expect(await restore(kith.deps, { path: await forged('same', same), as: 'new' })).toHaveLength(1);
  });
});
