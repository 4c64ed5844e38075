/** Standardised names: currencies and time zones. A problem completes a sentence, as `must …`. */
import { quoted } from '../errors.ts';
import { didYouMean } from './nearest.ts';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether it is an ISO 4217 code in upper case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** The problem of a currency code; undefined for a valid one. */
export function currencyProblem(code: string): string | undefined {
  if (isCurrency(code)) return undefined;
  const meant = isCurrency(code.toUpperCase()) ? ` (did you mean "${code.toUpperCase()}"?)` : '';
  return `must be a currency code of ISO 4217, such as EUR, not ${quoted(code)}${meant}`;
}

/** Whether it is an IANA name; an offset such as `+02:00` is not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The problem of a time zone's name; undefined for a valid one. */
export function timeZoneProblem(name: string): string | undefined {
  if (isTimeZone(name)) return undefined;
  const meant = didYouMean(name, Intl.supportedValuesOf('timeZone'));
  return `must be a time zone of the IANA database, such as Europe/Berlin, not ${quoted(name)}${meant}`;
}
