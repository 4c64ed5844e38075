/** Names of people and roles, by id. */
export type Names = ReadonlyMap<string, string>;

interface Words {
  readonly names: Names;
  /** The text for null. */
  readonly none: string;
  readonly moment: (moment: string) => string;
}

/** The subject of an entry: each key with its value, ids as names. */
export function subjectText(subject: object, words: Words): string {
  return Object.entries(subject)
    .map(([name, value]) => `${name.replace(/_id$/, '').replaceAll('_', ' ')}: ${valueText(value, words)}`)
    .join(' · ');
}

function valueText(value: unknown, words: Words): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, words)).join(', ');
  if (typeof value === 'object') return value === null ? words.none : `(${subjectText(value, words)})`;
  if (typeof value !== 'string') return String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return words.moment(value);
  return words.names.get(value) ?? (isId(value) ? `…${value.slice(-6)}` : value);
}

function isId(value: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}
