/** PostgreSQL's text form of a text[]: `{a,"b, c",NULL}`. */

/** Formats the items as PostgreSQL reads a `text[]`. */
export function formatTextArray(items: readonly string[]): string {
  return `{${items.map(formatItem).join(',')}}`;
}

/** Quotes an item, so that it is neither NULL nor syntax. */
export function formatItem(item: string): string {
  return `"${item.replace(/["\\]/g, '\\$&')}"`;
}

const item = /(?:"((?:[^"\\]|\\[^])*)"|((?:[^",\\{}]|\\[^])+))(?:,|\})/y;

const plain = /^\{[^",\\{}]+(?:,[^",\\{}]+)*\}$/;

/** Parses a one-dimensional array as PostgreSQL prints it. Throws a plain Error for anything else. */
export function parseTextArray(text: string): readonly (string | null)[] {
  if (text === '{}') return [];
  if (!text.startsWith('{')) throw new Error('Not an array of PostgreSQL');
  // Fast path: without quotes there is nothing to unescape.
  if (plain.test(text))
    return text
      .slice(1, -1)
      .split(',')
      .map((bare) => (bare === 'NULL' ? null : bare));
  const items: (string | null)[] = [];
  item.lastIndex = 1;
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    if (!match) throw new Error('Not a one-dimensional array of PostgreSQL');
    const [, quoted, bare = ''] = match;
    if (quoted !== undefined) items.push(quoted.replace(/\\([^])/g, '$1'));
    else items.push(bare === 'NULL' ? null : bare.replace(/\\([^])/g, '$1'));
  }
  return items;
}
