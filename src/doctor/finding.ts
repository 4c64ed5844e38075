/** What a check finds. */
import { shortList } from '../lib/short-list.ts';

export interface Problem {
  /** One sentence without its end. */
  readonly text: string;
  /** What a person does about it: a command where there is one. */
  readonly remedy: string;
  /** What `kith doctor --repair` does about it. */
  readonly repair?: () => Promise<unknown>;
}

export interface Finding {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** What there is to say where there is no problem. */
  readonly fine: string;
}

/** What `kith doctor` prints of it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const toldAtMost = 20;

/** The finding as it is told: the first of its problems with their remedies, and how many more there are. */
export function checkOf({ name, problems, fine }: Finding): Check {
  const told = problems.slice(0, toldAtMost).map(({ text, remedy }) => `${text}: ${remedy}`);
  if (problems.length > toldAtMost) told.push(`and ${problems.length - toldAtMost} more`);
  return { name, ok: problems.length === 0, detail: problems.length === 0 ? fine : told.join('; ') };
}

/** Names in a sentence, or that there are none. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : shortList(names, toldAtMost);
}

/** Of a problem that `kith doctor --repair` solves. */
export const repairing = 'kith doctor --repair';
