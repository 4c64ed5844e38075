/** [decisions: Reading, Writing] Hostile bodies: a clear refusal or a faithful answer, never a failure of ours, and nothing half-written. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectRefusal, json } from '../support/hostile.ts';
import { contact, expectNothingWritten, useHostileStage } from './hostile-stage.ts';
import { admin } from './stage.ts';

useHostileStage();

describe('bodies', () => {
  const deep = '['.repeat(100_000);
  const bodies: Record<string, string | Uint8Array<ArrayBuffer>> = {
    nothing: '',
    'cut off': '{"first_name":"x"',
    'a NUL': '{"first_name":"a\\u0000b"}',
    'a NUL in a key': '{"first_name\\u0000":"b"}',
    'half a surrogate pair': '{"first_name":"\\ud83d"}',
    'half a surrogate pair in a key': '{"\\udc00":"x"}',
    'invalid UTF-8': Uint8Array.from([...Buffer.from('{"first_name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    'UTF-16': Uint8Array.from(Buffer.from('{"first_name":"x"}', 'utf16le')),
    'deep arrays': `{"first_name":${deep}${']'.repeat(100_000)}}`,
    'deep objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'deep and cut off': `{"first_name":${deep}`,
    'an array': '[]',
    'a string': '"first_name"',
    'a number': '1',
    null: 'null',
    true: 'true',
    'a number as a name': '{"first_name":1}',
    'an object as a name': '{"first_name":{"toString":"x"}}',
    'an array as a name': '{"first_name":["x"]}',
    'an infinite number': '{"first_name":1e999}',
    'a name of a megabyte and a key of a megabyte': `{"${'k'.repeat(1_000_000)}":"${'v'.repeat(1_000_000)}"}`,
    'a polluted prototype': '{"first_name":"x","__proto__":{"isAdmin":true}}',
    'an id': `{"id":"${crypto.randomUUID()}"}`,
    'a time of creation': '{"created_at":"2020-01-01T00:00:00Z"}',
    'search text': '{"search_text":"x"}',
    'trailing text': '{"first_name":"x"} x',
    'a comment': '{"first_name":"x"/**/}',
    'single quotes': "{'first_name':'x'}",
    'form data': 'first_name=x',
    XML: '<contact/>',
  };
  it.each(Object.entries(bodies))('that are %s are refused', async (what, body) => {
    expectRefusal(await admin.send('/api/v1/records/contacts', json('POST', body)), what);
    expectRefusal(await admin.send(`/api/v1/records/contacts/${contact}`, json('PUT', body)), what);
    expectRefusal(await admin.send('/api/v1/records/contacts/batch/create', json('POST', body)), what);
    expectRefusal(await admin.send('/api/v1/import/contacts', json('POST', body)), what);
    await expectNothingWritten();
  });

  const values: readonly [object: string, field: string, values: readonly string[]][] = [
    [
      'companies',
      'employees',
      [
        '1e999',
        '-1e999',
        '9'.repeat(400),
        '1.5',
        '"x"',
        '"NaN"',
        '"Infinity"',
        '"1e30"',
        'true',
        '[]',
        '{}',
        '9223372036854775808',
        '1e19',
      ],
    ],
    [
      'companies',
      'annual_revenue',
      [
        '1e999',
        '"NaN"',
        '"Infinity"',
        '{"amount":1e999,"currency":"EUR"}',
        '{"amount":1,"currency":"€€€"}',
        '{"amount":{}}',
        '[1]',
        'true',
        '1e200000',
      ],
    ],
    ['opportunities', 'probability', ['1e999', '"NaN"', '"x"', '[]', '{}', 'true', '"1e200000"']],
    [
      'opportunities',
      'close_date',
      [
        '"infinity"',
        '"today"',
        '"2026-02-30"',
        '"300000-01-01"',
        '"0000-01-01"',
        '20260101',
        '"epoch"',
        '{}',
        '[]',
        'true',
        '"10000-01-01"',
      ],
    ],
    [
      'opportunities',
      'contacts',
      ['{}', '"x"', '[1]', '[{}]', '[{"id":1}]', '[null]', '[[]]', '{"id":"x"}', '[{"id":"__proto__"}]'],
    ],
    ['opportunities', 'pipeline_step_id', ['1', '{}', '[]', 'true', '"Nowhere"']],
    ['opportunities', 'pipeline_id', ['1', '{}', '[]', 'true', '"Nowhere"']],
    [
      'contacts',
      'emails',
      [
        '1',
        '{}',
        'true',
        '[1]',
        '[{}]',
        '[{"email":1}]',
        '["not an address"]',
        '[null]',
        '[["a@b.test"]]',
        '[{"email":"a@b.test","is_primary":"x"}]',
      ],
    ],
    ['contacts', 'phones', ['{}', 'true', '[{}]', '[{"phone":{}}]', '[null]']],
    ['contacts', 'address', ['1', '[]', 'true', '{"city":1}', '{"__proto__":"x"}', '{"nowhere":"x"}', '{"city":{}}']],
    ['contacts', 'tags', ['1', '{}', 'true', '[1]', '["nothing like it"]', '[["vip"]]', '[null]']],
    ['contacts', 'birthday', ['"1999-13-01"', '1', '"01/02/1999x"']],
    ['contacts', 'do_not_contact', ['"perhaps"', '2', '[]', '{}']],
    ['contacts', 'company_id', ['1', '{}', '[]', 'true', '"x"', `"${crypto.randomUUID()}"`]],
    ['contacts', 'owner', ['1', '{}', '[]', 'true', '"x"', `"${crypto.randomUUID()}"`]],
    ['contacts', 'full_name', ['"x"', '1', 'null']],
    ['contacts', 'add_to_list_ids', ['1', '{}', '"x"', '[1]', 'true']],
    ['contacts', 'create_list_name', ['1', '{}', '[]', '""', '" "', `"${'x'.repeat(201)}"`]],
  ];
  it.each(values)('with a wrong value of %s.%s are refused', async (object, field, wrong) => {
    for (const value of wrong) {
      const body = `{"name":"x",${JSON.stringify(field)}:${value}}`.replace(
        '"name":"x",',
        object === 'contacts' ? '' : '"name":"x",',
      );
      expectRefusal(await admin.send(`/api/v1/records/${object}`, json('POST', body)), { object, field, value });
    }
    await expectNothingWritten();
  });

  it('of a wrong shape fail row by row in an import, and as one otherwise', async () => {
    const rows = [
      'null',
      '1',
      '"x"',
      '[]',
      '{"__proto__":"x"}',
      '{"nowhere":1}',
      '{"company_id":"Nobody"}',
      '{"birthday":"1999-13-01"}',
    ];
    for (const path of ['/import/contacts', '/records/contacts/batch/create']) {
      const reply = await admin.send(`/api/v1${path}`, json('POST', `{"records":[${rows.join(',')}]}`));
      expect([reply.status, reply.json.created, reply.json.failed], reply.text).toEqual([200, 0, rows.length]);
      expect(reply.json.errors.map(({ index }: { index: number }) => index)).toEqual(rows.map((_, index) => index));
      for (const records of ['{}', '1', 'null', '"x"', '[]']) {
        expectRefusal(await admin.send(`/api/v1${path}`, json('POST', `{"records":${records}}`)), { path, records });
      }
    }
    await expectNothingWritten();
  });

  it('with more keys, rows or text than anything has are refused in time', { timeout: 60_000 }, async () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
    expectRefusal(await admin.send('/api/v1/records/contacts', json('POST', keys(50_000))), 'many keys');
    expectRefusal(
      await admin.send('/api/v1/records/contacts', json('POST', `{"first_name":"${'x'.repeat(20_000_000)}"}`)),
      'a long text',
    );
    const rows = Array.from({ length: 10_001 }, () => '{}').join(',');
    expectRefusal(await admin.send('/api/v1/import/contacts', json('POST', `{"records":[${rows}]}`)), 'many rows');
    expectRefusal(
      await admin.send('/api/v1/records/contacts/batch/create', json('POST', `{"records":[${rows}]}`)),
      'many rows',
    );
    const wide = await admin.send(
      '/api/v1/import/contacts',
      json('POST', `{"records":[${Array.from({ length: 20 }, () => keys(5_000)).join(',')}]}`),
    );
    expect([wide.status, wide.json.created, wide.json.failed]).toEqual([200, 0, 20]);
    expect(wide.text.length).toBeLessThan(200_000);
    await expectNothingWritten();
  });

  it('with a key twice take the last one', async () => {
    const made = await admin.send(
      '/api/v1/records/contacts',
      json('POST', '{"first_name":"first","first_name":"second"}'),
    );
    expect([made.status, made.json.record.first_name]).toEqual([200, 'second']);
  });

  it('of another type, encoding or size are refused', { timeout: 60_000 }, async () => {
    const path = '/api/v1/records/contacts';
    const small = '{"first_name":"x"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'x',
      '/',
    ]) {
      expectRefusal(await admin.send(path, json('POST', small, { 'content-type': type })), type);
    }
    // What is sent as bytes has no type unless it is given one.
    expectRefusal(await admin.send(path, { method: 'POST', body: new TextEncoder().encode(small) }), 'no type');
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'x']) {
      expectRefusal(await admin.send(path, json('POST', small, { 'content-encoding': encoding })), encoding);
    }
    expectRefusal(await admin.send(path, json('POST', small, { 'content-encoding': 'gzip' })), 'not gzip');
    const cut = Uint8Array.from(gzipSync(small).subarray(0, 15));
    expectRefusal(await admin.send(path, json('POST', cut, { 'content-encoding': 'gzip' })), 'half a gzip');
    const bomb = Uint8Array.from(gzipSync(Buffer.alloc(200 * 1024 * 1024, 32)));
    expectRefusal(await admin.send(path, json('POST', bomb, { 'content-encoding': 'gzip' })), 'a gzip bomb');
    expectRefusal(
      await admin.send(path, json('POST', `{"first_name":"${'x'.repeat(33 * 1024 * 1024)}"}`)),
      'a huge body',
    );
    await expectNothingWritten();
    const zipped = await admin.send(
      path,
      json('POST', Uint8Array.from(gzipSync(small)), { 'content-encoding': 'gzip' }),
    );
    expect([zipped.status, zipped.json.record.first_name]).toEqual([200, 'x']);
  });
});
