/** The demo over HTTP: what its roles see of it, and what its computed fields say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../src/provision/tokens.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { demoCounts } from './demo-counts.ts';

let kith: TestKith;
let admin: Client;
let executive: Client;
let partner: Client;
/** The loop's longest pause and the answers while the demo came in. */
const meanwhile: number[] = [];

beforeAll(async () => {
  kith = await startKith({ KITH_DEMO: 'on' });
  const [organization] = await kith.deps.directory.organizations();
  const clientOf = async (email: string) => {
    const { token } = await createToken(kith.deps, organization?.id ?? '', { email, name: 'Test' });
    return kith.client(token);
  };
  admin = await clientOf('ada@acme.example');
  executive = await clientOf('diego@acme.example');
  partner = await clientOf('hana@partner.example');
  while ((await demoCounts(kith.database.database)).unfilled > 0) {
    meanwhile.push((await admin.get('/records/contacts', { limit: 20 })).status);
    meanwhile.push((await admin.send('/health/ready')).status);
  }
}, 240_000);
afterAll(() => kith.stop());

async function total(client: Client, object: string, filters?: object): Promise<number> {
  const { json } = await client.get(`/records/${object}`, { limit: 1, filters });
  return json.total;
}

/** Every record that the client sees. */
async function every(client: Client, object: string, filters?: object): Promise<Reply['json'][]> {
  const found: Reply['json'][] = [];
  for (let cursor: string | undefined; ;) {
    const { json } = await client.get(`/records/${object}`, { limit: 100, filters, cursor });
    found.push(...json.data);
    cursor = json.nextCursor;
    if (cursor === undefined) return found;
  }
}

const where = (field: string, operator: string, value?: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

it('answers while it comes in', () => {
  expect(meanwhile.length).toBeGreaterThan(0);
  expect(new Set(meanwhile)).toEqual(new Set([200]));
});

describe('the roles of the demo', () => {
  it('shows an executive all companies, and their own deals and subscriptions only', async () => {
    const { json: me } = await executive.get('/me');
    expect(me).toMatchObject({ profile: { name: 'Diego Marín' }, isAdmin: false });
    expect(await total(executive, 'companies')).toBe(800);
    const mine = where('owner', 'equals', me.workspaceUserId);
    const own = await total(admin, 'opportunities', mine);
    expect(own).toBeGreaterThan(30);
    expect(own).toBeLessThan(300);
    expect(await total(executive, 'opportunities')).toBe(own);
    const ofMine = await total(admin, 'subscriptions', where('company_id.owner', 'equals', me.workspaceUserId));
    expect(ofMine).toBeGreaterThan(10);
    expect(await total(executive, 'subscriptions')).toBe(ofMine);
  });

  it('shows a partner the meetings of two years, whatever its contacts are chosen by', async () => {
    const year = new Date().getUTCFullYear();
    const span = { start_date: `${year - 1}-01-01`, end_date: `${year}-12-31`, limit: 1 };
    const [own, all] = [await partner.get('/meetings', span), await admin.get('/meetings', span)];
    expect(own.status, own.text).toBe(200);
    expect(own.json.total).toBeGreaterThan(0);
    expect(own.json.total).toBeLessThan(all.json.total);
  });

  it('shows a partner one industry, without what it is worth', async () => {
    const software = await total(admin, 'companies', where('industry', 'equals', 'software'));
    expect(software).toBeGreaterThan(50);
    expect(await total(partner, 'companies')).toBe(software);
    expect(await total(partner, 'opportunities')).toBe(
      await total(admin, 'opportunities', where('company_id.industry', 'equals', 'software')),
    );
    const contacts = await total(partner, 'contacts');
    expect(contacts).toBeLessThan(await total(admin, 'contacts', where('company_id.industry', 'equals', 'software')));
    expect(contacts).toBeGreaterThan(100);
    const { json: deals } = await partner.get('/records/opportunities', { limit: 1 });
    const { json: companies } = await partner.get('/records/companies', { limit: 1 });
    for (const field of ['amount', 'probability', 'weighted_amount', 'open_amount']) {
      expect(deals.data[0]).not.toHaveProperty(field);
    }
    for (const field of ['annual_revenue', 'open_opportunity_value', 'subscription_value']) {
      expect(companies.data[0]).not.toHaveProperty(field);
    }
    expect((await partner.get('/records/subscriptions')).json.code).toBe('PERMISSION_DENIED');
  });
});

describe('the computed fields of the demo', () => {
  it('agree with the records that they are computed from', async () => {
    const open = (await every(admin, 'opportunities')).map((deal) => {
      const { amount, probability } = deal as { amount: { amount: number } | null; probability: number };
      const isOpen = probability > 0 && probability < 100;
      expect(deal['open_amount']).toBe(isOpen ? (amount?.amount ?? null) : 0);
      expect(deal['weighted_amount']).toBe(amount ? (amount.amount * probability) / 100 : null);
      return { company: deal['company_id'], value: deal['open_amount'] as number | null };
    });
    const subscribed = (await every(admin, 'subscriptions')).map((subscription) => {
      const { monthly_fee, discount } = subscription as { monthly_fee: { amount: number }; discount: number };
      expect(subscription['annual_value']).toBeCloseTo((monthly_fee.amount * 12 * (100 - discount)) / 100, 6);
      return { company: subscription['company_id'], value: subscription['annual_value'] as number };
    });
    const sumOf = (rows: { company: string; value: number | null }[], company: string) => {
      const values = rows.flatMap((row) => (row.company === company ? (row.value ?? []) : []));
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
    };
    const staffed = await every(admin, 'companies', where('contact_count', 'greater_than', 30));
    expect(staffed.length).toBeGreaterThan(3);
    for (const company of staffed) {
      expect(company['contact_count']).toBe(
        await total(admin, 'contacts', where('company_id', 'equals', company['id'])),
      );
      expect(company['open_opportunity_value']).toBe(sumOf(open, company['id']));
      expect(company['subscription_value']).toBe(sumOf(subscribed, company['id']));
    }
    expect(new Set(staffed.map((company) => company['open_opportunity_value'])).size).toBeGreaterThan(3);
  });
});
