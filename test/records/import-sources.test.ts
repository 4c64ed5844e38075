/** Files as programs export them: recognised, and each row made as the program means it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { placesOf, read, sharedFile } from './import-files.ts';

const valuesIn = (rows: readonly object[]) =>
  rows.flatMap((row): JsonObject[] => ('values' in row ? [row.values as JsonObject] : []));
const having = (rows: readonly JsonObject[], field: string) => rows.filter((row) => row[field] !== undefined).length;

describe('shared files', () => {
  const files: [path: string, object: string, source: string, rows: number, fields: Record<string, number>][] = [
    ['exports/google-contacts.csv', 'contacts', 'google_contacts', 120, { emails: 1, phones: 1, company_id: 1 }],
    [
      'exports/outlook-contacts-cp1252.csv',
      'contacts',
      'outlook',
      80,
      { emails: 1, phones: 1, company_id: 1, address: 1 },
    ],
    ['exports/hubspot-contacts.csv', 'contacts', 'hubspot_contacts', 120, { emails: 1, company_id: 1, owner: 1 }],
    ['exports/linkedin-connections.csv', 'contacts', 'linkedin', 100, { linkedin_url: 100, company_id: 1 }],
    ['salesforce-export/accounts.csv', 'companies', 'salesforce_account', 423, { name: 423, address: 1 }],
    [
      'salesforce-export/opportunities.csv',
      'opportunities',
      'salesforce_opportunity',
      38,
      { name: 38, amount: 1, pipeline: 38 },
    ],
    ['contacts/vcard/gmail-list.vcf', 'contacts', 'vcard', 3, { emails: 3, last_name: 3 }],
    ['contacts/vcard/fullcontact.vcf', 'contacts', 'vcard', 1, { emails: 1, phones: 1, company_id: 1 }],
  ];
  for (const [name, object, source, rows, fields] of files) {
    it(name, async (context) => {
      const path = sharedFile(name);
      context.skip(!path, 'the shared data is not beside the project');
      if (!path) return;
      const file = await read(object, { path });
      expect(file.analysis).toMatchObject({ source, rows });
      const made = valuesIn(file.made());
      expect(made.length).toBe(rows);
      for (const [field, least] of Object.entries(fields))
        expect(having(made, field), field).toBeGreaterThanOrEqual(least);
    });
  }
});

describe('Google Contacts', () => {
  it('of today: labels, several addresses in one field, a postal address', async () => {
    const header =
      'First Name,Middle Name,Last Name,Labels,Organization Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Street,Address 1 - City';
    const row =
      'Ada,Augusta,King,* myContacts ::: VIP,Babbage,* Work,a@x.test ::: b@x.test,Home,c@x.test,Mobile,+44 1,"Main St 1\nFloor 2",London';
    const { made } = await read('contacts', { text: `${header}\n${row}\n` });
    expect(made()).toEqual([
      {
        values: {
          first_name: 'Ada Augusta',
          last_name: 'King',
          tags: 'VIP',
          company_id: 'Babbage',
          emails: [
            { email: 'a@x.test', label: 'work' },
            { email: 'b@x.test', label: 'work' },
            { email: 'c@x.test', label: 'home' },
          ],
          phones: [{ phone: '+44 1', label: 'mobile' }],
          address: { street: 'Main St 1, Floor 2', city: 'London' },
        },
      },
    ]);
  });

  it('reads the older format of exports', async () => {
    const text =
      'Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Organization 1 - Name,Organization 1 - Title\nAda King,Ada,King,* myContacts,* Work,a@x.test,Babbage,Countess\n';
    const { analysis, made } = await read('contacts', { text });
    expect(analysis.source).toBe('google_contacts');
    expect(valuesIn(made())).toEqual([
      {
        first_name: 'Ada',
        last_name: 'King',
        emails: [{ email: 'a@x.test', label: 'work' }],
        company_id: 'Babbage',
        job_title: 'Countess',
      },
    ]);
  });
});

it('Outlook in German: no date is none, numbers have their labels', async () => {
  const text =
    'Anrede,Vorname,Nachname,Firma,Position,Telefon geschäftlich,Mobiltelefon,E-Mail-Adresse,Geburtstag\nFrau,Ada,King,Babbage,Gräfin,+49 1,+49 2,a@x.test,0.0.00\n';
  const { analysis, made } = await read('contacts', { text });
  expect(analysis.source).toBe('outlook');
  expect(valuesIn(made())).toEqual([
    {
      first_name: 'Ada',
      last_name: 'King',
      company_id: 'Babbage',
      job_title: 'Gräfin',
      phones: [
        { phone: '+49 1', label: 'work' },
        { phone: '+49 2', label: 'mobile' },
      ],
      emails: ['a@x.test'],
    },
  ]);
});

it('LinkedIn in French', async () => {
  const text =
    'Notes:\n"…"\n\nPrénom,Nom de famille,URL,Adresse e-mail,Entreprise,Poste,Connecté le\nAda,King,https://linkedin.com/in/ada,,Babbage,Comtesse,05 mars 2021\n';
  const { analysis } = await read('contacts', { text });
  expect([analysis.source, analysis.above]).toEqual(['linkedin', 2]);
  expect(placesOf(analysis)).toMatchObject({ Prénom: 'first_name', Poste: 'job_title', 'Connecté le': '' });
});

it('HubSpot: an owner by the address, deals with amount and currency, companies', async () => {
  const contacts = await read('contacts', {
    text: 'Record ID,First Name,Last Name,Email,Contact owner\n1,Ada,King,a@x.test,Max (max@x.test)\n2,Bo,Li,b@x.test,No owner\n',
  });
  expect(valuesIn(contacts.made()).map(({ owner }) => owner)).toEqual(['max@x.test', undefined]);
  const deals = await read('opportunities', {
    text: 'Record ID,Deal Name,Deal Stage,Amount,Currency,Close Date,Associated Company\n1,Big,Won,"1,200.50",EUR,2024-01-31,Acme\n',
  });
  expect(deals.analysis.source).toBe('hubspot_deals');
  expect(valuesIn(deals.made())).toEqual([
    { name: 'Big', pipeline: 'Won', amount: '1200.50 EUR', close_date: '2024-01-31', company_id: 'Acme' },
  ]);
  const companies = await read('companies', {
    text: 'Record ID,Company name,Company Domain Name,Industry\n1,Acme,acme.test,Software\n',
  });
  expect(companies.analysis.source).toBe('hubspot_companies');
});

it('Zoho CRM: contacts, accounts and deals, whose ids HubSpot would call Record ID', async () => {
  const contacts = await read('contacts', {
    text: 'Record Id,Contact Owner,First Name,Last Name,Account Name,Email,Phone,Mobile,Mailing City,Tag\nzcrm_410001,Ann Lee,Ada,King,Babbage,ada@x.test,+44 1,+44 7,London,"VIP,Press"\n',
  });
  expect(contacts.analysis.source).toBe('zoho_contacts');
  expect(valuesIn(contacts.made())).toEqual([
    {
      first_name: 'Ada',
      last_name: 'King',
      company_id: 'Babbage',
      emails: ['ada@x.test'],
      phones: [
        { phone: '+44 1', label: 'work' },
        { phone: '+44 7', label: 'mobile' },
      ],
      address: { city: 'London' },
      owner: 'Ann Lee',
      tags: 'VIP;Press',
    },
  ]);
  expect(contacts.analysis.proposals[0]?.couldBe).toMatchObject({ new_field_name: 'zoho_id', new_field_unique: true });
  const deals = await read('opportunities', {
    text: 'Record Id,Deal Owner,Amount,Deal Name,Closing Date,Account Name,Stage\nzcrm_7,Ann Lee,1200.5,Engine,2026-03-01,Babbage,Closed Won\n',
  });
  expect(deals.analysis.source).toBe('zoho_deals');
  expect(valuesIn(deals.made())).toMatchObject([
    { name: 'Engine', amount: '1200.5', close_date: '2026-03-01', company_id: 'Babbage', pipeline: 'Closed Won' },
  ]);
  const accounts = await read('companies', {
    text: 'Record Id,Account Name,Website,Billing City\nzcrm_1,Babbage,x.test,London\n',
  });
  expect(accounts.analysis.source).toBe('zoho_accounts');
  const few = await read('contacts', { text: 'Record Id,First Name,Email\nzcrm_410001,Ada,ada@x.test\n' });
  expect(few.analysis.source).toBe('zoho_contacts');
  const other = await read('contacts', { text: 'Record ID,First Name,Email\n410001,Ada,ada@x.test\n' });
  expect(other.analysis.source).toBe('hubspot_contacts');
});

it('Salesforce: deleted rows are left out', async () => {
  const text =
    'Id,IsDeleted,Name,BillingStreet,AnnualRevenue,CurrencyIsoCode\n001x0000002xLCVAA2,false,Acme,Main St 1,5000.0,USD\n001x0000002xLCWAA2,true,Gone,,,\n';
  const { analysis, made } = await read('companies', { text });
  expect(analysis.source).toBe('salesforce_account');
  expect(made()).toEqual([
    { values: { name: 'Acme', address: { street: 'Main St 1' }, annual_revenue: '5000.0 USD' } },
    { leftOut: 'it is deleted in Salesforce' },
  ]);
});

it('Pipedrive: deals, people and organizations', async () => {
  const deals = await read('opportunities', {
    text: 'Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Stage,Deal - Organization,Deal - Status\nBig,1200,EUR,Won,Acme,Won\nOld,1,EUR,Lead,Acme,Deleted\n',
  });
  expect(deals.analysis.source).toBe('pipedrive_deals');
  expect(deals.made()).toEqual([
    { values: { name: 'Big', amount: '1200 EUR', pipeline: 'Won', company_id: 'Acme' } },
    { leftOut: 'it is deleted in Pipedrive' },
  ]);
  const people = await read('contacts', {
    text: 'Person - Name,Person - Email - Work,Person - Phone - Mobile,Person - Organization,Person - Open deals\nLudwig van Beethoven,l@x.test,+43 1,Theater,3\n',
  });
  expect(valuesIn(people.made())).toEqual([
    {
      first_name: 'Ludwig',
      last_name: 'van Beethoven',
      emails: [{ email: 'l@x.test', label: 'work' }],
      phones: [{ phone: '+43 1', label: 'mobile' }],
      company_id: 'Theater',
    },
  ]);
  const organizations = await read('companies', {
    text: 'Organization - Name,Organization - Address,Organization - People\nAcme,Main St 1,3\n',
  });
  expect(organizations.analysis.source).toBe('pipedrive_organizations');
});

// Some minutes, where each value is compared with all before it, and each line put together again.
it('reads a card of very many values and of a very long note line by line', async () => {
  const phones = Array.from({ length: 60_000 }, (_, at) => `TEL:+43${at}`);
  const note = ['NOTE;ENCODING=QUOTED-PRINTABLE:a=', ...new Array<string>(60_000).fill(`${'b'.repeat(70)}=`), 'c'];
  const text = ['BEGIN:VCARD', 'FN:Ada King', ...phones, 'TEL:+430', ...note, 'END:VCARD', ''].join('\r\n');
  const { rows } = await read('contacts', { text, name: 'a.vcf' });
  const [row] = rows;
  const cells = row && 'cells' in row ? row.cells : [];
  expect(cells.find((cell) => Array.isArray(cell))).toHaveLength(60_000);
  expect(cells.find((cell) => typeof cell === 'string' && cell.startsWith('ab'))).toHaveLength(4_200_002);
});

it("Apple's vCards: folded lines, labels, quoted-printable", async () => {
  const text = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:King;Ada;Augusta;;',
    'FN:Ada King',
    'ORG:Babbage\\, Inc.;Engines',
    'EMAIL;type=INTERNET;type=HOME;type=pref:ada@x.test',
    'item1.TEL;type=CELL:+44 1',
    'ADR;type=WORK:;;Main St 1;London;;W1;UK',
    'BDAY:1815-12-10',
    'CATEGORIES:myContacts,VIP,My Contacts',
    'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=',
    '=A4fin',
    'END:VCARD',
    '',
  ].join('\r\n');
  const { made } = await read('contacts', { text });
  expect(valuesIn(made())).toEqual([
    {
      first_name: 'Ada Augusta',
      last_name: 'King',
      company_id: 'Babbage, Inc.',
      birthday: '1815-12-10',
      tags: 'VIP',
      emails: [{ email: 'ada@x.test', label: 'home' }],
      phones: [{ phone: '+44 1', label: 'mobile' }],
      address: { street: 'Main St 1', city: 'London', postal_code: 'W1', country: 'UK' },
    },
  ]);
});
