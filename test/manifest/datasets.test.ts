/** The manifests of examples/, and real data in the workspaces that they make. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, expectError, list } from '../api/records.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import {
  all,
  cell,
  countsOf,
  exampleNamed,
  expectExported,
  importAll,
  missing,
  rowsOf,
  sum,
  totalOf,
  where,
  type Row,
} from './dataset-files.ts';
import { applied, type Loose } from './manifests.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

describe.each(['demo.json', 'projects.json', 'salesforce.yaml', 'crm-sales.yaml'])('examples/%s', (name) => {
  it('is applied once, and what is pulled makes the same workspace elsewhere', async () => {
    const [first, second] = [(await kith.organization()).admin, (await kith.organization()).admin];
    expect(await applied(first, exampleNamed(name), '?dry_run=true')).toEqual(await applied(first, exampleNamed(name)));
    expect(await applied(first, exampleNamed(name))).toEqual([]);
    const pulled = (await first.get('/manifest')).json;
    expect(await applied(first, pulled)).toEqual([]);
    expect((await applied(second, pulled)).length).toBeGreaterThan(5);
    expect((await second.get('/manifest')).json).toEqual(pulled);
  });
});

describe.skipIf(missing)('salesforce-export (needs shared/data beside the project)', () => {
  let organization: TestOrganization;
  let admin: Client;
  let accounts: readonly Row[];
  let opportunities: readonly Row[];

  beforeAll(async () => {
    organization = await kith.organization();
    ({ admin } = organization);
    await applied(admin, exampleNamed('salesforce.yaml'));
    accounts = rowsOf('salesforce-export/accounts.csv', 'iso-8859-1');
    opportunities = rowsOf('salesforce-export/opportunities.csv', 'iso-8859-1');
    await importAll(admin, 'companies', accounts.map(company));
    const names = new Map(accounts.map((row) => [row['ID'], row['NAME']]));
    await importAll(
      admin,
      'opportunities',
      opportunities.map((row) => ({ ...opportunity(row), company_id: names.get(row['ACCOUNTID']) })),
    );
  });

  const place = (row: Row, prefix: string) => ({
    street: row[`${prefix}STREET`],
    city: row[`${prefix}CITY`],
    state: row[`${prefix}STATE`],
    postal_code: row[`${prefix}POSTALCODE`],
    country: row[`${prefix}COUNTRY`],
  });

  const company = (row: Row) => ({
    salesforce_id: row['ID'],
    oracle_id: row['ORACLE_ID__C'],
    name: row['NAME'],
    account_type: row['TYPE'],
    address: place(row, 'BILLING'),
    ...(row['SHIPPINGSTREET'] && { shipping_address: place(row, 'SHIPPING') }),
    phones: [
      ...(row['PHONE'] ? [{ phone: row['PHONE'], label: 'phone' }] : []),
      ...(row['FAX'] && row['FAX'] !== row['PHONE'] ? [{ phone: row['FAX'], label: 'fax' }] : []),
    ],
    domain: row['WEBSITE'],
    industry: row['INDUSTRY'],
    annual_revenue: row['ANNUALREVENUE'],
    employees: row['NUMBEROFEMPLOYEES'],
    ownership: row['OWNERSHIP'],
    ticker_symbol: row['TICKERSYMBOL'],
    description: row['DESCRIPTION'],
    temperature: row['RATING'],
    salesforce_created_at: row['CREATEDDATE'],
  });

  const opportunity = (row: Row) => ({
    salesforce_id: row['ID'],
    oracle_id: row['ORACLE_ID__C'],
    name: row['NAME'],
    description: row['DESCRIPTION'],
    pipeline_step_id: row['STAGENAME'],
    amount: row['AMOUNT'],
    probability: row['PROBABILITY'],
    close_date: row['CLOSEDATE'],
    next_step: row['NEXTSTEP'],
    source: row['LEADSOURCE'],
    forecast_category: row['FORECASTCATEGORY'],
    is_closed: row['ISCLOSED'],
    is_won: row['ISWON'],
    fiscal_year: row['FISCALYEAR'],
    fiscal_quarter: row['FISCALQUARTER'],
    salesforce_created_at: row['CREATEDDATE'],
  });

  it('has the counts and the sums of the files', async () => {
    expect([await totalOf(admin, 'companies'), await totalOf(admin, 'opportunities')]).toEqual([423, 38]);
    const companies = await all(admin, 'companies');
    const amounts = companies.map((record) => record.annual_revenue?.amount);
    expect(sum(amounts)).toBe(sum(accounts.map((row) => row['ANNUALREVENUE'])));
    expect(sum(companies.map((record) => record.employees))).toBe(sum(accounts.map((row) => row['NUMBEROFEMPLOYEES'])));
    const deals = await all(admin, 'opportunities');
    expect(sum(deals.map((record) => record.amount?.amount))).toBe(sum(opportunities.map((row) => row['AMOUNT'])));
    expect(deals.every((record) => record.amount === null || record.amount.currency === 'USD')).toBe(true);
  });

  it('calculates the revenue that Salesforce expected', async () => {
    const rows = new Map(opportunities.map((row) => [row['ID'], row]));
    for (const record of await all(admin, 'opportunities')) {
      const expected = rows.get(record.salesforce_id)?.['EXPECTEDREVENUE'];
      expect(record.expected_revenue, record.name).toBe(expected === '' ? null : Number(expected));
    }
  });

  it('has every opportunity at its account, both ways, and at its stage', async () => {
    const deals = await all(admin, 'opportunities');
    const ofAccounts = new Map(accounts.map((row) => [row['ID'], row]));
    const rows = new Map(opportunities.map((row) => [row['ID'], row]));
    for (const record of deals) {
      const row = rows.get(record.salesforce_id) ?? {};
      expect(record.company_id_display).toBe(ofAccounts.get(cell(row, 'ACCOUNTID'))?.['NAME']);
      expect(record.pipeline_step_id_display).toBe(row['STAGENAME']);
    }
    const [busiest] = await list(admin, 'companies', where('salesforce_id', 'equals', '001x0000002xLD0AAM'));
    const { json } = await admin.get(`/records/companies/${busiest.id}`);
    expect(json.record.opportunities).toHaveLength(29);
    expect(json.record.opportunities[0]).toEqual({ id: expect.any(String), display: expect.any(String) });
    expect(busiest).not.toHaveProperty('opportunities');
  });

  it('is filtered, sorted and searched as the file says', async () => {
    const count = (rows: readonly Row[], test: (row: Row) => boolean) => rows.filter(test).length;
    expect(await totalOf(admin, 'companies', where('oracle_id', 'is_null'))).toBe(423 - 412);
    expect(await totalOf(admin, 'companies', where('industry', 'equals', 'food'))).toBe(1);
    expect(await totalOf(admin, 'opportunities', where('is_won', 'is_true'))).toBe(8);
    expect(await totalOf(admin, 'opportunities', where('source', 'in', 'partner,trade_show'))).toBe(13);
    expect(await totalOf(admin, 'opportunities', where('expected_revenue', 'greater_equal', '90000'))).toBe(
      count(opportunities, (row) => Number(row['EXPECTEDREVENUE']) >= 90_000),
    );
    expect(await totalOf(admin, 'companies', where('salesforce_created_at', 'date_equals', '2005-11-22'))).toBe(9);
    const sorted = await all(admin, 'opportunities', { sort_by: 'amount', sort_dir: 'desc' });
    const amounts = opportunities.map((row) => cell(row, 'AMOUNT')).filter((amount) => amount !== '');
    expect(sorted.flatMap((record) => (record.amount ? [record.amount.amount] : []))).toEqual(
      amounts.map(Number).toSorted((a, b) => b - a),
    );
    expect(await totalOf(admin, 'opportunities', { search: 'widget conference' })).toBe(
      count(opportunities, (row) => cell(row, 'NEXTSTEP') === 'Meet at Widget Conference'),
    );
    expect(await totalOf(admin, 'companies', { search: 'san francisco' })).toBe(
      count(accounts, (row) => /san francisco/i.test(cell(row, 'BILLINGCITY') + cell(row, 'DESCRIPTION'))),
    );
    await expectExported(admin, { companies: 423, opportunities: 38 });
  });

  it('takes no account twice, and shows a partner manager what came through partners', async () => {
    const again = await admin.post('/import/companies', { records: accounts.map(company) });
    expect(again.json).toMatchObject({ created: 0, duplicates: 423, failed: 0 });
    const manager = await organization.user('Partner manager');
    const seen = await list(manager, 'opportunities');
    expect(seen.map((record) => record.source)).toEqual(Array.from({ length: 8 }, () => 'partner'));
    expect(await totalOf(manager, 'companies')).toBe(423);
    expectError(await manager.get('/records/companies', where('annual_revenue', 'is_not_null')), 'INVALID_FIELD');
    const given = { name: 'Referred', source: 'partner', probability: 10 };
    expectError(await manager.post('/records/opportunities', given), 'PERMISSION_DENIED');
    const [known] = await list(admin, 'companies', { search: 'gravity investments' });
    const { probability: _, ...allowed } = given;
    const made = await create(manager, 'opportunities', {
      ...allowed,
      referred_by: { object: 'companies', id: known.id },
    });
    expect(made).toMatchObject({ referred_by_display: 'Gravity Investments', pipeline_step_id_display: 'Prospecting' });
    expect((await admin.delete(`/records/opportunities/${made.id}`)).json).toEqual({ deleted: true });
  });
});

describe.skipIf(missing)('crm-sales (needs shared/data beside the project)', () => {
  let organization: TestOrganization;
  let admin: Client;
  let accounts: readonly Row[];
  let agents: readonly Row[];
  let deals: readonly Row[];
  let managers: ReadonlyMap<string, string>;
  let offices: ReadonlyMap<string, string>;

  beforeAll(async () => {
    organization = await kith.organization();
    ({ admin } = organization);
    await applied(admin, exampleNamed('crm-sales.yaml'));
    accounts = rowsOf('crm-sales/accounts.csv');
    agents = rowsOf('crm-sales/sales_teams.csv');
    deals = rowsOf('crm-sales/sales_pipeline.csv');
    managers = new Map(agents.map((row) => [cell(row, 'sales_agent'), cell(row, 'manager')]));
    offices = new Map(agents.map((row) => [cell(row, 'manager'), cell(row, 'regional_office')]));
    // A parent is there before what it owns.
    const [owned, free] = [true, false].map((has) =>
      accounts.filter((row) => has === (cell(row, 'subsidiary_of') !== '')),
    );
    await importAll(admin, 'accounts', (free ?? []).map(account));
    await importAll(admin, 'accounts', (owned ?? []).map(account));
    await importAll(admin, 'products', rowsOf('crm-sales/products.csv').map(product));
    await importAll(
      admin,
      'teams',
      [...offices].map(([manager, office]) => ({ manager, regional_office: office })),
    );
    await importAll(
      admin,
      'agents',
      agents.map((row) => ({ name: row['sales_agent'], team_id: row['manager'] })),
    );
    await importAll(admin, 'deals', deals.map(deal));
  });

  /** The file counts in millions. */
  const dollars = (row: Row) => Math.round(Number(row['revenue']) * 1_000_000);

  const account = (row: Row) => ({
    name: row['account'],
    sector: row['sector'] === 'technolgy' ? 'technology' : row['sector'],
    year_established: row['year_established'],
    revenue: dollars(row),
    employees: row['employees'],
    office_location: row['office_location'] === 'Philipines' ? 'Philippines' : row['office_location'],
    parent_id: row['subsidiary_of'],
  });

  const product = (row: Row) => ({ name: row['product'], series: row['series'], sales_price: row['sales_price'] });
  const productOf = (row: Row) => (row['product'] === 'GTXPro' ? 'GTX Pro' : cell(row, 'product'));

  const deal = (row: Row) => ({
    deal_id: row['opportunity_id'],
    account_id: row['account'],
    product_id: productOf(row),
    team_id: managers.get(cell(row, 'sales_agent')),
    agent_id: row['sales_agent'],
    engage_date: row['engage_date'],
    close_date: row['close_date'],
    close_value: row['close_value'],
    pipeline_step_id: row['deal_stage'],
  });

  const isEastern = (row: Row) => offices.get(managers.get(cell(row, 'sales_agent')) ?? '') === 'East';

  it('has the counts and the sums of the files', async () => {
    const objects = ['accounts', 'products', 'teams', 'agents', 'deals'];
    expect(await Promise.all(objects.map((object) => totalOf(admin, object)))).toEqual([85, 7, 6, 35, 8800]);
    const firms = await all(admin, 'accounts');
    expect(sum(firms.map((record) => record.revenue.amount))).toBe(sum(accounts.map(dollars)));
    for (const record of firms) {
      expect(record.revenue_per_employee).toBeCloseTo(record.revenue.amount / record.employees, 6);
    }
    const prices = (await all(admin, 'products')).map((record) => record.sales_price.amount);
    expect(sum(prices)).toBe(550 + 4821 + 55 + 3393 + 5482 + 1096 + 26768);
    expect(await totalOf(admin, 'deals', where('account_id', 'is_null'))).toBe(1425);
    expect(await totalOf(admin, 'deals', where('engage_date', 'is_null'))).toBe(500);
  });

  it('has every deal’s values, product, team, agent, account and stage', async () => {
    const rows = new Map(deals.map((row) => [row['opportunity_id'], row]));
    const records = await all(admin, 'deals');
    expect(sum(records.map((record) => record.close_value?.amount))).toBe(sum(deals.map((row) => row['close_value'])));
    const shown = (record: Loose) => [
      record.account_id_display ?? '',
      record.product_id_display,
      record.team_id_display,
      record.agent_id_display,
      record.pipeline_step_id_display,
      record.close_date ?? '',
    ];
    const wanted = (row: Row) => [
      row['account'],
      productOf(row),
      managers.get(cell(row, 'sales_agent')),
      row['sales_agent'],
      row['deal_stage'],
      row['close_date'],
    ];
    const wrong = records.filter(
      (record) => JSON.stringify(shown(record)) !== JSON.stringify(wanted(rows.get(record.deal_id) ?? {})),
    );
    expect(wrong.map((record) => record.deal_id)).toEqual([]);
    const stages = countsOf(records.map((record) => record.pipeline_step_id_display));
    expect(stages).toEqual({ Prospecting: 500, Engaging: 1589, Won: 4238, Lost: 2473 });
  });

  it('has the accounts that an account owns', async () => {
    const [acme] = await list(admin, 'accounts', where('name', 'equals', 'Acme Corporation'));
    const { record } = (await admin.get(`/records/accounts/${acme.id}`)).json;
    const owned = accounts
      .filter((row) => row['subsidiary_of'] === 'Acme Corporation')
      .map((row) => cell(row, 'account'));
    expect(new Set(record.subsidiaries.map((link: Loose) => link.display))).toEqual(new Set(owned));
    expect(await totalOf(admin, 'accounts', where('parent_id', 'is_not_null'))).toBe(15);
  });

  it('is filtered, sorted, searched and exported as the files say', async () => {
    const count = (test: (row: Row) => boolean) => deals.filter(test).length;
    expect(await totalOf(admin, 'deals', where('product_id.name', 'equals', 'GTX Pro'))).toBe(1480);
    expect(await totalOf(admin, 'deals', where('team_id.regional_office', 'equals', 'east'))).toBe(count(isEastern));
    expect(await totalOf(admin, 'deals', where('close_value', 'greater_than', '25000'))).toBe(
      count((row) => Number(row['close_value']) > 25_000),
    );
    expect(await totalOf(admin, 'accounts', where('sector', 'equals', 'technology'))).toBe(12);
    expect(await totalOf(admin, 'deals', { search: '1c1i7a6r' })).toBe(1);
    const sorted = await all(admin, 'deals', { sort_by: 'close_value', sort_dir: 'desc', fields: 'close_value' });
    const values = deals.map((row) => cell(row, 'close_value')).filter((value) => value !== '');
    expect(sorted.slice(0, values.length).map((record) => record.close_value.amount)).toEqual(
      values.map(Number).toSorted((a, b) => b - a),
    );
    await expectExported(admin, { accounts: 85, products: 7, teams: 6, agents: 35, deals: 8800 });
  });

  it('takes no agent of another team', async () => {
    const row = { ...deal(deals[0] ?? {}), deal_id: 'NEW1', team_id: 'Celia Rouche' };
    expect(managers.get(row.agent_id ?? '')).not.toBe(row.team_id);
    const { json } = await admin.post('/import/deals', { records: [row] });
    expect(json).toMatchObject({ created: 0, failed: 1 });
    expect(json.errors[0].error).toContain('agent_id');
  });

  it('shows the eastern desk the eastern deals without their values', async () => {
    const desk = await organization.user('East desk');
    const seen = await all(desk, 'deals');
    expect(seen).toHaveLength(deals.filter(isEastern).length);
    expect(seen.every((record) => !('close_value' in record))).toBe(true);
    expectError(await desk.get('/records/deals', where('close_value', 'is_null')), 'INVALID_FIELD');
    expectError(await desk.put(`/records/deals/${seen[0].id}`, { close_date: null }), 'PERMISSION_DENIED');
  });
});
