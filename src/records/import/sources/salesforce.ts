/** Salesforce: what Data Loader and the weekly export write, under the names of its interface. */
import { columnsOf, hasAll, type Source } from './source.ts';

const left =
  'Id | IsDeleted | MasterRecordId | OwnerId | CreatedDate | CreatedById | LastModifiedDate | LastModifiedById | SystemModstamp | LastActivityDate | LastViewedDate | LastReferencedDate | PhotoUrl';

const ofAccounts = columnsOf(`
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
- = AccountId | Name | Salutation | Department | LeadSource | ReportsToId | ${left}
`);

const ofOpportunities = columnsOf(`
name = Name
pipeline = StageName
amount = Amount
amount.currency = CurrencyIsoCode
probability = Probability
close_date = CloseDate
source = LeadSource
company_id = Account.Name
- = AccountId | Description | ExpectedRevenue | TotalOpportunityQuantity | Type | NextStep | IsClosed | IsWon | ForecastCategory | ForecastCategoryName | HasOpportunityLineItem | PricebookId | Pricebook2Id | FiscalQuarter | FiscalYear | Fiscal | ${left}
`);

/** A row that is in its trash stays there. */
const leavesOut: NonNullable<Source['leavesOut']> = (cell) =>
  /^(?:true|1)$/i.test(cell('isdeleted')) ? 'it is deleted in Salesforce' : undefined;

function source(what: string, object: string, columns: ReadonlyMap<string, string>, wanted: readonly string[]): Source {
  return {
    name: `salesforce_${what.toLowerCase()}`,
    label: `Salesforce ${what}`,
    object,
    recognises: (names) => hasAll(names, 'id', ...wanted),
    // What an organization has added ends in __c: nothing here knows it.
    pathOf: (column) => columns.get(column.toLowerCase()),
    ...(object !== 'companies' && { makes: ['company_id'] }),
    leavesOut,
  };
}

export const salesforce: readonly Source[] = [
  source('Opportunity', 'opportunities', ofOpportunities, ['stagename', 'closedate']),
  source('Contact', 'contacts', ofContacts, ['lastname', 'mailingstreet']),
  source('Account', 'companies', ofAccounts, ['billingstreet', 'name']),
];
