/** Limits a process's concurrent work with external servers. Hanging work uses its share of slots, and no more. */

export interface ConcurrencyLimit {
  /** Takes a slot for work of the organization until `free`; undefined where none is available. */
  take(isTroubled: boolean, organizationId: string): { free(): void } | undefined;
  /** Whether more than half of the slots are taken, so that others may have to wait. */
  areFew(): boolean;
}

const defaults = { most: 64, mostTroubled: 32, mostOfOne: 64 };

/** Creates the limit of a process. Troubled work may take only a part of the slots, and so may one organization. */
export function createConcurrencyLimit({ most, mostTroubled, mostOfOne } = defaults): ConcurrencyLimit {
  let taken = 0;
  let troubled = 0;
  const byOrganization = new Map<string, number>();
  return {
    take(isTroubled, organizationId) {
      const own = byOrganization.get(organizationId) ?? 0;
      if (taken >= most || own >= mostOfOne || (isTroubled && troubled >= mostTroubled)) return undefined;
      taken++;
      byOrganization.set(organizationId, own + 1);
      if (isTroubled) troubled++;
      let isFree = false;
      return {
        free() {
          if (isFree) return;
          isFree = true;
          taken--;
          const left = (byOrganization.get(organizationId) ?? 1) - 1;
          if (left === 0) byOrganization.delete(organizationId);
          else byOrganization.set(organizationId, left);
          if (isTroubled) troubled--;
        },
      };
    },
    areFew: () => taken > most / 2,
  };
}
