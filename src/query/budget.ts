/**
 * The planning budget of a statement. Only what the caller sees counts, so that the size of a role's rules does not
 * show.
 */
import { errors, shortened } from '../errors.ts';
import { partsUnder, type Size } from './measure.ts';
import type { Visibility } from './context.ts';

/**
 * Limit for filters, sort, groups and fields behind relations together. With the record itself and the rules below,
 * no statement takes more than a quarter of a second, or some tens of megabytes, to plan.
 */
export const mostParts = 3_000;

/** Limit of a role's rule for the rows of one object; checked by `manifest`. */
export const mostPartsOfRule = 150;

/** Limit of a record's fields with the role's rules for the records shown in it; checked by `manifest`. */
export const mostPartsOfRecord = 8_000;

/** The cost of a look-up in another object with a role's rule for its rows, whatever the rule. */
const partsOfAnyRule = 50;

/** Explains the cost in error messages. */
export const whatCounts =
  'A condition is one part, one behind a relation more than ten, one on a computed field as many as its expression has';

/** Counts a caller's request in parts of about ten microseconds of planning, and refuses what exceeds the limit. */
export class Budget {
  readonly #byName = new Map<string, number>();
  #spent = 0;

  /** Parts counted so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Counts a named field. Throws VALIDATION_ERROR, naming the most expensive one, when the limit is exceeded. */
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
