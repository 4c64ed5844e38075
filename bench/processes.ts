/** Processor time and memory of a process and of all below it, read from Linux' `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the kernel's clock in a second, as every Linux reports them. */
const ticks = 100;

/** Seconds used so far, those of children that ended included. */
export function processorSeconds(root: number): number {
  let sum = 0;
  for (const { fields } of treeOf(root)) for (const field of fields.slice(11, 15)) sum += Number(field);
  return sum / ticks;
}

/** MiB of memory in use. */
export function residentMiB(root: number): number {
  const sizes = treeOf(root).map(({ pid }) => /VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0) / 1024;
}

/** MiB that belong to one process alone, of each right below `parent`, the largest first. */
export function privateMiBOfChildren(parent: number): readonly number[] {
  const children = treeOf(parent).filter(({ fields }) => Number(fields[1]) === parent);
  const sizes = children.map(({ pid }) => {
    const parts = textOf(`/proc/${pid}/smaps_rollup`).matchAll(/^Private_\w+:\s+(\d+)/gm);
    return [...parts].reduce((sum, [, size]) => sum + Number(size), 0) / 1024;
  });
  return sizes.toSorted((a, b) => b - a);
}

interface Process {
  readonly pid: number;
  /** What stands in `/proc/PID/stat` after the name: state, parent, … */
  readonly fields: readonly string[];
}

function treeOf(root: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name): Process => ({ pid: Number(name), fields: statOf(name) }));
  const found = all.filter(({ pid }) => pid === root);
  for (const parent of found) found.push(...all.filter(({ fields }) => Number(fields[1]) === parent.pid));
  return found;
}

function statOf(pid: string): readonly string[] {
  const text = textOf(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Empty where the process has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
