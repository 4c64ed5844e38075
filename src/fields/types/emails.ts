/** EMAILS: addresses with labels, one of them primary. */
import { contactValues, storedValues } from '../contact-values.ts';
import type { ContactKind } from '../contact-values.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { normalise } from '../search-text.ts';

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const plausible = /^[^\s@\u0000-\u001f\u007f-\u009f]+@[^\s@\u0000-\u001f\u007f-\u009f]+$/;

/** Decoration of an address copied from a page or a mail. */
const around = /^(?:mailto:([^?]+)(?:\?.*)?|<([^<>]+)>)$/is;

/** The address without decoration. Throws FieldProblem for text that is clearly no address. */
export function emailAddress(text: string): string {
  const [, linked, bracketed] = around.exec(text) ?? [];
  const address = (linked ?? bracketed ?? text).trim();
  if (address.length <= 320 && plausible.test(address)) return address;
  throw misfit('an e-mail address such as anna@acme.com', address);
}

const kind: ContactKind = {
  key: 'email',
  check: emailAddress,
  identity: (address) => address.toLowerCase(),
  schema: { type: 'string', format: 'idn-email', examples: ['anna@acme.example'] },
};

export const emails: FieldType = {
  ...contactValues(kind),
  names: ['EMAILS'],
  mayBeUnique: true,
  searchText: ([cell]) => normalise(storedValues(cell, kind).join(' ')),
};
