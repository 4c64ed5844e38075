/** SELECT, MULTI_SELECT, EMAILS, PHONES. */
import type { Json } from '../../../src/lib/json.ts';
import { nothing, nullFilters, options, testField } from './sample.ts';
import type { Sample, SampleValue } from './sample.ts';

const optionFilters: Sample['filters'] = [
  ...nullFilters,
  ['equals', 'new'],
  ['equals', 'Under way'],
  ['not_equals', 'new'],
  ['in', 'new,UNDER WAY'],
  ['in', ['done']],
  ['not_in', 'new,done'],
  ['contains', 'WAY'],
  ['contains', 'progress'],
  ['starts_with', 'Und'],
  ['ends_with', '}'],
  ['ilike', 'n%'],
  ['ilike', 'd_n_'],
];

const badOptionFilters: Sample['badFilters'] = [
  ['equals', 'lost', 'one of its options'],
  ['in', 'new,lost', 'one of its options'],
  ['equals', null, 'is_null'],
  ['ilike', 'a\\', 'backslash'],
];

function choice(written: string, value: string): SampleValue {
  return { written, read: `"${value}"`, cell: value };
}

const select: Sample = {
  field: testField('SELECT', 'f', { options }),
  values: [nothing, choice('new', 'new'), choice('Under way', 'in_progress'), choice('DONE', 'done')],
  refused: [
    ['lost', 'one of its options'],
    [['new'], 'value of an option'],
    [1, 'value of an option'],
  ],
  cells: [[' new ', 'new']],
  filters: optionFilters,
  badFilters: badOptionFilters,
};

function choices(written: Json, values: readonly string[]): SampleValue {
  return { written, read: JSON.stringify(values), cell: values.join('; ') };
}

const multiSelect: Sample = {
  field: testField('MULTI_SELECT', 'f', {
    options: [...options, { value: 'q"\\ ,NULL', label: 'Odd' }, { value: 'NULL', label: 'Null' }],
  }),
  values: [
    { ...nothing, read: '[]' },
    choices([], []),
    choices(['new'], ['new']),
    choices(['done', 'New', 'new'], ['done', 'new']),
    choices(['Odd', 'Null'], ['q"\\ ,NULL', 'NULL']),
    choices(['in_progress', 'done', 'new'], ['in_progress', 'done', 'new']),
  ],
  refused: [
    ['new', 'list of options'],
    [['lost'], 'one of its options'],
    [[1], 'list of texts'],
  ],
  cells: [
    ['new;done', ['new', 'done']],
    ['new ::: done', ['new', 'done']],
    ['["new"]', ['new']],
    ['', null],
  ],
  filters: optionFilters,
  badFilters: badOptionFilters,
};

const contactFilters: Sample['filters'] = [
  ...nullFilters,
  ['equals', 'anna@acme.com'],
  ['equals', 'ANNA@acme.com'],
  ['equals', '+49 30 1234'],
  ['not_equals', 'anna@acme.com'],
  ['in', 'anna@acme.com,bob@globex.test'],
  ['in', ['say "hi"@x', '+49 30 1234']],
  ['in', []],
  ['not_in', 'anna@acme.com,+49 30 1234'],
  ['contains', 'ACME'],
  ['contains', '30'],
  ['contains', '_'],
  ['starts_with', 'bob'],
  ['starts_with', '+49'],
  ['ends_with', '.com'],
  ['ends_with', '34'],
  ['ilike', '%@%'],
  ['ilike', '+49%'],
];

const badContactFilters: Sample['badFilters'] = [
  ['equals', null, 'is_null'],
  ['contains', {}, 'single value'],
  ['ilike', '\\', 'backslash'],
];

