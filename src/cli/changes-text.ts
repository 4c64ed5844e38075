/** The output of `plan` and `apply`: a line per change, and their number. */
import { styleText } from 'node:util';
import { soMany } from '../lib/so-many.ts';

/** A change, as `applyManifest` answers it. */
export interface ToldChange {
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly object?: string;
  readonly pipeline?: string;
  readonly from?: string;
  readonly changed?: readonly string[];
  readonly rows?: number;
}

const signs: Readonly<Record<string, string>> = { create: '+', remove: '-' };
const colours = { '+': 'green', '~': 'yellow', '-': 'red' } as const;

/** The changes as text; `done` says whether they are applied. */
export function changesText(changes: readonly ToldChange[], done: boolean): string {
  if (changes.length === 0) return 'no changes\n';
  const count = (sign: string) => changes.filter((change) => signOf(change) === sign).length;
  const [add, change, remove] = done ? ['added', 'changed', 'removed'] : ['to add', 'to change', 'to remove'];
  const summary = `${count('+')} ${add}, ${count('~')} ${change}, ${count('-')} ${remove}`;
  return `${changes.map((one) => `${line(one)}\n`).join('')}${summary}\n`;
}

function signOf({ action }: ToldChange): '+' | '~' | '-' {
  return (signs[action] ?? '~') as '+' | '~' | '-';
}

function line(change: ToldChange): string {
  const { kind, name, object, pipeline, from, changed, rows } = change;
  const sign = signOf(change);
  const place = object ?? pipeline;
  const details = [
    ...(from === undefined ? [] : [`was ${from}`]),
    ...(changed === undefined ? [] : [changed.join(', ')]),
    ...(rows === undefined || rows === 0 ? [] : [`${soMany(rows, 'row loses', 'rows lose')} a value`]),
  ];
  const what = `${kind} ${place === undefined ? '' : `${place}.`}${name}`;
  const text = `${sign} ${what}${details.length > 0 ? `: ${details.join('; ')}` : ''}`;
  return styleText(colours[sign], text, { stream: process.stdout });
}
