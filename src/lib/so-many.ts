/** Counts in a sentence. */

/** `1 record`, `2,000 records`; `many` is the plural where adding an s is wrong. */
export function soMany(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
