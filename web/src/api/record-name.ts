/** Fields that name a record of an object whose display field is not known: tasks, notes, threads. */
const usual = ['full_name', 'name', 'title', 'subject'];

/** A visible character: not a space, control or zero-width character. */
const seen = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** The name of a record: its `displayField`, else a usual name field; its id if nothing in them is visible. */
export function nameOf(record: Readonly<Record<string, unknown>>, displayField?: string): string {
  for (const field of displayField === undefined ? usual : [displayField, ...usual]) {
    const value = record[field];
    if (typeof value === 'string' && seen.test(value)) return value;
    if (typeof value === 'number') return String(value);
  }
  return String(record['id'] ?? '');
}
