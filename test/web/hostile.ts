/** An organization full of what breaks pages: endless names, every script, and HTML wherever somebody can write. */
import { expect } from 'vitest';
import { messageLine } from '../api/conversations.ts';
import type { beside } from './beside.ts';
import { generalPages, settingPages } from './addresses.ts';

type Client = Awaited<ReturnType<typeof beside>>;

/** Runs where a page takes text for HTML. */
const markup = `"'><img src=x onerror="window.broken=1"><script>window.broken=2</script><b class=injected>&amp;`;
const longest = 'W'.repeat(10_000);

/** Names in which something is out of the common. */
const names: Readonly<Record<string, string>> = {
  markup,
  longest,
  words: 'Many words '.repeat(400),
  arabic: 'مدير المبيعات الأول '.repeat(12),
  hebrew: 'ישראל ישראלי (חברה) בע״מ 2026 '.repeat(8),
  han: '漢字仮名交じり文'.repeat(60),
  devanagari: 'क्ष्म्यै देवनागरी लिपि '.repeat(20),
  thai: 'ภาษาไทยไม่มีช่องว่าง'.repeat(40),
  emoji: '👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚒'.repeat(60),
  marks: [...'Marks'].map((letter) => letter + '\u0301\u0323\u0489'.repeat(120)).join(''),
  turned: '\u202Efdp.slairotcid\u202D \u2067turned\u2066 isolated',
  nothing: `\u200B\u200D\uFEFF${'\u200B'.repeat(80)}`,
  lines: 'One\nTwo\r\nThree\tFour',
  code: '{{constructor.constructor("window.broken=3")()}} ${1+1} %00 \\',
};

/** What has to have a name has one that can be seen. */
const seen = Object.values(names).map((name) => (name === names['nothing'] ? 'Nothing' : name));

/** So much of each as labels take: 200 characters, and none that nobody sees. */
const short = Object.entries(names).map(([key, name]) =>
  key === 'nothing'
    ? 'Nothing'
    : [...name.replaceAll(/[\u202A-\u202E\u2066-\u2069\r\n\t]/g, '')].slice(0, 90).join('').slice(0, 190).trim(),
);
const label = `${markup} ${'Label'.repeat(30)}`.slice(0, 200);

const manifest = {
  objects: [
    {
      name: 'oddities',
      label: `${label} s`.slice(0, 200),
      labelSingular: label,
      displayField: 'title',
      fields: [
        { name: 'title', label: `Title ${label}`.slice(0, 200), type: 'TEXT' },
        {
          name: 'kind',
          label: `Kind ${names['arabic']}`.slice(0, 200),
          type: 'SELECT',
          options: Array.from({ length: 2_000 }, (_, at) => ({
            value: `o${at}`,
            label: `${short[at % short.length]} ${at}`,
            color: at % 2 === 0 ? 'red' : '"><img src=x onerror="window.broken=4">',
          })),
        },
        {
          name: 'kinds',
          label: 'W'.repeat(200),
          type: 'MULTI_SELECT',
          options: Array.from({ length: 2_000 }, (_, at) => ({
            value: `m${at}`,
            label: `${short[at % short.length]} ${at}`,
          })),
        },
        { name: 'step', type: 'PIPELINE' },
        { name: 'page', type: 'URL' },
        { name: 'text', type: 'LONG_TEXT' },
        { name: 'rich', type: 'RICH_TEXT' },
        { name: 'owner', type: 'USERS' },
      ],
    },
  ],
  pipelines: [
    {
      name: label.slice(0, 100),
      objectName: 'oddities',
      isDefault: true,
      steps: short.slice(0, 6).map((name, at) => ({ name: `${at} ${name}`.slice(0, 100), kind: 'ongoing' })),
    },
  ],
  roles: [
    {
      name: short[0]!.slice(0, 100),
      permissions: { '*': { view: 'all', create: true, update: 'own', delete: 'none' } },
    },
  ],
};

/** Where what was made is shown. */
export interface Hostile {
  readonly paths: readonly string[];
}

