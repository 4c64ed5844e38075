/**
 * How often a proposal is right, by how sure it says that it is. The columns are those of exports of programs that nothing in
 * `records/import` was written for, as those programs name them, each with where somebody who knows them would put it.
 */
import { expect, it } from 'vitest';
import { placesOf, read } from './import-files.ts';

/** Column, a value, another value, and the right place; '' for a column that belongs nowhere. */
type Column = readonly [column: string, one: string, other: string, place: string];

const files: readonly { readonly program: string; readonly object: string; readonly columns: readonly Column[] }[] = [
  {
    program: 'Zoho CRM contacts',
    object: 'contacts',
    columns: [
      ['Record Id', 'zcrm_3652397000000190017', 'zcrm_3652397000000190018', ''],
      ['Contact Owner', 'Max Muster', 'Ada King', 'owner'],
      ['Salutation', 'Mr.', 'Ms.', ''],
      ['First Name', 'Grace', 'Alan', 'first_name'],
      ['Last Name', 'Hopper', 'Turing', 'last_name'],
      ['Account Name', 'Acme', 'Globex', 'company_id'],
      ['Email', 'g@x.test', 'a@x.test', 'emails'],
      ['Secondary Email', 'g2@x.test', '', 'emails'],
      ['Department', 'Sales', 'IT', ''],
      ['Phone', '+1 555 0100', '+1 555 0101', 'phones'],
      ['Mobile', '+1 555 0102', '', 'phones:mobile'],
      ['Mailing Street', 'Main St 1', 'Side St 2', 'address.street'],
      ['Mailing City', 'Springfield', 'Shelbyville', 'address.city'],
      ['Mailing Zip', '62701', '62702', 'address.postal_code'],
      ['Mailing Country', 'US', 'US', 'address.country'],
      ['Email Opt Out', 'false', 'true', ''],
      ['Skype ID', 'grace.h', 'alan.t', ''],
      ['Created Time', '2023-01-02 10:00:00', '2023-01-03 11:00:00', ''],
      ['Tag', 'vip', 'press', 'tags'],
    ],
  },
  {
    program: 'Mailchimp audience',
    object: 'contacts',
    columns: [
      ['Email Address', 'g@x.test', 'a@x.test', 'emails'],
      ['First Name', 'Grace', 'Alan', 'first_name'],
      ['Last Name', 'Hopper', 'Turing', 'last_name'],
      ['Address', 'Main St 1 Springfield', 'Side St 2', 'address'],
      ['Phone Number', '555 0100 100', '555 0101 100', 'phones'],
      ['Birthday', '1990-12-24', '1980-01-02', 'birthday'],
      ['MEMBER_RATING', '2', '4', ''],
      ['OPTIN_TIME', '2021-03-04 05:06:07', '2021-03-05 05:06:07', ''],
      ['CONFIRM_IP', '192.0.2.1', '192.0.2.2', ''],
      ['LATITUDE', '52.5', '48.1', ''],
      ['TIMEZONE', 'Europe/Berlin', 'Europe/Paris', ''],
      ['LEID', '123456789', '123456790', ''],
      ['TAGS', 'newsletter', 'press', 'tags'],
    ],
  },
  {
    program: 'Eventbrite attendees',
    object: 'contacts',
    columns: [
      ['Order #', '1234567', '1234568', ''],
      ['Order Date', '2023-05-01', '2023-05-02', ''],
      ['First Name', 'Grace', 'Alan', 'first_name'],
      ['Surname', 'Hopper', 'Turing', 'last_name'],
      ['Email', 'g@x.test', 'a@x.test', 'emails'],
      ['Ticket Type', 'Early bird', 'Regular', ''],
      ['Total Paid', '12.50', '25.00', ''],
      ['Job Title', 'Admiral', 'Reader', 'job_title'],
      ['Company', 'Navy', 'NPL', 'company_id'],
      ['Cell Phone', '+1 555 0100', '+1 555 0101', 'phones:mobile'],
      ['Home City', 'Arlington', 'London', 'address.city'],
      ['Attendee Status', 'Attending', 'Checked in', ''],
    ],
  },
  {
    program: 'Dynamics 365 accounts',
    object: 'companies',
    columns: [
      ['(Do Not Modify) Account', 'a1b2', 'c3d4', ''],
      ['Account Name', 'Acme', 'Globex', 'name'],
      ['Main Phone', '+1 555 0100', '+1 555 0101', 'phones'],
      ['Address 1: City', 'Springfield', 'Shelbyville', 'address.city'],
      ['Primary Contact', 'Grace Hopper', 'Alan Turing', ''],
      ['Email (Primary Contact)', 'g@x.test', 'a@x.test', ''],
      ['Website', 'https://acme.test', 'https://globex.test', 'domain'],
      ['Number of Employees', '120', '85', 'employees'],
      ['Annual Revenue', '1200000', '850000', 'annual_revenue'],
      ['Industry', 'Consulting', 'Retail', 'industry'],
      ['Description', 'Makes things', 'Sells things', 'description'],
      ['Status', 'Active', 'Inactive', ''],
      ['Owner', 'Max Muster', 'Ada King', 'owner'],
    ],
  },
  {
    program: 'Crunchbase companies',
    object: 'companies',
    columns: [
      ['Organization Name', 'Acme', 'Globex', 'name'],
      ['Organization Name URL', 'https://crunchbase.test/acme', 'https://crunchbase.test/globex', ''],
      ['Founded Date', '2010-01-01', '2012-01-01', ''],
      ['Full Description', 'Makes things', 'Sells things', 'description'],
      ['Headquarters Location', 'Springfield, IL', 'Shelbyville, IL', 'address'],
      ['Website', 'https://acme.test', 'https://globex.test', 'domain'],
      ['LinkedIn', 'https://www.linkedin.com/company/acme', 'https://www.linkedin.com/company/globex', 'linkedin_url'],
      ['Twitter', 'https://twitter.test/acme', 'https://twitter.test/globex', ''],
      ['Phone Number', '+1 555 0100', '+1 555 0101', 'phones'],
      ['CB Rank (Company)', '12000', '45000', ''],
      ['Total Funding Amount', '1000000', '2500000', ''],
      ['Operating Status', 'Active', 'Closed', ''],
    ],
  },
  {
    program: 'Copper and Close opportunities',
    object: 'opportunities',
    columns: [
      ['Opportunity Id', '12345', '12346', ''],
      ['Name', 'Big deal', 'Small deal', 'name'],
      ['Company', 'Acme', 'Globex', 'company_id'],
      ['Primary Contact', 'Grace Hopper', 'Alan Turing', 'contacts'],
      ['Value', '1200', '850', 'amount'],
      ['Value Currency', 'EUR', 'EUR', 'amount.currency'],
      ['Expected Close Date', '2024-01-31', '2024-02-29', 'close_date'],
      ['Win Probability', '50', '70', 'probability'],
      ['Stage', 'Lead', 'Proposal', 'pipeline'],
      ['Priority', 'High', 'Low', ''],
      ['Loss Reason', 'Price', '', ''],
      ['Source', 'Website', 'Referral', 'source'],
      ['Owned By', 'Max Muster', 'Ada King', 'owner'],
      ['Details', 'wants a call', 'wants a mail', ''],
    ],
  },
  {
    program: 'a list that somebody keeps, in German',
    object: 'contacts',
    columns: [
      ['Kundennummer', '10001', '10002', ''],
      ['Anrede', 'Frau', 'Herr', ''],
      ['Vorname', 'Grace', 'Alan', 'first_name'],
      ['Name', 'Hopper', 'Turing', 'last_name'],
      ['Firma', 'Acme', 'Globex', 'company_id'],
      ['Funktion', 'Leiterin', 'Leser', 'job_title'],
      ['Straße', 'Hauptstr. 1', 'Nebenstr. 2', 'address.street'],
      ['PLZ', '10115', '80331', 'address.postal_code'],
      ['Ort', 'Berlin', 'München', 'address.city'],
      ['Tel.', '030 123456', '089 123456', 'phones'],
      ['Handy', '0171 1234567', '0172 1234567', 'phones:mobile'],
      ['E-Mail', 'g@x.test', 'a@x.test', 'emails'],
      ['Geburtsdatum', '24.12.1990', '02.01.1980', 'birthday'],
      ['Bemerkung', 'ruft an', 'schreibt', ''],
    ],
  },
];

