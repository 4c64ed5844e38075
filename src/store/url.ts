/** The URL of a store. */

/**
 * The URL in the form of the store's client; undefined for an invalid one. Valkey's own schemes mean the same as
 * those of Redis.
 */
export function storeUrl(text: string): string | undefined {
  const url = URL.parse(text.replace(/^valkey(s?):/i, 'redis$1:'));
  return url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}
