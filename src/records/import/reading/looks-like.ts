/** Recognises the form of a text: cells often have one, headers never. */

const email = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/;
const url = /^(?:https?:\/\/|www\.)\S+$/i;
const domain = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.[a-z]{2,}$/i;
const amount = /^[-+]?\s*(?:[A-Z]{3}\s?|[$€£¥₹]\s?)?[-+]?\d[\d.,'\s\u00a0\u202f]*(?:\s?(?:%|[$€£¥₹]|[A-Z]{3}))?$/;
const phone = /^\+?\(?\d[\d\s().\-/]{5,}\d(?:\s*(?:x|ext\.?)\s*\d+)?$/i;
const dateLike =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[ .-]+\p{L}{3,12}\.?[ ,.-]+\d{2,4}|\p{L}{3,12}\.? \d{1,2},? \d{4})(?:[T ,]+\d{1,2}:\d{2}.*)?$/u;

export type Look = 'email' | 'url' | 'domain' | 'date' | 'number' | 'phone' | 'text';

/** The form of the cell; undefined for an empty one. */
export function lookOf(cell: string): Look | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  if (text.length > 200) return 'text';
  if (email.test(text)) return 'email';
  if (url.test(text)) return 'url';
  if (dateLike.test(text)) return 'date';
  if (amount.test(text)) return 'number';
  if (phone.test(text)) return 'phone';
  return domain.test(text) ? 'domain' : 'text';
}

/** Whether a cell is certainly a value, and no column name. */
export function isValue(cell: string): boolean {
  const look = lookOf(cell);
  return look !== undefined && look !== 'text';
}
