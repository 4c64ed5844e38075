/** What one statement may ask of PostgreSQL. Only what the caller sees counts: the size of a role's rules shows nowhere. */
import { errors, shortened } from '../errors.ts';
import { partsUnder, type Size } from './measure.ts';
import type { Visibility } from './context.ts';

/**
 * Filters, sort, groups and fields behind relations together. With the record itself and the rules below, no statement takes
 * a quarter of a second, or some tens of megabytes, to plan.
 */
export const mostParts = 3_000;

/** A role's rule for the rows of one object. `manifest` holds roles to it. */
export const mostPartsOfRule = 150;

/** What a record shows, with the rules of a role for the records that it shows. `manifest` holds objects and roles to it. */
export const mostPartsOfRecord = 8_000;

/** What a look at another object counts where the role has a rule for its rows, whatever the rule. */
const partsOfAnyRule = 50;

/** For messages that refuse what is too long. */
export const whatCounts =
  'A condition is one part, one behind a relation more than ten, one on a computed field as many as its expression has';

/**
 * How much of a statement a caller's words make, in parts of about ten microseconds of planning. It refuses what is
 * too much.
 */
export class Budget {
  readonly #byName = new Map<string, number>();
  #spent = 0;

  /** Parts so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Counts what a caller names. Throws VALIDATION_ERROR with the name that takes most when it is too much. */
  spend(name: string, size: Size, visibility: Visibility): void {
    const parts = partsUnder(size, (objectName) =>
      typeof visibility.rows(objectName) === 'string' ? 0 : partsOfAnyRule,
    );
    this.#spent += parts;
    this.#byName.set(name, (this.#byName.get(name) ?? 0) + parts);
    if (this.#spent > mostParts) throw this.#tooMuch();
  }

  #tooMuch() {
    const [name, parts] = [...this.#byName].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
    const most = mostParts.toLocaleString('en');
    const message =
      `Too much is asked at once: filters, sort, groups and fields behind relations may have ${most} parts together, and ` +
      `${shortened(name)} alone has ${parts.toLocaleString('en')} here. ${whatCounts}`;
    return errors.validation(message, [{ field: name, message: `is too much: at most ${most} parts are taken` }]);
  }
}
