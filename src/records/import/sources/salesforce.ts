/** Salesforce: the output of Data Loader and the weekly export, with API names. */
import { columnsOf, hasAll, type Source } from './source.ts';

const left =
  'IsDeleted | MasterRecordId | OwnerId | CreatedDate | CreatedById | LastModifiedDate | LastModifiedById | SystemModstamp | LastActivityDate | LastViewedDate | LastReferencedDate | PhotoUrl';

const ofAccounts = columnsOf(`
salesforce_id = Id
name = Name
phones:work = Phone
phones:fax = Fax
domain = Website
industry = Industry
annual_revenue = AnnualRevenue
annual_revenue.currency = CurrencyIsoCode
employees = NumberOfEmployees
description = Description
address.street = BillingStreet
address.city = BillingCity
address.state = BillingState
address.postal_code = BillingPostalCode
address.country = BillingCountry
- = Type | ParentId | ShippingStreet | ShippingCity | ShippingState | ShippingPostalCode | ShippingCountry | AccountNumber | Sic | Ownership | TickerSymbol | Rating | Site | ${left}
`);

const ofContacts = columnsOf(`
salesforce_id = Id
company_id.salesforce_id = AccountId
first_name = FirstName
last_name = LastName
emails = Email
phones:work = Phone
phones:mobile = MobilePhone
phones:home = HomePhone
phones:fax = Fax
job_title = Title
birthday = Birthdate
company_id = Account.Name
address.street = MailingStreet
address.city = MailingCity
address.state = MailingState
address.postal_code = MailingPostalCode
address.country = MailingCountry
do_not_contact = DoNotCall
- = Name | Salutation | Department | LeadSource | ReportsToId | ${left}
`);

const ofOpportunities = columnsOf(`
salesforce_id = Id
company_id.salesforce_id = AccountId
name = Name
pipeline = StageName
amount = Amount
amount.currency = CurrencyIsoCode
probability = Probability
close_date = CloseDate
source = LeadSource
company_id = Account.Name
- = Description | ExpectedRevenue | TotalOpportunityQuantity | Type | NextStep | IsClosed | IsWon | ForecastCategory | ForecastCategoryName | HasOpportunityLineItem | PricebookId | Pricebook2Id | FiscalQuarter | FiscalYear | Fiscal | ${left}
`);

/** Trashed rows are left out. */
const leavesOut: NonNullable<Source['leavesOut']> = (cell) =>
  /^(?:true|1)$/i.test(cell('isdeleted')) ? 'it is deleted in Salesforce' : undefined;

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * Converts an id of 15 characters, as in reports, to the 18 of an export: the last three encode which letters are
 * capitals.
 */
function longId(text: string): string {
  const id = text.trim();
  if (!/^[a-z\d]{15}$/i.test(id)) return id;
  const ends = [0, 5, 10].map((start) => {
    const capitals = [...id.slice(start, start + 5)].map((sign, at) => (/[A-Z]/.test(sign) ? 1 << at : 0));
    return signs[capitals.reduce((sum, bit) => sum + bit, 0)];
  });
  return `${id}${ends.join('')}`;
}

function source(what: string, object: string, columns: ReadonlyMap<string, string>, wanted: readonly string[]): Source {
  return {
    name: `salesforce_${what.toLowerCase()}`,
    label: `Salesforce ${what}`,
    object,
    recognises: (names) => hasAll(names, 'id', ...wanted),
    // Custom columns end in __c, and are unknown here.
    pathOf: (column) => columns.get(column.toLowerCase()),
    ...(object !== 'companies' && { makes: ['company_id'] }),
    leavesOut,
    idField: { name: 'salesforce_id', label: 'Salesforce id' },
    clean: (path, text) => (path.endsWith('salesforce_id') ? longId(text) : text),
  };
}

export const salesforce: readonly Source[] = [
  source('Opportunity', 'opportunities', ofOpportunities, ['stagename', 'closedate']),
  source('Contact', 'contacts', ofContacts, ['lastname', 'mailingstreet']),
  source('Account', 'companies', ofAccounts, ['billingstreet', 'name']),
];
