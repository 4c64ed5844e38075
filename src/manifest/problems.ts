/** Mistakes in a manifest: all are told at once, each with its place. */
import { errors, type FieldError } from '../errors.ts';

/** Mistakes told in one answer; one mistake can lead to many. */
const most = 50;

export class Problems {
  readonly #found: FieldError[] = [];

  get any(): boolean {
    return this.#found.length > 0;
  }

  /** `message` goes on after the place: `must be …`. */
  add(place: string, message: string): void {
    this.#found.push({ field: place, message: place === '' ? message : `${place} ${message}` });
  }

  /** Throws VALIDATION_ERROR with all of them, if there is one. */
  refuse(): void {
    if (this.#found.length === 0) return;
    const shown = this.#found.slice(0, most);
    const rest = this.#found.length - shown.length;
    const text = shown.map((problem) => problem.message).join('; ');
    throw errors.validation(rest > 0 ? `${text}; and ${rest} more` : text, shown);
  }
}
