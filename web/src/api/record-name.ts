/** Fields that name a record of an object whose display field is not known: tasks, notes, threads. */
const usual = ['full_name', 'name', 'title', 'subject'];

/** A visible character: not a space, control or zero-width character. */
const seen = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

let nameless = 'Without a name';

/** Sets the text for records without a name, in the reader's language. */
export function callNameless(text: string): void {
  nameless = text;
}

/**
 * The name of a record: its `displayField`, else a usual name field. An empty name is replaced by the text for records without
 * one; a record whose name the reader may not see has its id.
 */
export function nameOf(record: Readonly<Record<string, unknown>>, displayField?: string): string {
  for (const field of displayField === undefined ? usual : [displayField, ...usual]) {
    const value = record[field];
    if (typeof value === 'string' && seen.test(value)) return value;
    if (typeof value === 'number') return String(value);
  }
  const own = record[displayField ?? ''];
  return own === null || typeof own === 'string' ? nameless : String(record['id'] ?? '');
}
