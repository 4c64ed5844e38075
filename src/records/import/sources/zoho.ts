/** Zoho CRM: contacts and leads, accounts and deals, as exported in English. */
import { columnsOf, hasSome, type IdField, type Source } from './source.ts';

const left =
  'Created By | Created By.id | Modified By | Modified By.id | Created Time | Modified Time | Last Activity Time | Lead Source | Layout | Layout.id | User Modified Time | System Modified Time | User Related Activity Time | System Related Activity Time | Record Approval Status | Is Record Duplicate | Unsubscribed Mode | Unsubscribed Time | Change Log Time | Locked | Exchange Rate | Connected To.id | Connected To.module';

const ofContacts = columnsOf(`
zoho_id = Record Id
company_id.zoho_id = Account Name.id
first_name = First Name
last_name = Last Name
full_name = Full Name | Contact Name | Lead Name
company_id = Account Name | Company
emails = Email
emails:other = Secondary Email
phones:work = Phone
phones:mobile = Mobile
phones:home = Home Phone
phones:other = Other Phone
phones:fax = Fax
job_title = Title | Designation
birthday = Date of Birth
owner = Contact Owner | Lead Owner
address.street = Mailing Street | Street
address.city = Mailing City | City
address.state = Mailing State | State
address.postal_code = Mailing Zip | Zip Code
address.country = Mailing Country | Country
tags = Tag
- = Contact Owner.id | Lead Owner.id | Salutation | Department | Assistant | Asst Phone | Email Opt Out | Reporting To | Reporting To.id | Vendor Name | Vendor Name.id | Skype ID | Twitter | Rating | Lead Status | Other Street | Other City | Other State | Other Zip | Other Country | ${left}
`);

const ofAccounts = columnsOf(`
zoho_id = Record Id
name = Account Name
domain = Website
phones:work = Phone
phones:fax = Fax
industry = Industry
employees = Employees
annual_revenue = Annual Revenue
annual_revenue.currency = Currency
description = Description
owner = Account Owner
address.street = Billing Street
address.city = Billing City
address.state = Billing State
address.postal_code = Billing Code
address.country = Billing Country
tags = Tag
- = Account Owner.id | Rating | Account Site | Parent Account | Parent Account.id | Account Number | Ticker Symbol | Account Type | Ownership | SIC Code | Shipping Street | Shipping City | Shipping State | Shipping Code | Shipping Country | ${left}
`);

const ofDeals = columnsOf(`
zoho_id = Record Id
company_id.zoho_id = Account Name.id
contacts.zoho_id = Contact Name.id
name = Deal Name | Potential Name
pipeline = Stage
amount = Amount
amount.currency = Currency
close_date = Closing Date
probability = Probability (%) | Probability
company_id = Account Name
contacts = Contact Name
owner = Deal Owner | Potential Owner
- = Deal Owner.id | Potential Owner.id | Pipeline | Type | Next Step | Expected Revenue | Campaign Source | Campaign Source.id | Reason For Loss | Description | Overall Sales Duration | Sales Cycle Duration | Tag | ${left}
`);

/** HubSpot writes `Record ID`; where the case was changed, a column decides that HubSpot lacks. */
function isZoho(names: ReadonlySet<string>, written: readonly string[]): boolean {
  const own = ['account name', 'created time', 'created by.id', 'email opt out', 'mailing zip', 'closing date'];
  return written.some((name) => name.trim() === 'Record Id') || (names.has('record id') && hasSome(names, ...own));
}

const idField: IdField = { name: 'zoho_id', label: 'Zoho id' };

function source(what: string, object: string, columns: ReadonlyMap<string, string>, some: readonly string[]): Source {
  return {
    name: `zoho_${what}`,
    label: `Zoho CRM ${what}`,
    object,
    idField,
    recognises: (names, written) => isZoho(names, written) && hasSome(names, ...some),
    pathOf: (column) => columns.get(column.toLowerCase()),
    ...(object !== 'companies' && { makes: ['company_id'] }),
    clean: (path, text) => (path === 'tags' ? text.replaceAll(',', ';') : text),
  };
}

export const zoho: readonly Source[] = [
  source('deals', 'opportunities', ofDeals, ['deal name', 'potential name', 'deal owner']),
  source('contacts', 'contacts', ofContacts, ['last name', 'first name', 'contact owner', 'lead owner']),
  source('accounts', 'companies', ofAccounts, ['account name', 'account owner']),
];
