/** vCards of address books, such as Apple's. */
import { columnsOf, givenLabels, hasAll, type Source } from './source.ts';

const columns = columnsOf(`
first_name = First name
last_name = Last name
full_name = Full name
company_id = Organization
job_title = Title
birthday = Birthday
address.street = Street
address.city = City
address.state = Region
address.postal_code = Postal code
address.country = Country
emails = E-mail
phones = Phone
tags = Categories
- = Note | URL
`);

export const vcard: Source = {
  name: 'vcard',
  label: 'vCards',
  object: 'contacts',
  recognises: (names) =>
    hasAll(names, 'first name', 'full name', 'organization', 'e-mail', 'postal code', 'categories'),
  pathOf: (column) => columns.get(column.toLowerCase()),
  makes: ['company_id'],
  // Cards from Google contain its labels.
  clean: (path, text) => (path === 'tags' ? givenLabels(text.split(';')).join('; ') : text),
};
