/** A service whose organizations lie on either of two databases, `main` and `second`. */
import { secondTestDatabase, type TestDatabase } from '../support/database.ts';
import { startKith, type TestKith } from '../support/kith.ts';

export interface TwoClusters {
  readonly kith: TestKith;
  readonly second: TestDatabase;
  stop(): Promise<void>;
}

/** The variables are those of `startKith`. */
export async function startOnTwoClusters(env: Readonly<Record<string, string>> = {}): Promise<TwoClusters> {
  const second = await secondTestDatabase();
  const kith = await startKith(env);
  await kith.deps.directory.addDatasource('second', second.url);
  return {
    kith,
    second,
    async stop() {
      await kith.stop();
      await second.drop();
    },
  };
}
