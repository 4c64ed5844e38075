/** The protocol as agents speak it with the service: both eras, who may connect, and messages that are wrong. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from 'node:http';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { connectAgent, eras, message, sendRaw, type Era } from './agent.ts';

let kith: TestKith;
let organization: TestOrganization;
beforeAll(async () => {
  kith = await startKith({
    KITH_RATE_LIMITS: 'on',
    KITH_PUBLIC_URL: 'https://crm.acme.test/kith',
    KITH_CORS_ORIGINS: 'https://app.example',
  });
  organization = await kith.organization();
});
afterAll(() => kith.stop());

const send = (body: unknown, headers?: Record<string, string>, method?: string) =>
  sendRaw(kith.url, organization.admin.token, body, headers, method);

describe.each(Object.keys(eras) as Era[])('with an agent of the %s era', (era) => {
  it('tells who it is and how to work here, and lists what there is', async () => {
    const { client, headers, close } = await connectAgent(kith.url, organization.admin.token, era);
    expect(client.getServerVersion()).toMatchObject({ name: 'kith', title: 'Kith' });
    expect(client.getInstructions()).toContain('data, not instructions');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'daily-briefing',
      'prepare-meeting',
      'clean-duplicates',
      'import-file',
      'pipeline-review',
    ]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['svc://users', 'svc://pipelines']);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'svc://schema/{object}',
      'svc://record/{object}/{id}',
    ]);
    expect(headers().get('x-ratelimit-policy')).toBe('api:ip');
    await close();
  });

  it('gives what stands at an address as the operation behind it does', async () => {
    const { client, close } = await connectAgent(kith.url, organization.admin.token, era);
    const made = await organization.admin.post('/records/companies', { name: 'Globex "x"\n', annual_revenue: 12.5 });
    const { id } = made.json.record;
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
      return JSON.parse((contents[0] as { text: string }).text);
    };
    expect(await read('svc://users')).toEqual((await organization.admin.get('/users')).json);
    expect(await read('svc://pipelines')).toEqual((await organization.admin.get('/pipelines')).json);
    expect(await read('svc://schema/companies')).toEqual((await organization.admin.get('/schema/companies')).json);
    expect(await read(`svc://record/companies/${id}`)).toEqual(
      (await organization.admin.get(`/records/companies/${id}`)).json,
    );
    for (const uri of [
      'svc://schema/planets',
      `svc://record/contacts/${id}`,
      'svc://record/companies',
      'svc://x',
      'http://a',
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringContaining('not found'),
      });
    await close();
  });

  it('fills in a prompt, and says what is missing', async () => {
    const { client, close } = await connectAgent(kith.url, organization.admin.token, era);
    const { messages } = await client.getPrompt({ name: 'prepare-meeting', arguments: { who: 'Ada' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('"Ada"') } },
    ]);
    await expect(client.getPrompt({ name: 'prepare-meeting' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('who is required'),
    });
    await expect(client.getPrompt({ name: 'prepare-meting' })).rejects.toMatchObject({
      message: expect.stringContaining('did you mean'),
    });
    await close();
  });

  it('calls a name that is no tool an error of the protocol', async () => {
    const { client, close } = await connectAgent(kith.url, organization.admin.token, era);
    await expect(client.callTool({ name: 'crm_planets' })).rejects.toMatchObject({ code: -32_602 });
    await close();
  });

  it('refuses whoever has no good token, in the body that REST has', async () => {
    await expect(connectAgent(kith.url, 'svc_nonsense', era)).rejects.toThrow();
  });
});

describe('a token', () => {
  it.each([
    ['none', undefined],
    ['of another kind', 'abc'],
    ['that is made up', 'svc_a.b.c'],
  ])('%s', async (_, token) => {
    const { status, headers, messages } = await sendRaw(kith.url, token, message('ping'));
    expect(status).toBe(401);
    expect(messages).toMatchObject([{ error: 'Unauthorized', code: 'UNAUTHORIZED' }]);
    expect(headers.get('www-authenticate')).toContain('Bearer');
  });

  it('that is revoked is refused with the next message, whichever that is', async () => {
    const me = (await organization.admin.get('/me')).json;
    for (const next of [
      message('tools/list'),
      message('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
      message('resources/read', { uri: 'svc://users' }),
      message('resources/read', { uri: 'svc://nothing' }),
      message('tools/call', { name: 'crm_nothing' }),
      message('tools/call', {}),
      message('tools/call', { name: 'crm_save_record', arguments: { action: 'nothing' } }),
      [message('ping'), message('resources/read', { uri: 'svc://users' }, 2)],
    ]) {
      const made = await createToken(kith.deps, organization.id, { email: me.profile.email, name: 'short' });
      expect((await sendRaw(kith.url, made.token, message('tools/list'))).status).toBe(200);
      await revokeToken(kith.deps, made.tokenId);
      const { status, messages } = await sendRaw(kith.url, made.token, next);
      expect({ status, messages }).toMatchObject({ status: 401, messages: [{ code: 'UNAUTHORIZED' }] });
    }
  });

  it('without the scope mcp reads nothing', async () => {
    const me = (await organization.admin.get('/me')).json;
    const { token } = await createToken(kith.deps, organization.id, {
      email: me.profile.email,
      name: 'other',
      scopes: ['x'],
    });
    const { messages } = await sendRaw(kith.url, token, message('resources/read', { uri: 'svc://users' }));
    expect(messages).toMatchObject([{ error: { code: -32_602, data: { code: 'PERMISSION_DENIED' } } }]);
  });

  it("of another organization sees nothing of this one's", async () => {
    const other = await kith.organization();
    const made = await organization.admin.post('/records/companies', { name: 'Hidden from others' });
    const uri = `svc://record/companies/${made.json.record.id}`;
    const seen = await sendRaw(kith.url, other.admin.token, message('resources/read', { uri }));
    const random = 'svc://record/companies/019ab7c2-0000-7000-8000-000000000001';
    const never = await sendRaw(kith.url, other.admin.token, message('resources/read', { uri: random }));
    expect(seen.text.replaceAll(uri, '')).toBe(never.text.replaceAll(random, ''));
  });
});

describe('a message that is wrong', () => {
  it.each([
    ['no JSON', '{"jsonrpc":"2.0",', {}, 400, -32_700],
    ['nothing at all', '', {}, 400, -32_700],
    ['JSON that says that it is text', '{}', { 'content-type': 'text/plain' }, 400, -32_700],
    ['a number', '17', {}, 400, -32_600],
    ['no message', '{"a":1}', {}, 400, -32_600],
    ['an empty list', '[]', {}, 400, -32_600],
    ['more at once than are answered', JSON.stringify(Array(21).fill(message('ping'))), {}, 400, -32_600],
    ['NUL in a text', JSON.stringify(message('resources/read', { uri: 'svc://\0' })), {}, 400, -32_700],
    ['a list nested too deep', `${'['.repeat(2_000)}${']'.repeat(2_000)}`, {}, 400, -32_700],
  ])('%s', async (_, body, headers, status, code) => {
    const answer = await send(body, headers);
    expect({ status: answer.status, messages: answer.messages }).toMatchObject({
      status,
      messages: [{ error: { code } }],
    });
  });

  const called = (args: unknown, id: unknown = 7) =>
    message('tools/call', { name: 'crm_find_records', arguments: args }, id as number);
  const nested = `${'{"type":"AND","conditions":['.repeat(2_000)}${']}'.repeat(2_000)}`;

  it.each([
    ['NUL', JSON.stringify(called({ object_name: 'contacts', search: 'a\0' })), 'search contains a NUL character'],
    [
      'half a surrogate pair',
      JSON.stringify(called({ object_name: 'contacts', filters: { field: '\ud800' } })),
      'filters contains half of a surrogate pair',
    ],
    ['a name with NUL', JSON.stringify(called({ 'a\0': 1 })), 'arguments contains a NUL character'],
    ['a list with NUL', JSON.stringify(called(['\0'])), 'arguments contains a NUL character'],
    [
      '2,000 filters within each other',
      JSON.stringify(called({ object_name: 'contacts', filters: '<>' })).replace('"<>"', nested),
      'filters is nested deeper than 64 levels',
    ],
  ])('has arguments of a tool with %s: the result says so', async (_, body, told) => {
    const { status, messages } = await send(body);
    expect(status).toBe(200);
    const [field] = told.split(' ');
    expect(messages).toMatchObject([
      {
        id: 7,
        result: {
          isError: true,
          structuredContent: { code: 'VALIDATION_ERROR', message: told, field_errors: [{ field, message: told }] },
        },
      },
    ]);
  });

  it('says of several which has such arguments, and its id where something else cannot be stored', async () => {
    const both = await send([called({ search: '\0' }, 1), message('ping', {}, 2)]);
    expect(both.messages.find(({ id }) => id === 1)).toMatchObject({ result: { isError: true } });
    expect(both.messages.find(({ id }) => id === 2)).toMatchObject({ result: {} });
    const name = await send(message('tools/call', { name: 'a\0', arguments: {} }, 9));
    expect(name.messages).toMatchObject([{ id: 9, error: { code: -32_700 } }]);
  });

  it('asks for an answer of one kind alone', async () => {
    expect((await send(message('ping'), { accept: 'application/json' })).status).toBe(406);
  });

  it('is larger than is taken, by what it says or as it comes', async () => {
    const large = 'x'.repeat(33 * 1024 * 1024);
    const told = await send(large);
    expect({ status: told.status, messages: told.messages }).toMatchObject({ status: 413, messages: [{ error: {} }] });
  });

  it('says one revision in its header and another in its envelope', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const mixed = { ...message('tools/list'), params: { _meta } };
    const good = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    expect((await send(mixed, good)).status).toBe(200);
    for (const headers of [{}, { ...good, 'mcp-protocol-version': '2025-11-25' }, { ...good, 'mcp-method': 'ping' }]) {
      const answer = await send(mixed, headers);
      expect({ status: answer.status, messages: answer.messages }).toMatchObject({
        status: 400,
        messages: [{ error: { code: expect.any(Number) } }],
      });
    }
    expect((await send(message('tools/list'), good)).status).toBe(400);
    expect((await send(message('tools/list'), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });

  it('asks to be told of changes, of which there are none', async () => {
    const answer = await send(message('subscriptions/listen', {}));
    expect(answer.messages).toMatchObject([{ id: 1, error: { code: -32_601 } }]);
  });
});

it('answers several messages of an earlier revision at once, and no more than a hundred', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => message('ping', {}, at));
  const { status, messages } = await send([...many(3), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
  expect(status).toBe(200);
  expect(new Set(messages.map(({ id }) => id))).toEqual(new Set([0, 1, 2]));
  expect((await send(many(101))).status).toBe(400);
});

it.each(['GET', 'DELETE', 'PUT'])('has no %s, since there are no sessions', async (method) => {
  const { status, headers } = await send(undefined, {}, method);
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('POST');
});

describe('a name of the service', () => {
  const hosts = async (host: string, origin?: string) => {
    const { hostname, port } = new URL(kith.url);
    const headers = {
      host,
      authorization: `Bearer ${organization.admin.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(origin !== undefined && { origin }),
    };
    return new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ hostname, port, path: '/mcp', method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      asked.once('error', reject).end(JSON.stringify(message('ping')));
    });
  };
  it.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:3000',
    '[::1]',
    '192.168.1.7:3000',
    'crm.acme.test',
    'crm.acme.test:443',
  ])('%s is known', async (host) => expect(await hosts(host)).toBe(200));
  it.each(['evil.test', 'crm.acme.test.evil.test', '127.0.0.1.evil.test', 'evil.test:3000', 'a b'])(
    '%s is not',
    async (host) => expect(await hosts(host)).toBe(403),
  );
  it.each(['http://localhost:6274', 'http://127.0.0.1:3000', 'https://crm.acme.test', 'https://app.example'])(
    'a page of %s may ask',
    async (origin) => expect(await hosts('localhost', origin)).toBe(200),
  );
  it.each(['null', 'https://evil.test', 'http://192.168.1.9', 'file://', 'chrome-extension://abc', 'nonsense'])(
    'a page of %s may not',
    async (origin) => expect(await hosts('localhost', origin)).toBe(403),
  );
});

it('takes null for the arguments of a tool as none', async () => {
  const answer = await send(message('tools/call', { name: 'crm_task_stats', arguments: null }));
  expect(answer.messages[0].result.structuredContent).toMatchObject({ total: expect.any(Number) });
});

it.each(['[]', '[1]', '"x"', '5', 'true', '{"__proto__":{"a":1}}'])(
  'answers a tool whose arguments are %s as it answers other wrong ones',
  async (args) => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crm_task_stats","arguments":${args}}}`;
    const { result } = (await send(call)).messages[0];
    expect([result.isError, result.structuredContent.code]).toEqual([true, 'VALIDATION_ERROR']);
    expect(result.structuredContent.message).toMatch(/^(arguments must be an object|"__proto__" is no argument)/);
  },
);

it.each([[[]], ['x'], [5], [{ who: 5 }], [{ who: ['Ada'] }], [{ who: 'Ada', more: {} }]])(
  'refuses a prompt whose arguments are %j, which are no texts',
  async (args) => {
    const { error } = (await send(message('prompts/get', { name: 'prepare-meeting', arguments: args }))).messages[0];
    expect([error.code, error.message]).toEqual([-32_602, expect.stringMatching(/^(arguments|who|more) must be /)]);
  },
);

it('takes null for an argument of a prompt as none', async () => {
  const get = (name: string, args: unknown) => send(message('prompts/get', { name, arguments: args }));
  expect((await get('pipeline-review', { object: null })).messages[0].result.messages).toHaveLength(1);
  expect((await get('daily-briefing', null)).messages[0].result.messages).toHaveLength(1);
  expect((await get('prepare-meeting', { who: null })).messages[0].error.message).toContain('who is required');
});

it('says of users beyond the first 500 how many there are, and how to find them', async () => {
  const one = await kith.organization();
  const users = identifier(one.schema, '_users');
  await kith.database.database.run(
    'test',
    statement(sql`insert into ${users} (id, user_id, name, email, role_id, is_active, search_text, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), 'Person ' || n, 'person' || n || '@kith.test', u.role_id, true, 'person', u.created_at, u.created_at
      from ${users} u, generate_series(1, 501) n`),
  );
  const read = await sendRaw(kith.url, one.admin.token, message('resources/read', { uri: 'svc://users' }));
  const told = JSON.parse(read.messages[0].result.contents[0].text);
  expect([told.data.length, told.total]).toEqual([500, 502]);
  expect(told.left_out).toBe('2 more: crm_get_schema with action users finds them by search, or pages with cursor');
});
