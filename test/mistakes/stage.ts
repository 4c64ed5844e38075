/** What the mistakes are made on: a small workspace, an admin, and a sales rep who sees a part of it. */
import { create } from '../api/records.ts';
import { addRole } from '../api/workspace.ts';
import type { Client, TestKith } from '../support/kith.ts';

export interface Stage {
  readonly admin: Client;
  readonly rep: Client;
  /** `{globex}` and its like filled in. */
  filled(text: string): string;
  /** The other way round. */
  named(text: string): string;
}

/** Makes the workspace in an organization of its own. */
export async function makeStage(kith: TestKith): Promise<Stage> {
  const organization = await kith.organization();
  const { admin } = organization;
  await addRole(kith, organization, 'Rep', {
    '*': { view: 'own', create: true, update: 'own' },
    companies: { view: 'all', create: false, fields: { annual_revenue: 'read', employees: 'none' } },
    opportunities: { view: 'none', create: false },
  });
  const rep = await organization.user('Rep');
  const globex = await create(admin, 'companies', { name: 'Globex', industry: 'software', owner: rep.workspaceUserId });
  const ada = await create(admin, 'contacts', { first_name: 'Ada', last_name: 'King', company_id: globex.id });
  const bob = await create(rep, 'contacts', { first_name: 'Bob', last_name: 'Lee' });
  const deal = await create(admin, 'opportunities', { name: 'Fleet', amount: 100, company_id: globex.id });
  const fair = await admin.post('/lists', {
    name: 'Fair',
    object_types: ['companies'],
    fields: [{ name: 'stage', type: 'SELECT', options: [{ value: 'invited' }], defaultValue: 'invited' }],
    record_ids: [globex.id],
  });
  const names = new Map<string, string>([
    ['globex', globex.id],
    ['ada', ada.id],
    ['bob', bob.id],
    ['fleet', deal.id],
    ['fair', fair.json.id],
  ]);
  return {
    admin,
    rep,
    filled: (text) => replaced(text, names, (name, id) => [`{${name}}`, id]),
    named: (text) => replaced(text, names, (name, id) => [id, `{${name}}`]),
  };
}

function replaced(
  text: string,
  names: ReadonlyMap<string, string>,
  pair: (name: string, id: string) => [from: string, to: string],
): string {
  let result = text;
  for (const [name, id] of names) result = result.replaceAll(...pair(name, id));
  return result;
}