function contacts(
  key: 'email' | 'phone',
  written: Json,
  stored: readonly (readonly [string, string, boolean])[],
  lossy?: true,
): SampleValue {
  const read = stored.map(([value, label, primary]) =>
    key === 'email' ? { email: value, label, is_primary: primary } : { label, phone: value, is_primary: primary },
  );
  const first = stored.toSorted((a, b) => Number(b[2]) - Number(a[2]));
  return {
    written,
    read: JSON.stringify(read),
    cell: first.map(([value]) => value).join('; '),
    ...(lossy && { lossy }),
  };
}

const emails: Sample = {
  field: testField('EMAILS'),
  values: [
    { ...nothing, read: '[]' },
    contacts('email', [], []),
    contacts('email', 'anna@acme.com', [['anna@acme.com', 'work', true]]),
    contacts('email', '<eva@acme.com>', [['eva@acme.com', 'work', true]]),
    contacts('email', [{ email: 'mailto:ida@acme.com', label: 'home' }], [['ida@acme.com', 'home', true]], true),
    contacts(
      'email',
      ['bob@globex.test', 'Anna@acme.com'],
      [
        ['bob@globex.test', 'work', true],
        ['Anna@acme.com', 'work', false],
      ],
    ),
    contacts(
      'email',
      [
        { email: 'a_b@x.com', label: 'home' },
        { email: ' bob@globex.test ', is_primary: true },
      ],
      [
        ['a_b@x.com', 'home', false],
        ['bob@globex.test', 'work', true],
      ],
      true,
    ),
    contacts('email', { email: 'anna@acme.com', label: 'private' }, [['anna@acme.com', 'private', true]], true),
  ],
  refused: [
    ['anna', 'e-mail address'],
    ['anna@', 'e-mail address'],
    ['a b@c.com', 'e-mail address'],
    ['a@b@c', 'e-mail address'],
    [`${'a'.repeat(320)}@b.c`, 'e-mail address'],
    [5, 'list of'],
    [[['a@b.c']], 'list of'],
    [[{ label: 'work' }], 'text as each email'],
    [[{ email: 'a@b.c', kind: 'x' }], 'unknown key "kind"'],
    [[{ email: 'a@b.c', is_primary: 'yes' }], 'is_primary'],
    [[{ email: 'a@b.c', label: 5 }], 'label'],
    [['a@b.c', 'A@b.c'], 'twice'],
    [
      [
        { email: 'a@b.c', is_primary: true },
        { email: 'd@b.c', is_primary: true },
      ],
      'one primary',
    ],
    [Array.from({ length: 101 }, (_, i) => `a${i}@b.c`), '100 values'],
  ],
  cells: [
    ['a@b.c; d@e.f', ['a@b.c', 'd@e.f']],
    ['a@b.c ::: d@e.f', ['a@b.c', 'd@e.f']],
    ['[{"email":"a@b.c","label":"home"}]', [{ email: 'a@b.c', label: 'home' }]],
    ['', null],
  ],
  filters: contactFilters,
  badFilters: badContactFilters,
};

const phones: Sample = {
  field: testField('PHONES'),
  values: [
    { ...nothing, read: '[]' },
    contacts('phone', '+49 30 1234', [['+49 30 1234', 'work', true]]),
    contacts(
      'phone',
      ['1-800-ACME ext. 5', '555_010'],
      [
        ['1-800-ACME ext. 5', 'work', true],
        ['555_010', 'work', false],
      ],
    ),
    contacts(
      'phone',
      [{ phone: '030/1234' }, { phone: '+49 171', is_primary: true, label: 'mobile' }],
      [
        ['030/1234', 'work', false],
        ['+49 171', 'mobile', true],
      ],
      true,
    ),
  ],
  refused: [
    ['none', 'phone number'],
    ['', 'phone number'],
    ['1'.repeat(65), 'phone number'],
    [['1', '1'], 'twice'],
    [[{ email: 'a@b.c' }], 'unknown key "email"'],
  ],
  cells: [['030 1; 030 2', ['030 1', '030 2']]],
  filters: contactFilters,
  badFilters: badContactFilters,
};

export const choiceSamples: readonly Sample[] = [select, multiSelect, emails, phones];
