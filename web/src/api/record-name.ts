/** Fields that name a record where its object's own is not known: those of tasks, notes and threads. */
const usual = ['full_name', 'name', 'title', 'subject'];

/** A sign that somebody sees: there are spaces and controls of no width. */
const seen = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** What a record is called: by `displayField`, the workspace's for its object; an id where nothing of it is to be seen. */
export function nameOf(record: Readonly<Record<string, unknown>>, displayField?: string): string {
  for (const field of displayField === undefined ? usual : [displayField, ...usual]) {
    const value = record[field];
    if (typeof value === 'string' && seen.test(value)) return value;
    if (typeof value === 'number') return String(value);
  }
  return String(record['id'] ?? '');
}
