/** The address of a store. */

/** The address as the store's client takes it; undefined for what is none. Valkey's own schemes mean the same as those of Redis. */
export function storeUrl(text: string): string | undefined {
  const url = URL.parse(text.replace(/^valkey(s?):/i, 'redis$1:'));
  return url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}
