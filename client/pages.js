/** A list over all of its pages. */

/**
 * @typedef {import('./outgoing.js').Paging} Paging
 * @typedef {Record<string, unknown>} Page
 */

/**
 * Iterates over items, or over pages; each loop starts at the first page. `read` reads the page after a cursor.
 * @param {Paging} paging
 * @param {(query: Page) => PromiseLike<Page>} read
 */
export function pagesOf({ items, cursor, next, more }, read) {
  async function* pages() {
    /** @type {Page} */
    let behind = {};
    for (;;) {
      const page = await read(behind);
      yield page;
      if (more === undefined ? page[next] === undefined : page[more] !== true) return;
      behind = { [cursor]: page[next] };
    }
  }
  async function* all() {
    for await (const page of pages()) yield* /** @type {unknown[]} */ (page[items]);
  }
  return { pages, [Symbol.asyncIterator]: all };
}
