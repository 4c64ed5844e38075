import { expect, it } from 'vitest';
import { startKith } from '../support/kith.ts';
import { create } from './records.ts';
it('probe', async () => {
  const kith = await startKith();
  const { admin } = await kith.organization();
  const acme = await create(admin, 'companies', {
    name: 'Acme, Inc',
    annual_revenue: { amount: 12.5, currency: 'EUR' },
  });
  const ada = await create(admin, 'contacts', {
    first_name: 'Ada',
    company_id: acme.id,
    emails: ['a@x.test', 'b@x.test'],
    tags: ['vip', 'press'],
    address: { city: 'Ulm' },
  });
  const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [{ id: ada.id, role: 'x' }], amount: 5 });
  console.log(JSON.stringify(deal));
  for (const o of ['contacts', 'opportunities', 'companies']) {
    console.log((await admin.get('/export/' + o)).text);
    const csv = await admin.get('/export/' + o, { format: 'csv' });
    console.log(csv.text, JSON.stringify([...csv.headers]));
  }
  await admin.delete(`/records/contacts/${ada.id}`);
  await admin.delete(`/records/companies/${acme.id}`);
  console.log((await admin.get(`/records/opportunities/${deal.id}`)).text);
  const l = await admin.post('/records/companies', {
    name: 'L',
    create_list_name: 'My list',
    add_to_list_ids: ['x', acme.id],
  });
  console.log(l.text);
  console.log((await admin.get(`/records/companies/${l.json.id}`)).text);
  console.log((await admin.get('/schema/opportunities')).text);
  console.log(
    (
      await admin.post('/import/contacts', {
        records: [
          { first_name: 'x', full_name: 'y', company_id: 'nobody' },
          5,
          { first_name: 'ok', company_id: '', emails: 'a@x.test; b@x.test' },
        ],
      })
    ).text,
  );
  const h = await kith.database.database.run('x', {
    text: `select * from "${(await admin.get('/me')).json.schemaName}"._history order by id`,
    values: [],
  });
  console.log(JSON.stringify(h.rows.slice(0, 5)));
  expect(1).toBe(1);
  await kith.stop();
});
