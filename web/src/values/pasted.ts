/** Parses text pasted into a cell as if it had been typed there. */
import type { Field, KithRecord, Workspace } from '../api/workspace.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { moneyIn } from './shapes.ts';
import { numberTyped, typed } from './typed.ts';

export type Pasted =
  | { readonly value: unknown }
  /** The name of the record to link. */
  | { readonly named: string }
  | { readonly problem: string };

export interface Reading {
  readonly workspace: Workspace;
  readonly texts: Catalogue['values'];
  /** The reader's decimal separator. */
  readonly decimal: '.' | ',';
  readonly now: Date;
}

/** Parses the text for the field of this record. */
export function pasted(field: Field, record: KithRecord, text: string, reading: Reading): Pasted {
  const { workspace, texts, decimal, now } = reading;
  const said = text.trim();
  if (said === '') return { value: field.type.endsWith('S') || field.type === 'MANY_TO_MANY' ? emptyOf(field) : null };
  switch (field.type) {
    case 'BOOLEAN':
      return booleanIn(said, texts);
    case 'RATING':
      return /^[0-5]$/.test(said) ? { value: Number(said) } : { problem: texts.problems.rating };
    case 'CURRENCY':
      return moneyPasted(said, moneyIn(record[field.name])?.currency ?? workspace.reader.currency, decimal, texts);
    case 'SELECT':
      return one(optionIn(field, said), texts);
    case 'MULTI_SELECT': {
      const values = parts(said).map((part) => optionIn(field, part));
      return values.includes(undefined) ? { problem: texts.noneFound } : { value: values };
    }
    case 'EMAILS':
      return entriesPasted(said, 'email', texts);
    case 'PHONES':
      return entriesPasted(said, 'phone', texts);
    case 'USERS':
      return one(
        [...workspace.users.values()].find(({ name, email }) => isSame(name, said) || isSame(email, said))?.id,
        texts,
      );
    case 'PIPELINE':
      return one(stepIn(record, said, workspace), texts);
    case 'RELATION':
    case 'DEPENDENT_RELATION':
      return { named: said };
    case 'MORPH_RELATION':
    case 'MANY_TO_MANY':
    case 'ADDRESS':
    case 'DATE_RANGE':
    case 'RICH_TEXT':
      return { problem: texts.problems.notPasted };
    default: {
      const read = typed(field, text, decimal, now);
      return 'problem' in read ? { problem: texts.problems[read.problem] } : read;
    }
  }
}

function emptyOf({ type }: Field): unknown {
  return ['EMAILS', 'PHONES', 'MANY_TO_MANY'].includes(type) ? [] : null;
}

function one(value: string | undefined, texts: Catalogue['values']): Pasted {
  return value === undefined ? { problem: texts.noneFound } : { value };
}

function isSame(a: string, b: string): boolean {
  return a.localeCompare(b, undefined, { sensitivity: 'base' }) === 0;
}

function parts(text: string): readonly string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function booleanIn(text: string, texts: Catalogue['values']): Pasted {
  if ([texts.yes, 'true', 'yes', '1'].some((word) => isSame(word, text))) return { value: true };
  if ([texts.no, 'false', 'no', '0'].some((word) => isSame(word, text))) return { value: false };
  return { problem: texts.problems.boolean(texts.yes, texts.no) };
}

function optionIn({ options }: Field, text: string): string | undefined {
  return (options?.find(({ value }) => value === text) ?? options?.find(({ label }) => isSame(label, text)))?.value;
}

function stepIn(record: KithRecord, text: string, { pipelines }: Workspace): string | undefined {
  const own =
    pipelines.find(({ id }) => id === record['pipeline_id']) ?? pipelines.find(({ is_default }) => is_default);
  return own?.steps.find(({ name }) => isSame(name, text))?.id;
}

const signs: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };

function moneyPasted(text: string, usual: string, decimal: '.' | ',', texts: Catalogue['values']): Pasted {
  const [code] = /[A-Z]{3}/.exec(text) ?? [];
  const [sign = ''] = /[€$£¥₹]/.exec(text) ?? [];
  const amount = numberTyped(text.replace(/[A-Z]{3}|[€$£¥₹]/g, ''), decimal);
  if (amount === undefined) return { problem: texts.problems.number };
  return { value: { amount, currency: code ?? signs[sign] ?? usual } };
}

function entriesPasted(text: string, key: 'email' | 'phone', texts: Catalogue['values']): Pasted {
  const entries = parts(text);
  if (key === 'email' && entries.some((entry) => !/^[^\s@]+@[^\s@]+$/.test(entry)))
    return { problem: texts.problems.email };
  return { value: entries.map((entry, at) => ({ [key]: entry, label: null, is_primary: at === 0 })) };
}
