/**
 * The built-in objects as provisioned. A change here reaches existing organizations only by a migration; new fields
 * and options of tasks, notes and internal objects are added by the next one.
 */
import type { Option } from '../fields/field-def.ts';
import type { FieldDefinition, ObjectDefinition } from './definition.ts';

export type BuiltInField = Omit<FieldDefinition, 'junctionFields'> & {
  readonly name: string;
  readonly junctionFields?: readonly BuiltInField[];
  /**
   * The schema version that added it to an existing object; absent where the object always had it. An organization
   * beyond that version without it has removed it from its workspace.
   */
  readonly since?: number;
};

export type BuiltInObject = Omit<ObjectDefinition, 'isSystem'> & {
  readonly name: string;
  readonly fields: readonly BuiltInField[];
};

export const owner: BuiltInField = { name: 'owner', label: 'Owner', type: 'USERS' };
export const createdBy: BuiltInField = { name: 'created_by', label: 'Created by', type: 'USERS', isReadonly: true };
const phones: BuiltInField = { name: 'phones', label: 'Phones', type: 'PHONES', isSearchable: true };
const linkedinUrl: BuiltInField = { name: 'linkedin_url', label: 'LinkedIn', type: 'URL' };
const address: BuiltInField = { name: 'address', label: 'Address', type: 'ADDRESS', isSearchable: true };
const company: BuiltInField = {
  name: 'company_id',
  label: 'Company',
  type: 'RELATION',
  relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
};

export const contacts: BuiltInObject = {
  name: 'contacts',
  label: 'Contacts',
  labelSingular: 'Contact',
  iconName: 'user',
  color: '#3b82f6',
  displayField: 'full_name',
  fields: [
    { name: 'first_name', label: 'First name', type: 'TEXT', isSearchable: true },
    { name: 'last_name', label: 'Last name', type: 'TEXT', isSearchable: true },
    {
      name: 'full_name',
      label: 'Full name',
      type: 'CALCULATED',
      isReadonly: true,
      calculation: { expression: "join(' ', first_name, last_name)", outputType: 'TEXT' },
    },
    { name: 'emails', label: 'Emails', type: 'EMAILS', isSearchable: true },
    phones,
    { name: 'job_title', label: 'Job title', type: 'TEXT', isSearchable: true },
    company,
    linkedinUrl,
    address,
    {
      name: 'tags',
      label: 'Tags',
      type: 'MULTI_SELECT',
      options: options(
        'vip:VIP customer prospect partner supplier investor press newsletter former_customer decision_maker candidate other',
      ),
    },
    { name: 'birthday', label: 'Birthday', type: 'DATE' },
    { name: 'do_not_contact', label: 'Do not contact', type: 'BOOLEAN', defaultValue: false },
    owner,
    createdBy,
  ],
};

export const companies: BuiltInObject = {
  name: 'companies',
  label: 'Companies',
  labelSingular: 'Company',
  iconName: 'building',
  color: '#10b981',
  displayField: 'name',
  fields: [
    { name: 'name', label: 'Name', type: 'TEXT', isRequired: true, isSearchable: true },
    { name: 'domain', label: 'Domain', type: 'URL', isSearchable: true },
    {
      name: 'industry',
      label: 'Industry',
      type: 'SELECT',
      options: options(
        'software technology information_technology finance financials insurance banking healthcare:Health_care medical ' +
          'pharmaceuticals biotechnology retail ecommerce:E-commerce consumer_goods consumer_discretionary consumer_staples ' +
          'food_and_beverage manufacturing industrials automotive aerospace chemicals materials energy utilities environment ' +
          'mining education media entertainment marketing publishing communication_services telecommunications real_estate ' +
          'construction architecture consulting legal accounting employment services transportation logistics hospitality ' +
          'travel sports agriculture government defense nonprofit security research other',
      ),
    },
    { name: 'employees', label: 'Employees', type: 'INTEGER' },
    { name: 'annual_revenue', label: 'Annual revenue', type: 'CURRENCY' },
    phones,
    linkedinUrl,
    address,
    { name: 'description', label: 'Description', type: 'LONG_TEXT', isSearchable: true },
    owner,
    createdBy,
  ],
};

export const opportunities: BuiltInObject = {
  name: 'opportunities',
  label: 'Opportunities',
  labelSingular: 'Opportunity',
  iconName: 'target',
  color: '#f59e0b',
  displayField: 'name',
  fields: [
    { name: 'name', label: 'Name', type: 'TEXT', isRequired: true, isSearchable: true },
    { name: 'amount', label: 'Amount', type: 'CURRENCY' },
    { name: 'probability', label: 'Probability', type: 'PERCENT' },
    { name: 'close_date', label: 'Close date', type: 'DATE' },
    {
      name: 'source',
      label: 'Source',
      type: 'SELECT',
      options: options(
        'inbound outbound referral website event partner advertising cold_call email_campaign social_media other',
      ),
    },
    company,
    {
      name: 'contacts',
      label: 'Contacts',
      type: 'MANY_TO_MANY',
      relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
      junctionFields: [{ name: 'role', label: 'Role', type: 'TEXT' }],
    },
    { name: 'pipeline', label: 'Pipeline', type: 'PIPELINE' },
    owner,
    createdBy,
  ],
};

/** Options from space-separated values. The label is the part after a colon, or the value itself, in words. */
export function options(values: string): readonly Option[] {
  return values.split(' ').map((entry) => {
    const [value = '', label = value] = entry.split(':');
    const words = label.replaceAll('_', ' ');
    return { value, label: words.charAt(0).toUpperCase() + words.slice(1) };
  });
}
