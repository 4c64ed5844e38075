/** Parses text typed into a single-line field into the value that the service takes. */
import type { Field } from '../api/workspace.ts';
import { dayIn, momentIn, secondsIn } from './days.ts';
import { hrefOf } from './shapes.ts';

export type Typed =
  | { readonly value: unknown }
  | { readonly problem: 'number' | 'digits' | 'whole' | 'date' | 'duration' | 'email' | 'url' };

/** Parses a text for the field; empty text is null. `decimal` is the reader's decimal separator. */
export function typed(field: Pick<Field, 'type'>, text: string, decimal: '.' | ',', now: Date): Typed {
  const said = text.trim();
  if (said === '') return { value: null };
  switch (field.type) {
    case 'NUMBER':
    case 'DECIMAL':
    case 'PERCENT':
      return asNumber(said.replace(/\s*%$/, ''), decimal, false);
    case 'INTEGER':
      return asNumber(said, decimal, true);
    case 'DURATION':
    case 'ELAPSED_TIME':
      return or(secondsIn(said), 'duration');
    case 'DATE':
      return or(dayIn(said, now), 'date');
    case 'DATETIME':
      return or(momentIn(said, now), 'date');
    case 'EMAIL':
      return /^[^\s@]+@[^\s@]+$/.test(said) ? { value: said } : { problem: 'email' };
    case 'URL':
      return hrefOf(said) === undefined ? { problem: 'url' } : { value: said };
    default:
      return { value: text };
  }
}

/** Parses a number, with or without thousands separators; undefined if it is none. */
export function numberTyped(text: string, decimal: '.' | ','): number | undefined {
  const thousands = decimal === '.' ? /,(?=\d{3}(\D|$))/g : /\.(?=\d{3}(\D|$))/g;
  const plain = text
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace(thousands, '')
    .replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** Whether it has more digits than a JavaScript number keeps, so that the last ones would change silently. */
export function hasTooManyDigits(text: string): boolean {
  return text.replace(/\D/g, '').replace(/^0+|0+$/g, '').length > 15;
}

function asNumber(text: string, decimal: '.' | ',', isWhole: boolean): Typed {
  const value = numberTyped(text, decimal);
  if (value === undefined) return { problem: 'number' };
  if (hasTooManyDigits(text)) return { problem: 'digits' };
  return isWhole && !Number.isInteger(value) ? { problem: 'whole' } : { value };
}

function or(value: unknown, problem: 'date' | 'duration'): Typed {
  return value === undefined ? { problem } : { value };
}