/** Fills the organization of this admin. */
export async function fill(ada: Client): Promise<Hostile> {
  const post = async (path: string, body: object) => {
    const { status, json } = await ada('POST', path, body as Record<string, unknown>);
    expect([200, 201], `${path} ${JSON.stringify(json).slice(0, 400)}`).toContain(status);
    return json;
  };
  await post('/manifest', manifest);
  const me = (await ada('GET', '/me')).json.workspaceUserId;
  const make = async (object: string, values: object): Promise<string> => (await post(`/records/${object}`, values)).id;
  const companies: string[] = [];
  for (const [at, name] of Object.values(names).entries())
    companies.push(
      await make('companies', {
        name: seen[at],
        domain: `odd${at}.example`,
        industry: 'Software',
        owner: me,
        description: name,
      }),
    );
  const contacts: string[] = [];
  for (const [at, name] of Object.values(names).entries())
    contacts.push(
      await make('contacts', {
        first_name: name,
        last_name: at % 2 === 0 ? markup : name,
        job_title: name,
        emails: [{ email: `same${at >> 1}@odd.example`, is_primary: true }],
        company_id: companies[at],
        owner: me,
      }),
    );
  const deal = await make('opportunities', {
    name: longest,
    company_id: companies[0],
    owner: me,
    amount: 123456789012345,
  });
  const odd: string[] = [];
  for (const [at, title] of Object.values(names).entries())
    odd.push(
      await make('oddities', {
        title,
        kind: `o${at}`,
        // One has all that there are.
        kinds: Array.from({ length: at === 0 ? 2_000 : short.length }, (_, index) => `m${index}`),
        page: 'https://odd.example/"><script>window.broken=5</script>',
        text: title,
        rich: `<p>${markup}</p><p>${title.slice(0, 3_000)}</p>`,
        owner: me,
      }),
    );
  const about = [{ id: contacts[1], type: 'contacts' }];
  for (const title of Object.values(names)) {
    if (title !== names['nothing'])
      await post('/tasks', { title, due_date: new Date().toISOString(), assigned_to_id: me, linked_entities: about });
    await post('/notes', {
      content: `<p>${markup}</p><p>${title === names['nothing'] ? 'x' : title}</p>`,
      entity_type: 'contacts',
      entity_id: contacts[1],
      data: { visibility: 'workspace' },
    });
  }
  for (const [at, name] of short.slice(0, 5).entries())
    await post('/views', { object_name: 'contacts', name: `${at} ${name}`.slice(0, 200), search: markup.slice(0, 40) });
  const list = await post('/lists', {
    name: short[0]!,
    description: longest.slice(0, 2_000),
    object_types: ['contacts', 'companies'],
    fields: [
      { name: 'kind', label, type: 'SELECT', options: short.map((text, at) => ({ value: `v${at}`, label: text })) },
      { name: 'remark', label: 'W'.repeat(200), type: 'TEXT' },
    ],
  });
  await post(`/lists/${list.id}/entries`, { object_type: 'contacts', record_ids: contacts });
  await post(`/lists/${list.id}/entries`, { object_type: 'companies', record_ids: companies });
  for (const name of short.slice(1, 6)) await post('/lists', { name, object_types: ['contacts'] });
  const chart = { object_name: 'oddities', aggregation: 'COUNT' };
  const board = await post('/dashboards', {
    name: `${markup} ${'W'.repeat(120)}`.slice(0, 200),
    charts: [
      { ...chart, title: label, chart_type: 'bar', group_by: 'kind' },
      { ...chart, title: 'W'.repeat(200), chart_type: 'doughnut', group_by: 'kinds' },
      { ...chart, title: short[5], chart_type: 'bar', group_by: 'title' },
      { ...chart, title: short[3], chart_type: 'indicator' },
    ],
  });
  await post('/tokens', { name: label });
  const job = await post('/import-jobs', {
    object_name: 'oddities',
    file_name: `${markup.replaceAll('/', '')}${'W'.repeat(80)}.csv`,
    data: `${markup.replaceAll('"', '')},${'W'.repeat(300)},Kind\n${names['han']},${names['marks']},${short[4]}\n`,
  });
  const gone = await make('contacts', { last_name: longest, first_name: markup });
  await ada('DELETE', `/records/contacts/${gone}`);
  const people = (await ada('GET', '/users')).json.data as readonly { readonly id: string; readonly name: string }[];
  const diego = people.find(({ name }) => name.startsWith('Diego'));
  const renamed = await ada('PUT', `/users/${diego?.id}`, { name: `Diego ${markup} ${'W'.repeat(90)}` });
  expect(renamed.status).toBe(200);
  return {
    paths: [
      '/r/contacts?sort=-created_at',
      '/r/companies?sort=-created_at',
      '/r/opportunities?sort=-created_at',
      '/r/oddities?cols=title,kind,kinds,page,text,rich,owner',
      '/r/oddities?layout=board',
      '/r/oddities?layout=board&group=kind',
      `/r/oddities?peek=${odd[1]}`,
      '/r/contacts/trash',
      `/r/contacts/${contacts[1]}`,
      ...[0, 9].map((at) => `/r/oddities/${odd[at]}`),
      `/r/opportunities/${deal}`,
      ...generalPages,
      `/dashboards/${board.id}`,
      `/lists/${list.id}`,
      '/duplicates/contacts',
      `/import/${job.import_job_id}`,
      ...settingPages,
    ],
  };
}

/** Mails and meetings, as lines of `kith ingest`, in the account of this user. */
export function lines(user: string): readonly object[] {
  const at = (minute: number) => new Date(Date.now() - minute * 60_000).toISOString();
  return Object.entries(names).flatMap(([key, text], index) => [
    messageLine(user, `odd-${key}`, {
      external_thread_id: `odd-${key}`,
      subject: text.slice(0, 2_000),
      from: `"${short[index]!.replaceAll(/["\\\r\n]/g, '')}" <odd${index}@odd.example>`,
      date: at(index),
      content_text: text,
      ...(index % 2 === 0 && {
        content_html: `<p>${text.slice(0, 3_000)}</p><table width=5000><tr><td>${longest}</table>`,
      }),
    }),
    {
      kind: 'event',
      user,
      external_id: `odd-${key}`,
      title: text.slice(0, 2_000),
      location: text.slice(0, 2_000),
      start_time: at(-index * 180),
      end_time: at(-index * 180 - 30),
      attendees: [{ email: 'same0@odd.example', name: short[index] }],
    },
  ]);
}
