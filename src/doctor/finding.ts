/** A problem that a check finds. */
import { shortList } from '../lib/short-list.ts';

export interface Problem {
  /** One sentence without its full stop. */
  readonly text: string;
  /** What a person can do, preferably a command. */
  readonly remedy: string;
  /** What `kith doctor --repair` does. */
  readonly repair?: () => Promise<unknown>;
}

export interface Finding {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** The text if there is no problem. */
  readonly fine: string;
}

/** A finding as `kith doctor` prints it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const mostListed = 20;

/** The printed finding: the first problems with remedies, and the number of further ones. */
export function checkOf({ name, problems, fine }: Finding): Check {
  const lines = problems.slice(0, mostListed).map(({ text, remedy }) => `${text}: ${remedy}`);
  if (problems.length > mostListed) lines.push(`and ${problems.length - mostListed} more`);
  return { name, ok: problems.length === 0, detail: problems.length === 0 ? fine : lines.join('; ') };
}

/** The names in a sentence, or `none`. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : shortList(names, mostListed);
}

/** The remedy of problems that `kith doctor --repair` solves. */
export const repairing = 'kith doctor --repair';
