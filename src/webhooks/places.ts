/** How many webhooks one process sends to at a time. Receivers that hang take their share of it, and no more. */
import { troubledFrom } from './schedule.ts';

export interface Places {
  /** A place, which is the caller's until `free`; undefined where there is none. */
  take(failures: number): { free(): void } | undefined;
  /** Whether others may wait for a place. */
  areFew(): boolean;
}

const usual = { most: 64, mostTroubled: 32 };

/** One for a process. Receivers that are in trouble have only some of the places. */
export function createPlaces({ most, mostTroubled } = usual): Places {
  let taken = 0;
  let troubled = 0;
  return {
    take(failures) {
      const isTroubled = failures >= troubledFrom;
      if (taken >= most || (isTroubled && troubled >= mostTroubled)) return undefined;
      taken++;
      if (isTroubled) troubled++;
      let isFree = false;
      return {
        free() {
          if (isFree) return;
          isFree = true;
          taken--;
          if (isTroubled) troubled--;
        },
      };
    },
    areFew: () => taken > most / 2,
  };
}