interface Judged {
  readonly column: string;
  readonly confidence: number;
  readonly isRight: boolean;
}

async function judge(): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { program, object, columns } of files) {
    const lines = [0, 1, 2].map((at) => columns.map((column) => `"${column[at]}"`).join(','));
    const { analysis } = await read(object, { text: `${lines.join('\n')}\n` });
    const places = placesOf(analysis);
    for (const [column, , , place] of columns) {
      const confidence = analysis.proposals.find((proposal) => proposal.column === column)?.confidence ?? 0;
      judged.push({
        column: `${program}: ${column} → ${places[column]}`,
        confidence,
        isRight: places[column] === place,
      });
    }
  }
  return judged;
}

it('CIR-16: a confidence of 0.9 is right nine times in ten, one of 0.75 three times in four', async () => {
  const judged = await judge();
  const share = (from: number, to: number) => {
    const some = judged.filter(({ confidence }) => confidence >= from && confidence < to);
    const wrong = some.filter(({ isRight }) => !isRight).map(({ column }) => column);
    return { count: some.length, right: 1 - wrong.length / Math.max(1, some.length), wrong };
  };
  const [sure, likely, rest] = [share(0.9, 1.01), share(0.7, 0.9), share(0, 0.7)];
  expect(sure.count).toBeGreaterThan(40);
  expect(sure.right, sure.wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
  expect(likely.right, likely.wrong.join('\n')).toBeGreaterThanOrEqual(0.7);
  expect(rest.right, rest.wrong.join('\n')).toBeGreaterThanOrEqual(0.5);
});
