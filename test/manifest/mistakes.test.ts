/** Wrong manifests: each mistake is told with its place, and nothing is changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KithError } from '../../src/errors.ts';
import { labelProblem } from '../../src/lib/label.ts';
import { located, readManifestText } from '../../src/manifest/read.ts';
import { readManifest } from '../../src/manifest/manifest.ts';
import { hostileNames } from '../support/hostile.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';

let kith: TestKith;
let client: Client;
beforeAll(async () => {
  kith = await startKith();
  client = (await kith.organization()).admin;
}, 60_000);
afterAll(() => kith.stop());

const things = (...fields: readonly object[]) => ({
  objects: [{ name: 'things', fields: [{ name: 'name', type: 'TEXT' }, ...fields] }],
});
const field = (more: object) => things({ name: 'f', type: 'TEXT', ...more });
const rep = (permissions: object) => ({ roles: [{ name: 'Rep', permissions }] });
const pipeline = (more: object) => ({
  pipelines: [{ name: 'P', objectName: 'opportunities', steps: [{ name: 'One', ...more }] }],
});
const at = 'objects[0].fields[1]';

describe('a manifest with a mistake', () => {
  it.each<[object, string, string]>([
    [{ object: [] }, 'object', 'did you mean "objects"?'],
    [{ objects: {} }, 'objects', 'must be a list'],
    [{ objects: ['x'] }, 'objects[0]', 'must be an object'],
    [{ objects: [{}] }, 'objects[0].name', 'is required'],
    [{ objects: [{ name: 'Things' }] }, 'objects[0].name', 'must begin with a lower-case letter'],
    [{ objects: [{ name: 'tasks' }] }, 'objects[0].name', 'is taken by Kith'],
    [{ objects: [{ name: 'a__b' }] }, 'objects[0].name', 'two underscores'],
    [{ objects: [{ name: 'a'.repeat(49) }] }, 'objects[0].name', 'at most 48 characters'],
    [{ objects: [{ name: 'things', labels: 'x' }] }, 'objects[0].labels', 'did you mean "label"?'],
    [{ objects: [{ name: 'a' }, { name: 'a' }] }, 'objects[1].name', 'given twice'],
    [{ objects: [{ name: 'things', displayField: 'x' }] }, 'objects[0].displayField', 'names no field'],
    [{ objects: [{ name: 'contacts', displayField: 'emails' }] }, 'objects[0].displayField', 'cannot name a record'],
    [{ objects: [{ name: 'contacts', absent: true }] }, 'objects[0].absent', 'built in'],
    [{ objects: [{ name: 'people', renamedFrom: 'contacts' }] }, 'objects[0]', 'built in'],
    [things({ name: 'id', type: 'TEXT' }), `${at}.name`, 'is taken by Kith'],
    [things({ name: 'xmin', type: 'TEXT' }), `${at}.name`, 'is taken by Kith'],
    [things({ name: 'f' }), `${at}.type`, 'the field is new'],
    [field({ type: 'TEXTT' }), `${at}.type`, 'did you mean "TEXT"?'],
    [field({ isRequired: 'yes' }), `${at}.isRequired`, 'must be true or false'],
    [
      field({ isRequired: true, isReadonly: true }),
      `${at}.isRequired`,
      'cannot be true where isReadonly is, without a defaultValue: no record could be created',
    ],
    [field({ type: 'SELECT' }), `${at}.options`, 'is required for SELECT'],
    [field({ options: [{ value: 'a' }] }), `${at}.options`, 'cannot be given for TEXT'],
    [
      field({ type: 'SELECT', options: [{ value: 'a' }, { value: '' }] }),
      `${at}.options[1].value`,
      'must not be empty',
    ],
    [field({ type: 'SELECT', options: [{ value: 'a' }, { value: 'a' }] }), `${at}.options[1].value`, 'given twice'],
    [
      field({ type: 'SELECT', options: [{ value: 'a' }], defaultValue: 'b' }),
      `${at}.defaultValue`,
      'one of its options',
    ],
    [field({ type: 'INTEGER', defaultValue: 1.5 }), `${at}.defaultValue`, 'must'],
    [field({ type: 'RELATION' }), `${at}.relationConfig`, 'is required for RELATION'],
    [
      field({ type: 'RELATION', relationConfig: { targetObjectName: 'contact' } }),
      `${at}.relationConfig.targetObjectName`,
      'did you mean "contacts"?',
    ],
    [field({ relationConfig: { targetObjectName: 'contacts' } }), `${at}.relationConfig`, 'cannot be given for TEXT'],
    [
      field({ type: 'RELATION', relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' } }),
      `${at}.relationConfig.relationType`,
      'must be BELONGS_TO_ONE or HAS_MANY',
    ],
    [
      field({
        type: 'RELATION',
        relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'contacts', inverseField: 'company_id' },
      }),
      `${at}.relationConfig.inverseField`,
      'leads to things',
    ],
    [
      field({ type: 'MORPH_RELATION', relationConfig: { targetObjectNames: ['contacts', 'x'] } }),
      `${at}.relationConfig.targetObjectNames[1]`,
      'names no object',
    ],
    [
      field({ type: 'DEPENDENT_RELATION', relationConfig: { targetObjectName: 'contacts' } }),
      `${at}.dependsOn`,
      'is required',
    ],
    [
      field({ type: 'DEPENDENT_RELATION', dependsOn: 'name', relationConfig: { targetObjectName: 'contacts' } }),
      `${at}.dependsOn`,
      'must be a relation',
    ],
    [
      field({
        type: 'MANY_TO_MANY',
        relationConfig: { targetObjectName: 'contacts' },
        junctionFields: [{ name: 'position', type: 'TEXT' }],
      }),
      `${at}.junctionFields[0].name`,
      'is taken',
    ],
    [
      field({
        type: 'MANY_TO_MANY',
        relationConfig: { targetObjectName: 'contacts' },
        junctionFields: [{ name: 'x', type: 'CURRENCY' }],
      }),
      `${at}.junctionFields[0].type`,
      'a link cannot carry',
    ],
    [
      field({
        type: 'MANY_TO_MANY',
        relationConfig: { targetObjectName: 'contacts' },
        junctionFields: Array.from({ length: 41 }, (_, index) => ({ name: `x${index}`, type: 'TEXT' })),
      }),
      `${at}.junctionFields`,
      'more than 40',
    ],
    [field({ type: 'MULTI_SELECT', options: [], isUnique: true }), `${at}.isUnique`, 'cannot be true for MULTI_SELECT'],
    [field({ type: 'BOOLEAN', isSearchable: true }), `${at}.isSearchable`, 'cannot be true for BOOLEAN'],
    [field({ type: 'CALCULATED' }), `${at}.calculation`, 'is required for CALCULATED'],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'a %', outputType: 'TEXT' } }),
      `${at}.calculation.expression`,
      'position 4',
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'nam', outputType: 'TEXT' } }),
      `${at}.calculation.expression`,
      'did you mean "name"?',
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'concat(f)', outputType: 'TEXT' } }),
      `${at}.calculation.expression`,
      'leans on f itself',
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'name + 1', outputType: 'DECIMAL' } }),
      `${at}.calculation.expression`,
      'cannot calculate with a text',
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'id + 1', outputType: 'DECIMAL' } }),
      `${at}.calculation.expression`,
      "cannot calculate with a record's id",
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'id', outputType: 'TEXT' } }),
      `${at}.calculation.outputType`,
      "gives a record's id",
    ],
    [
      field({ type: 'CALCULATED', calculation: { expression: 'name', outputType: 'DECIMAL' } }),
      `${at}.calculation.outputType`,
      'gives a text',
    ],
    [
      field({ type: 'ROLLUP', rollup: { objectName: 'contacts', relationField: 'company_id', function: 'COUNT' } }),
      `${at}.rollup.relationField`,
      'leads to things',
    ],
    [
      field({
        type: 'ROLLUP',
        rollup: { objectName: 'contacts', relationField: 'company_id', function: 'SUMM', field: 'x' },
      }),
      `${at}.rollup.function`,
      'did you mean "SUM"?',
    ],
    [
      things({ name: 'a', type: 'PIPELINE' }, { name: 'b', type: 'PIPELINE' }),
      'objects[0].fields[2].type',
      'one at most',
    ],
    [
      things(
        { name: 'c', type: 'RELATION', relationConfig: { targetObjectName: 'contacts' } },
        { name: 'c_display', type: 'TEXT' },
      ),
      'objects[0].fields[2].name',
      'beside the relation',
    ],
    [things({ name: 'owner', type: 'TEXT' }), `${at}.type`, 'must be USERS'],
    [things({ name: 'owner', absent: true }), `${at}.absent`, 'every object has it'],
    [pipeline({ kind: 'win' }), 'pipelines[0].steps[0].kind', 'did you mean "won"?'],
    [
      { pipelines: [{ name: 'P', objectName: 'deals', steps: [{ name: 'A' }] }] },
      'pipelines[0].objectName',
      'names no object',
    ],
    [
      { pipelines: [{ name: 'P', objectName: 'contacts', steps: [{ name: 'A' }] }] },
      'pipelines[0].objectName',
      'no field of the type PIPELINE',
    ],
    [{ pipelines: [{ name: 'P', objectName: 'opportunities', steps: [] }] }, 'pipelines[0].steps', 'at least one step'],
    [
      pipeline({ questions: [{ linked_field_name: 'amout' }] }),
      'pipelines[0].steps[0].questions[0].linked_field_name',
      'did you mean "amount"?',
    ],
    [
      pipeline({ forced_values: { probability: 'much' } }),
      'pipelines[0].steps[0].forced_values.probability',
      'must be a number',
    ],
    [pipeline({ default_values: { nothing: 1 } }), 'pipelines[0].steps[0].default_values.nothing', 'names no field'],
    [rep({ contact: { view: 'all' } }), 'roles[0].permissions.contact', 'did you mean "contacts"?'],
    [
      rep({ contacts: { view: 'some' } }),
      'roles[0].permissions.contacts.view',
      'must be all, own, none or a FilterGroup',
    ],
    [rep({ contacts: { fields: { emial: 'read' } } }), 'roles[0].permissions.contacts.fields.emial', 'names no field'],
    [rep({ contacts: { fields: { emails: 'write' } } }), 'roles[0].permissions.contacts.fields.emails', 'read, none'],
    [
      rep({ contacts: { view: { type: 'AND', conditions: [{ field: 'emails' }] } } }),
      'roles[0].permissions.contacts.view.conditions[0].operator',
      'must be one of',
    ],
    [
      rep({ contacts: { view: { type: 'AND', conditions: [{ field: 'x', operator: 'equals', value: 1 }] } } }),
      'roles[0].permissions.contacts.view',
      'no field "x"',
    ],
    [
      rep({
        contacts: { update: { type: 'AND', conditions: [{ field: 'birthday', operator: 'contains', value: 'x' }] } },
      }),
      'roles[0].permissions.contacts.update',
      'does not work on birthday',
    ],
    [{ roles: [{ name: 'Admin', absent: true }] }, 'roles[0].absent', 'built in'],
    [{ organization: { currency: 'EURO' } }, 'organization.currency', 'ISO 4217'],
    [{ organization: { timezone: '+02:00' } }, 'organization.timezone', 'IANA'],
  ])('%#: wrong', async (manifest, place, message) => {
    const before = (await client.get('/manifest')).text;
    const reply = await client.post('/manifest', manifest);
    expect(reply.status).toBe(400);
    expect(reply.json.code).toBe('VALIDATION_ERROR');
    expect(reply.json.field_errors.map((problem: { field: string }) => problem.field)).toContain(place);
    expect(reply.json.message).toContain(message);
    expect((await client.get('/manifest')).text).toBe(before);
  });

  it('is told all of them at once', async () => {
    const { json } = await client.post('/manifest', things({ name: 'B' }, { name: 'c', type: 'X' }, { naem: 'd' }));
    expect(json.field_errors.map((problem: { field: string }) => problem.field)).toEqual([
      `${at}.name`,
      'objects[0].fields[2].type',
      'objects[0].fields[3].naem',
      'objects[0].fields[3].name',
    ]);
  });

  it('may require what is read-only where every new record has it by itself', async () => {
    const always = { isReadonly: true, isRequired: true };
    const fields = [
      { name: 'name', type: 'TEXT' },
      { name: 'origin', type: 'TEXT', defaultValue: 'web', ...always },
      { name: 'place', type: 'PIPELINE', ...always },
      { name: 'owner', type: 'USERS', ...always },
      { name: 'created_by', type: 'USERS', ...always },
    ];
    const manifest = {
      objects: [{ name: 'leads', fields }],
      pipelines: [{ name: 'Leads', objectName: 'leads', steps: [{ name: 'New' }] }],
    };
    const applied = await client.post('/manifest', manifest);
    expect(applied.status, applied.text).toBe(200);
    const made = await client.post('/records/leads', { name: 'x' });
    expect(made.json.record, made.text).toMatchObject({ origin: 'web', pipeline_step_id_display: 'New' });
  });

  it('may name $me, lists of it, and fields beyond a relation', async () => {
    const view = {
      type: 'OR',
      conditions: [
        { field: 'owner', operator: 'equals', value: '$me' },
        { field: 'created_by', operator: 'in', value: ['$me'] },
        { field: 'company_id.industry', operator: 'equals', value: 'software' },
      ],
    };
    expect((await client.post('/manifest?dry_run=true', rep({ contacts: { view } }))).status).toBe(200);
  });

  it.each(hostileNames.map((name) => [name.slice(0, 60), name]))(
    'refuses %j as a name, everywhere',
    async (_, name) => {
      const [object, part, option] = [
        { objects: [{ name }] },
        things({ name, type: 'TEXT' }),
        { objects: [{ name: 'contacts', fields: [{ name: 'tags', [name]: 1 }] }] },
      ];
      for (const manifest of [object, part, option]) {
        const reply = await client.post('/manifest?dry_run=true', manifest);
        const legal = name === 'null' && manifest !== option;
        expect([reply.status, reply.json.code], reply.text).toEqual(
          legal ? [200, undefined] : [400, 'VALIDATION_ERROR'],
        );
      }
    },
  );

  it('takes hostile labels, options and step names as they are', async () => {
    // What looks like an id is taken for one; what nobody sees is refused: unseen-characters.test.ts.
    const isName = (text: string) => text === text.trim() && text.length <= 200 && labelProblem(text) === undefined;
    const texts = hostileNames.filter((name) => isName(name) && !/^0{8}-/.test(name));
    const manifest = {
      objects: [
        {
          name: 'odd',
          label: texts[5],
          fields: [
            { name: 'name', type: 'TEXT', label: texts[6] },
            {
              name: 'choice',
              type: 'SELECT',
              options: texts.map((value) => ({ value, label: value })),
              defaultValue: texts[0],
            },
            { name: 'place', type: 'PIPELINE' },
          ],
        },
      ],
      pipelines: [{ name: texts[4], objectName: 'odd', steps: texts.map((name) => ({ name })) }],
    };
    expect((await client.post('/manifest', manifest)).status).toBe(200);
    expect((await client.post('/manifest', manifest)).json).toEqual({ changes: [] });
    for (const value of texts) {
      const created = await client.post('/records/odd', { name: 'x', choice: value, pipeline_step_id: value });
      expect(created.json.record, created.text).toMatchObject({ choice: value, pipeline_step_id_display: value });
    }
  });
});

describe('the text of a manifest', () => {
  const refusal = (text: string): string => {
    try {
      const source = readManifestText(text);
      try {
        readManifest(source.value);
      } catch (error) {
        throw error instanceof KithError ? located(error, source) : error;
      }
    } catch (error) {
      if (error instanceof KithError) return `${error.code} ${error.message}`;
      throw error;
    }
    return 'none';
  };

  it.each<[string, string]>([
    ['{\n  "objects": [\n    { "name": "Bad" }\n  ]\n}', '3:7 objects[0].name must begin'],
    [
      'objects:\n  - name: things\n    fields:\n      - name: x\n        type: TEXTT\n',
      '5:9 objects[0].fields[0].type must be one of',
    ],
    ['{\n\t"roles": [],\n\t"roles": []\n}', '3:2 "roles" is given twice'],
    ['{ "objects": [ }', '1:'],
    ['objects: [\n', 'VALIDATION_ERROR 2:1'],
    ['a: *x', 'VALIDATION_ERROR 1:4'],
    ['a: 1\n---\nb: 2', 'multiple documents'],
    ['? [a]\n: 1', 'a key must be a text'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'nested deeper than 64'],
    ['.inf', '1:1 must be text'],
    ['"a\\u0000b"', 'NUL'],
    ['x'.repeat(1024 * 1024 + 1), '1 MiB'],
    ['&a [*a]', 'nested deeper than 64'],
    [
      `a: &a [${'1,'.repeat(999)}1]\nb: &b [${'*a,'.repeat(999)}*a]\nc: [${'*b,'.repeat(999)}*b]`,
      'more than 200000 values',
    ],
    ['', 'must be an object'],
  ])('%#: wrong', (text, message) => expect(refusal(text)).toContain(message));

  it('is the same value as JSON and as YAML, with every digit', () => {
    const yaml = 'roles:\n  - name: Réd\n    n: 0.10\n    b: true\n    t: "yes"\n    u: yes\n';
    const json = '{"roles":[{"name":"R\\u00e9d","n":0.10,"b":true,"t":"yes","u":"yes"}]}';
    expect(JSON.stringify(readManifestText(yaml).value)).toBe(
      '{"roles":[{"name":"Réd","n":0.10,"b":true,"t":"yes","u":"yes"}]}',
    );
    expect(JSON.stringify(readManifestText(json).value)).toBe(JSON.stringify(readManifestText(yaml).value));
    expect(Object.keys(readManifestText('{"__proto__": 1}').value as object)).toEqual(['__proto__']);
  });
});
