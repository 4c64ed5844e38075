/** URL: with or without a scheme, kept as typed; never a scheme that a browser would execute. */
import { aggregates } from '../aggregates.ts';
import type { Json } from '../../lib/json.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { valueSchema } from '../json-schema.ts';
import { normalise } from '../search-text.ts';
import { decodeText, textColumn } from './text.ts';

// Schemes that browsers execute; white space and control characters, which they ignore in a scheme, are refused
// before.
const runnable = /^(?:javascript|data|vbscript):/i;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unprintable = /[\s\u0000-\u001f\u007f-\u009f]/;

export const url: FieldType = {
  ...textColumn,
  aggregates: aggregates.distinct,
  names: ['URL'],
  mayBeUnique: true,
  // No `format`: with or without a scheme, as typed, it need not be a valid URI.
  schema: (field) => valueSchema(field.name, { type: 'string', examples: ['https://acme.example'] }),
  decode: (value) => [value === null ? null : decodeUrl(value)],
  searchText: ([cell]) => normalise(cell ?? ''),
};

/** The URL; null for one that a browser would execute. */
export function openable(address: string | null): string | null {
  // oxlint-disable-next-line no-control-regex -- browsers ignore these before a scheme and in it
  return address !== null && runnable.test(address.replaceAll(/[\s\u0000-\u001f]/g, '')) ? null : address;
}

function decodeUrl(value: Json): string {
  const address = decodeText(value, 2_048).trim();
  if (address === '' || unprintable.test(address)) throw misfit('a web address such as https://acme.com', address);
  if (runnable.test(address)) throw new FieldProblem('must not be an address that runs code');
  return address;
}
