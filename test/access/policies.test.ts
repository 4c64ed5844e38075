import { describe, expect, it } from 'vitest';
import { policiesFor, type Policies } from '../../src/access/policies.ts';
import { newId } from '../../src/lib/id.ts';
import { buildModel } from '../../src/model/build.ts';
import { builtInModel } from '../../src/model/built-ins.ts';
import type { FieldDefinition, StoredModel } from '../../src/model/definition.ts';
import type { PermissionEntry } from '../../src/model/model.ts';

const settings = { name: 'Test', currency: 'USD', timezone: 'UTC' };
const me = newId();

const more: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  contacts: {
    greeting: { type: 'CALCULATED', calculation: { expression: 'upper(full_name)', outputType: 'TEXT' } },
    ['constructor']: { type: 'TEXT' },
  },
  companies: {
    deals: {
      type: 'RELATION',
      relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'opportunities', inverseField: 'company_id' },
    },
    total: {
      type: 'ROLLUP',
      rollup: { objectName: 'opportunities', relationField: 'company_id', function: 'SUM', field: 'amount' },
    },
    label: { type: 'CALCULATED', calculation: { expression: "concat(name, ' ', total)", outputType: 'TEXT' } },
  },
};

function policiesOf(permissions: Record<string, PermissionEntry>): Policies {
  const builtIn = builtInModel(settings);
  const stored: StoredModel = {
    ...builtIn,
    objects: builtIn.objects.map((object) => ({
      ...object,
      fields: [
        ...object.fields,
        ...Object.entries(more[object.name] ?? {}).map(([name, definition]) => ({
          id: newId(),
          name,
          // A key called `constructor` has the type of a function for the compiler, whatever stands there.
          definition: { label: name, ...(definition as Omit<FieldDefinition, 'label'>) },
        })),
      ],
    })),
    roles: [{ id: newId(), name: 'Odd', is_admin: false, permissions }],
  };
  const model = buildModel({ id: newId(), schema: 'org_test' }, stored);
  const [role] = model.roles.values();
  if (!role) throw new Error('the role was not built');
  return policiesFor({ role, workspaceUserId: me, scopes: [] }, model);
}

/** The names among `asked` that the role sees, and those that it may write. */
function seen(policies: Policies, object: string, asked: readonly string[]) {
  return {
    shown: asked.filter((name) => policies.shows(object, name)),
    written: asked.filter((name) => policies.writes(object, name)),
  };
}

it('are measured once for all users of a role', () => {
  const model = buildModel({ id: newId(), schema: 'org_test' }, builtInModel(settings));
  const [built] = [...model.roles.values()].filter(({ isAdmin }) => !isAdmin);
  if (!built) throw new Error('The built-in model has roles');
  let asked = 0;
  class Counting extends Map<string, PermissionEntry> {
    override get(key: string): PermissionEntry | undefined {
      asked++;
      return super.get(key);
    }
  }
  const role = { ...built, permissions: new Counting(built.permissions) };
  policiesFor({ role, workspaceUserId: newId(), scopes: [] }, model);
  expect(asked).toBeGreaterThan(0);
  const once = asked;
  policiesFor({ role, workspaceUserId: newId(), scopes: [] }, model);
  expect(asked).toBe(once);
});

describe('a hidden field', () => {
  it.each<[string, Record<string, PermissionEntry>, string, string[], string[]]>([
    ['itself', { contacts: { fields: { phones: 'none' } } }, 'contacts', ['phones', 'emails'], ['emails']],
    ['a field of every object', { '*': { fields: { phones: 'none' } } }, 'companies', ['phones', 'name'], ['name']],
    [
      'what is computed of it, and what is computed of that',
      { contacts: { fields: { last_name: 'none' } } },
      'contacts',
      ['first_name', 'last_name', 'full_name', 'greeting'],
      ['first_name'],
    ],
    [
      'the columns of a PIPELINE',
      { opportunities: { fields: { pipeline: 'none' } } },
      'opportunities',
      ['pipeline', 'pipeline_id', 'pipeline_step_id', 'pipeline_step_entered_at', 'name'],
      ['name'],
    ],
    [
      'a sum over it in another object, and what is computed of the sum',
      { opportunities: { fields: { amount: 'none' } } },
      'companies',
      ['total', 'label', 'deals', 'name'],
      ['deals', 'name'],
    ],
    [
      'everything that looks back along a relation',
      { opportunities: { fields: { company_id: 'none' } } },
      'companies',
      ['total', 'label', 'deals', 'name'],
      ['name'],
    ],
    ['not the id', { '*': { fields: { id: 'none' } } }, 'contacts', ['id'], ['id']],
    ['not a name that every object of the language has', {}, 'contacts', ['constructor'], ['constructor']],
  ])('hides %s', (_, permissions, object, asked, shown) => {
    expect(seen(policiesOf(permissions), object, asked)).toEqual({ shown, written: shown });
  });

  it('goes back to what * says, or to nothing, field by field', () => {
    const policies = policiesOf({
      '*': { fields: { name: 'read', phones: 'none', owner: 'read' } },
      companies: { fields: { phones: 'read' } },
    });
    expect(seen(policies, 'companies', ['name', 'phones', 'owner', 'domain'])).toEqual({
      shown: ['name', 'phones', 'owner', 'domain'],
      written: ['domain'],
    });
  });
});

describe('a field to read', () => {
  it('makes the columns of a PIPELINE readable only, and what is computed of it stays as it is', () => {
    const policies = policiesOf({
      opportunities: { fields: { pipeline: 'read' } },
      contacts: { fields: { last_name: 'read' } },
    });
    const parts = ['pipeline_id', 'pipeline_step_id', 'pipeline_step_entered_at'];
    expect(seen(policies, 'opportunities', parts)).toEqual({ shown: parts, written: [] });
    expect(seen(policies, 'contacts', ['last_name', 'full_name']).shown).toEqual(['last_name', 'full_name']);
  });
});

describe('rules of rows', () => {
  it('are inherited key by key; what neither entry names is none', () => {
    const policies = policiesOf({
      '*': { view: 'all', create: true, update: 'own' },
      companies: { update: 'none', create: false },
    });
    expect([policies.rows('companies'), policies.updates('companies'), policies.deletes('companies')]).toEqual([
      'all',
      'none',
      'none',
    ]);
    expect([policies.mayCreate('companies'), policies.mayCreate('contacts')]).toEqual([false, true]);
  });

  it('mean the caller by $me, alone and in a list', () => {
    const where = (value: string | string[]) => ({ field: 'owner', operator: 'in', value });
    const policies = policiesOf({
      contacts: {
        view: { type: 'OR', conditions: [where('$me'), { type: 'AND', conditions: [where(['$me', 'x'])] }] },
      },
    });
    expect(policies.rows('contacts')).toEqual({
      type: 'OR',
      conditions: [where(me), { type: 'AND', conditions: [where([me, 'x'])] }],
    });
  });
});
