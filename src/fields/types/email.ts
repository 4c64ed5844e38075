/** EMAIL: one e-mail address, kept as typed. */
import { emailAddress } from './emails.ts';
import type { FieldType } from '../field-type.ts';
import { valueSchema } from '../json-schema.ts';
import { normalise } from '../search-text.ts';
import { decodeText, maxText, textColumn } from './text.ts';

export const email: FieldType = {
  ...textColumn,
  names: ['EMAIL'],
  mayBeUnique: true,
  schema: (field) => valueSchema(field.name, { type: 'string', format: 'idn-email', examples: ['anna@acme.example'] }),
  decode: (value) => [value === null ? null : emailAddress(decodeText(value, maxText).trim())],
  searchText: ([cell]) => normalise(cell ?? ''),
};
