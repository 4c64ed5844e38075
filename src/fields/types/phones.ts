/** PHONES: numbers as typed, with labels, one of them primary. */
import { contactValues, storedValues } from '../contact-values.ts';
import type { ContactKind } from '../contact-values.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { normalise } from '../search-text.ts';

const kind: ContactKind = {
  key: 'phone',
  check(phone) {
    if (phone.length <= 64 && /\p{Nd}/u.test(phone)) return phone;
    throw misfit('a phone number of at most 64 characters', phone);
  },
  identity: (phone) => phone.toLowerCase(),
  schema: { type: 'string', maxLength: 64, examples: ['+1 555 0100'] },
};

export const phones: FieldType = {
  ...contactValues(kind),
  names: ['PHONES'],
  mayBeUnique: true,
  /** As typed, and as digits alone, as people search for them. */
  searchText([cell]) {
    const values = storedValues(cell, kind).map(normalise);
    return values.flatMap((phone) => [phone, phone.replace(/\P{Nd}/gu, '')]).join(' ');
  },
};
