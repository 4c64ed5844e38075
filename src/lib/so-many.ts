/** Numbers of things in a sentence. */

/** `1 record`, `2,000 records`; `many` is what more than one are called, where it is no s that is added. */
export function soMany(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
