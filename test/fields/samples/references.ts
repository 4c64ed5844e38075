/** ID, RELATION, DEPENDENT_RELATION, MORPH_RELATION, USERS, MANY_TO_MANY, PIPELINE_ID, PIPELINE_STEP_ID. */
import type { FieldTypeName } from '../../../src/fields/field-def.ts';
import type { Json } from '../../../src/lib/json.ts';
import { nothing, nullFilters, pipelines, testField } from './sample.ts';
import type { Sample, SampleValue } from './sample.ts';

const one = '0190a000-0000-7000-8000-00000000aaaa';
const two = '0190a000-0000-7000-8000-00000000bbbb';
const three = '0190a000-0000-7000-8000-00000000cccc';

function filters(a: string, b: string): Sample['filters'] {
  return [
    ...nullFilters,
    ['equals', a],
    ['equals', a.toUpperCase()],
    ['not_equals', a],
    ['in', `${a},${three}`],
    ['in', [a, b]],
    ['in', []],
    ['not_in', `${a}, ${b}`],
  ];
}

const badFilters: Sample['badFilters'] = [
  ['equals', 'anna', 'must be an id'],
  ['in', `${one},x`, 'must be an id'],
  ['equals', null, 'is_null'],
];

function reference(written: Json, id: string): SampleValue {
  return { written, read: `"${id}"`, cell: id };
}

function referring(type: FieldTypeName, of: string): Sample {
  const relationConfig = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' } as const;
  return {
    field: testField(type, 'f', type === 'USERS' ? {} : { relationConfig }),
    values: [
      nothing,
      reference(one, one),
      reference({ id: two, display: 'Acme' }, two),
      reference(three.toUpperCase(), three),
    ],
    refused: [
      ['Acme', `must be the id of ${of}`],
      [5, `must be the id of ${of}`],
      [{ display: 'Acme' }, `must be the id of ${of}`],
      [[one], `must be the id of ${of}`],
    ],
    cells: [
      [` ${one} `, one],
      ['', null],
    ],
    filters: filters(one, two),
    badFilters,
  };
}

function morph(object: string, recordId: string): SampleValue {
  const read = `{"object":"${object}","id":"${recordId}"}`;
  return { written: { object, id: recordId }, read, cell: `${object}:${recordId}`, seen: recordId };
}

const morphRelation: Sample = {
  field: testField('MORPH_RELATION', 'f', {
    relationConfig: {
      relationType: 'MORPH_RELATION',
      targetObjectName: 'contacts',
      targetObjectNames: ['contacts', 'companies'],
    },
  }),
  values: [
    nothing,
    morph('contacts', one),
    morph('companies', two),
    { ...morph('companies', three), written: { object: 'companies', id: three.toUpperCase(), display: 'Acme' } },
  ],
  refused: [
    [one, 'must be { object, id }'],
    [{ id: one }, 'must name one of its objects'],
    [{ object: 'tasks', id: one }, 'must name one of its objects'],
    [{ object: 'contacts' }, 'must be the id of a record of contacts'],
    [{ object: 'contacts', id: 'Anna' }, 'must be the id of a record of contacts'],
    [{ object: 'contacts', id: one, kind: 'x' }, 'unknown key "kind"'],
  ],
  cells: [
    [`contacts: ${one}`, { object: 'contacts', id: one }],
    ['contacts:Anna', { object: 'contacts', display: 'Anna' }],
    ['Re: Anna', { display: 'Re: Anna' }],
    [one, { id: one }],
    [`{"object":"contacts","id":"${one}"}`, { object: 'contacts', id: one }],
    ['', null],
  ],
  filters: filters(one, two),
  badFilters,
};

const id: Sample = {
  field: testField('ID'),
  values: [reference(one, one), reference(two, two)],
  refused: [
    [null, 'must be an id'],
    ['x', 'must be an id'],
  ],
  cells: [[one, one]],
  filters: filters(one, two),
  badFilters,
};

function links(written: Json, read: readonly Json[]): SampleValue {
  const cell = read.map((link) =>
    typeof link === 'object' && link !== null && 'display' in link ? String(link.display) : '',
  );
  return { written, read: JSON.stringify(read), cell: cell.join('; '), lossy: true };
}

const manyToMany: Sample = {
  field: testField('MANY_TO_MANY', 'f', {
    relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    junctionFields: [testField('TEXT', 'role'), testField('DECIMAL', 'share')],
    linkTable: '_link_test',
  }),
  values: [
    { ...nothing, read: '[]' },
    links([], []),
    links([one], [{ id: one, display: 'name of …aaaa', cells: [null, null] }]),
    links(
      [{ id: two, display: 'ignored', role: 'buyer', share: 5 }, one.toUpperCase()],
      [
        { id: two, display: 'name of …bbbb', cells: ['buyer', '5'] },
        { id: one, display: 'name of …aaaa', cells: [null, null] },
      ],
    ),
  ],
  refused: [
    [one, 'list of ids'],
    [['Anna'], 'must be the id of a record of contacts'],
    [[one, one], 'twice'],
    [[{ id: one, rank: 1 }], 'unknown key "rank"'],
    [[{ id: one, role: 5 }], 'role must be a text'],
  ],
  cells: [
    [`${one}; Anna`, [one, 'Anna']],
    [`["${one}"]`, [one]],
  ],
  filters: filters(one, two),
  badFilters,
};

function place(
  type: FieldTypeName,
  ids: readonly [string, string],
  byName: Json,
  ambiguous: Sample['refused'],
): Sample {
  return {
    field: testField(type),
    values: [nothing, reference(byName, ids[0]), reference(ids[1], ids[1])],
    refused: [
      ['Nowhere', 'must be the id or the name'],
      [one, 'must be the id or the name'],
      [5, 'must be the id or the name'],
      ...ambiguous,
    ],
    cells: [[' Lead ', 'Lead']],
    filters: filters(ids[0], ids[1]),
    badFilters,
  };
}

const [sales, renewals] = pipelines;
const lead = sales?.steps[0]?.id ?? '';
const won = sales?.steps[1]?.id ?? '';

export const referenceSamples: readonly Sample[] = [
  id,
  referring('RELATION', 'a record of companies'),
  referring('DEPENDENT_RELATION', 'a record of companies'),
  morphRelation,
  referring('USERS', 'a workspace user'),
  manyToMany,
  place('PIPELINE_ID', [sales?.id ?? '', renewals?.id ?? ''], 'sales', []),
  place('PIPELINE_STEP_ID', [lead, won], 'LEAD', [['Won', 'names several']]),
];
