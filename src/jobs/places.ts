/** How much a process does with servers of others at a time. Those that hang take their share of it, and no more. */

export interface Places {
  /** A place for work of the organization, which is the caller's until `free`; undefined where there is none. */
  take(isTroubled: boolean, organizationId: string): { free(): void } | undefined;
  /** Whether others may wait for a place. */
  areFew(): boolean;
}

const usual = { most: 64, mostTroubled: 32, mostOfOne: 64 };

/** One for a process. Those that are in trouble have only some of the places, and so has one organization. */
export function createPlaces({ most, mostTroubled, mostOfOne } = usual): Places {
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
