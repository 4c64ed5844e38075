/** Totals of filtered lists, remembered with the version they were true for. Exact: each use compares the version in the statement itself. */
import { Lru } from '../lib/lru.ts';
import type { RememberedTotal } from '../query/plan.ts';

const organizations = 1000;
const totalsEach = 500;

/** What one process remembers; an organization can only push out its own. */
export class Totals {
  readonly #byOrganization = new Lru<string, Lru<string, RememberedTotal>>(organizations);

  recall(organizationId: string, key: string): RememberedTotal | undefined {
    return this.#byOrganization.get(organizationId)?.get(key);
  }

  remember(organizationId: string, key: string, total: RememberedTotal): void {
    let totals = this.#byOrganization.get(organizationId);
    if (!totals) this.#byOrganization.set(organizationId, (totals = new Lru(totalsEach)));
    totals.set(key, { version: total.version, total: total.total });
  }
}
