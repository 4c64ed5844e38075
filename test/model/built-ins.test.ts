import { expect, it } from 'vitest';
import { buildModel } from '../../src/model/build.ts';
import { builtInModel } from '../../src/model/built-ins.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { isCurrency, isTimeZone } from '../../src/lib/standards.ts';

const stored = builtInModel({ name: 'Acme', currency: 'USD', timezone: 'UTC' });
const model = buildModel({ id: '01a201d8-7cc4-7031-9a2c-41c63f8631de', schema: 'org_x' }, stored);

const expected: Readonly<Record<string, { readonly display: string; readonly fields: string }>> = {
  contacts: {
    display: 'full_name',
    fields:
      'first_name TEXT, last_name TEXT, full_name CALCULATED, emails EMAILS, phones PHONES, job_title TEXT, company_id RELATION, ' +
      'linkedin_url URL, address ADDRESS, tags MULTI_SELECT, birthday DATE, do_not_contact BOOLEAN, owner USERS, created_by USERS',
  },
  companies: {
    display: 'name',
    fields:
      'name TEXT required, domain URL, industry SELECT, employees INTEGER, annual_revenue CURRENCY, phones PHONES, linkedin_url URL, ' +
      'address ADDRESS, description LONG_TEXT, owner USERS, created_by USERS',
  },
  opportunities: {
    display: 'name',
    fields:
      'name TEXT required, amount CURRENCY, probability PERCENT, close_date DATE, source SELECT, company_id RELATION, ' +
      'contacts MANY_TO_MANY, pipeline PIPELINE, owner USERS, created_by USERS',
  },
  // [spec: Task] with what their operations lean on
  tasks: {
    display: 'title',
    fields:
      'title TEXT required, due_date DATETIME, due_all_day BOOLEAN, priority SELECT, action_type SELECT, is_completed BOOLEAN, ' +
      'assigned_to_id USERS, assigned_by_id USERS, completed_at DATETIME, completed_by USERS, ' +
      'contacts MANY_TO_MANY, companies MANY_TO_MANY, opportunities MANY_TO_MANY, owner USERS, created_by USERS',
  },
  // [spec: Note]
  notes: {
    display: 'title',
    fields:
      'title TEXT, content RICH_TEXT required, visibility SELECT required, ' +
      'contacts MANY_TO_MANY, companies MANY_TO_MANY, opportunities MANY_TO_MANY, owner USERS, created_by USERS',
  },
};

it.each(Object.entries(expected))('%s have the fields that the contract names', (name, { display, fields }) => {
  const object = model.objects.get(name);
  const shown = object?.fields.map((field) => `${field.name} ${field.type}${field.isRequired ? ' required' : ''}`);
  expect(shown).toEqual([...fields.split(', '), 'created_at DATETIME', 'updated_at DATETIME']);
  expect(object?.displayField).toBe(display);
  expect(object?.isSystem).toBe(true);
});

it('what the service keeps itself is read-only', () => {
  const readonly = [...model.objects.values()].flatMap((object) =>
    [...object.attributes.values()].filter((field) => field.isReadonly).map((field) => `${object.name}.${field.name}`),
  );
  expect(readonly.toSorted()).toEqual(
    [
      ...['contacts', 'companies', 'opportunities', 'tasks', 'notes'].flatMap((name) =>
        ['id', 'created_by', 'created_at', 'updated_at'].map((field) => `${name}.${field}`),
      ),
      'contacts.full_name',
      'opportunities.pipeline_step_entered_at',
      ...['due_all_day', 'assigned_by_id', 'completed_at', 'completed_by', 'owner'].map((field) => `tasks.${field}`),
      'notes.title',
      'notes.owner',
      ...['threads', 'interactions', 'events'].flatMap((name) =>
        ['id', 'owner_id', 'created_at', 'updated_at'].map((field) => `${name}.${field}`),
      ),
    ].toSorted(),
  );
});

it('every searchable field has a type that can be searched', () => {
  const searchable = [...model.objects.values()].flatMap(({ fields }) => fields.filter((field) => field.isSearchable));
  expect(searchable.length).toBeGreaterThan(8);
  expect(searchable.filter((field) => fieldType(field.type).searchText === undefined)).toEqual([]);
});

it('options have distinct values in snake case, and labels in words', () => {
  for (const { fields } of model.objects.values()) {
    for (const { options } of fields.filter((field) => field.options !== null)) {
      const values = options?.map(({ value }) => value) ?? [];
      expect(new Set(values).size).toBe(values.length);
      expect(values.filter((value) => !/^[a-z]+(_[a-z]+)*$/.test(value))).toEqual([]);
      expect(options?.filter(({ label }) => !/^[A-Z]/.test(label) || label.includes('_'))).toEqual([]);
    }
  }
});

it('relations lead to built-in objects', () => {
  const relations = [...model.objects.values()].flatMap(({ fields }) =>
    fields.flatMap(({ relationConfig }) => relationConfig ?? []),
  );
  expect(relations.map(({ targetObjectName }) => targetObjectName)).toEqual([
    ...['companies', 'companies', 'contacts'],
    ...['contacts', 'companies', 'opportunities', 'contacts', 'companies', 'opportunities'],
    'threads',
  ]);
});

it.each([
  ['EUR', true],
  ['XYZ', false],
  ['eur', false],
  ['', false],
])('currency %j: %s', (code, good) => {
  expect(isCurrency(code)).toBe(good);
});

it.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Asia/Kolkata', true],
  ['Pacific/Apia', true],
  ['+02:00', false],
  ['Europe/Nowhere', false],
  ['', false],
  ['Europe/Berlin; drop', false],
])('time zone %j: %s', (name, good) => {
  expect(isTimeZone(name)).toBe(good);
});
