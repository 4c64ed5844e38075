/** Keeps a resource open between calls that otherwise lives while a function runs, such as a transaction. */

export interface Held<T> {
  readonly given: T;
  /** Lets the function finish; throws what it throws. */
  end(): Promise<void>;
  /** Makes the function fail. */
  fail(error: unknown): Promise<void>;
}

/** Resolves when `enter` calls `use`, whose promise resolves at the end. Throws if `enter` fails before. */
export async function hold<T>(enter: (use: (given: T) => Promise<void>) => Promise<void>): Promise<Held<T>> {
  const entered = Promise.withResolvers<T>();
  const over = Promise.withResolvers<void>();
  const ended = enter((given) => {
    entered.resolve(given);
    return over.promise;
  });
  ended.catch(entered.reject);
  return {
    given: await entered.promise,
    async end() {
      over.resolve();
      await ended;
    },
    async fail(error) {
      over.reject(error);
      await ended.catch(() => {});
    },
  };
}
