/** EMAIL: one e-mail address, kept as typed. */
import { emailAddress } from './emails.ts';
import type { FieldType } from './field-type.ts';
import { normalise } from './search-text.ts';
import { decodeText, maxText, textColumn } from './text.ts';

export const email: FieldType = {
  ...textColumn,
  names: ['EMAIL'],
  mayBeUnique: true,
  decode: (value) => [value === null ? null : emailAddress(decodeText(value, maxText).trim())],
  searchText: ([cell]) => normalise(cell ?? ''),
};
