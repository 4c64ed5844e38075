/** Google Contacts: the current table, and the previous one with `Given Name` and `Organization 1 - Name`. */
import { columnsOf, givenLabels, hasSome, type Source } from './source.ts';

const columns = columnsOf(`
first_name = First Name | Given Name
first_name = Middle Name | Additional Name
last_name = Last Name | Family Name
full_name = Name
company_id = Organization Name | Organization 1 - Name
job_title = Organization Title | Organization 1 - Title
birthday = Birthday
tags = Labels | Group Membership
- = Phonetic First Name | Phonetic Middle Name | Phonetic Last Name | Name Prefix | Name Suffix | Nickname | File As | Photo | Initials | Short Name | Maiden Name | Yomi Name | Given Name Yomi | Family Name Yomi | Additional Name Yomi
- = Organization Department | Organization 1 - Department | Organization 1 - Type | Organization 1 - Symbol | Organization 1 - Location | Organization 1 - Job Description | Organization 1 - Yomi Name | Gender | Location | Billing Information | Directory Server | Mileage | Occupation | Hobby | Sensitivity | Priority | Subject | Language
`);

const numbered = /^(e-mail|phone|address|website|im|relation|event|custom field) (\d+) - (.+)$/;
const parts: Readonly<Record<string, string>> = {
  street: 'address.street',
  city: 'address.city',
  region: 'address.state',
  'postal code': 'address.postal_code',
  country: 'address.country',
  'extended address': 'address.street2',
};

function numberedPath(column: string): string | undefined {
  const [, kind, place, part = ''] = numbered.exec(column) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'e-mail' || kind === 'phone') {
    const field = kind === 'e-mail' ? 'emails' : 'phones';
    return part === 'value' ? field : part === 'label' || part === 'type' ? `${field}.label` : '-';
  }
  if (kind === 'address' && place === '1') return parts[part] ?? '-';
  return '-';
}

export const google: Source = {
  name: 'google_contacts',
  label: 'Google Contacts',
  object: 'contacts',
  recognises: (names) =>
    hasSome(names, 'e-mail 1 - value', 'phone 1 - value') &&
    hasSome(names, 'given name', 'organization name', 'organization 1 - name', 'labels', 'group membership', 'file as'),
  pathOf(column) {
    const name = column.toLowerCase();
    return columns.get(name) ?? numberedPath(name);
  },
  makes: ['company_id'],
  clean(path, text) {
    if (path.endsWith('.label')) return text.replace(/^\* ?/, '').toLowerCase();
    return path === 'tags' ? givenLabels(text.split(':::')).join('; ') : text;
  },
};
