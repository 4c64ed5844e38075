/**
 * Fits an answer into a maximum of characters. Pages end early by themselves; of other answers, long texts and lists are
 * shortened first, then the largest members left out, and the answer states which.
 */
import { Digits, isObject, type Json, type JsonObject } from '../lib/json.ts';
import { soMany } from '../lib/so-many.ts';

/** Characters that a shortened text keeps at least. */
const leastText = 200;
/** More cuts would make the answer useless. */
const mostCuts = 200;
const mostNamed = 8;
/** Characters of the member that states the cuts. */
const ofNotice = 120;

/** Pages are not cut: their cursor continues after the last row, so that a dropped row would be lost. */
const paged = /^(?:data|messages|events|timeline|records|groups|csv|(?:interactions|tasks|notes)\.items)$/;
/** Members that an agent needs to continue. */
const needed = /(?:^|\.)(?:id|\w*cursor|nextCursor|\w+_id|total\w*|truncated|has_more)$/;

interface Cut {
  /** The most characters that it can save. */
  readonly saves: number;
  /** Saves about that many characters, and returns the note for the answer. */
  make(characters: number): string;
  readonly path: string;
}

/** Cuts `answer` in place, with `truncated` and `left_out`; undefined if it cannot be made small enough. */
export function cutAnswer(answer: JsonObject, most: number): JsonObject | undefined {
  const notes = new Map<string, string>();
  for (let cuts = 0; cuts < mostCuts; cuts++) {
    const shown = notes.size === 0 ? answer : { ...answer, truncated: true, left_out: listOf([...notes.values()]) };
    const excess = lengthOf(shown) - most;
    if (excess <= 0) return shown;
    const cut = largestCut(answer);
    if (!cut) return undefined;
    notes.set(cut.path, cut.make(excess + (notes.size === 0 ? ofNotice : 0)));
  }
  return undefined;
}

function listOf(notes: readonly string[]): string[] {
  const rest = notes.length - mostNamed;
  return rest > 0 ? [...notes.slice(0, mostNamed), `and ${rest} more`] : [...notes];
}

const lengthOf = (value: Json) => JSON.stringify(value).length;

/** The largest possible cut; members are dropped only if no text or list can be shortened. */
function largestCut(answer: JsonObject): Cut | undefined {
  const [shorter, fewer]: [Cut[], Cut[]] = [[], []];
  for (const [name, value] of Object.entries(answer)) collect(answer, name, value, name, shorter, fewer);
  const bySaving = (a: Cut, b: Cut) => b.saves - a.saves;
  return shorter.toSorted(bySaving)[0] ?? fewer.toSorted(bySaving)[0];
}

/** Adds the possible cuts of the member `key` of `holder`, recursively. */
function collect(
  holder: JsonObject | Json[],
  key: string,
  value: Json,
  path: string,
  shorter: Cut[],
  fewer: Cut[],
): void {
  const put = (shown: Json) => void Object.assign(holder, { [key]: shown });
  if (needed.test(path)) return;
  if (typeof value === 'string' && value.length > leastText && !paged.test(path))
    shorter.push(ofText(path, value, put));
  if (typeof value !== 'object' || value === null || value instanceof Digits) return;
  if (Array.isArray(value)) {
    if (value.length > 1 && !paged.test(path)) shorter.push(ofList(path, value, put));
    for (const [at, item] of value.entries()) collect(value, String(at), item, `${path}[${at}]`, shorter, fewer);
    return;
  }
  for (const [name, item] of Object.entries(value)) collect(value, name, item, `${path}.${name}`, shorter, fewer);
  if (!Array.isArray(holder) && paged.test(path)) return;
  for (const [name, item] of Object.entries(value)) {
    if (needed.test(name) || !isObject(value)) continue;
    fewer.push({
      path: `${path}.${name}`,
      saves: lengthOf(item) + name.length,
      make: () => (delete value[name], `${path}.${name}`),
    });
  }
}

/** Original lengths of lists that are shortened repeatedly. */
const lengths = new WeakMap<object, number>();

function ofText(path: string, text: string, put: (shown: Json) => void): Cut {
  return {
    path,
    saves: text.length - leastText,
    make(characters) {
      const shown = `${text.slice(0, Math.max(leastText - 1, text.length - characters - 1)).toWellFormed()}…`;
      put(shown);
      return `${path}: all but the first ${soMany(shown.length - 1, 'character')}`;
    },
  };
}

function ofList(path: string, list: Json[], put: (shown: Json) => void): Cut {
  const count = lengths.get(list) ?? list.length;
  return {
    path,
    saves: lengthOf(list) - lengthOf(list[0] ?? null),
    make(characters) {
      let [shown, saved] = [list.length, 0];
      while (shown > 1 && saved < characters) saved += lengthOf(list[--shown] ?? null) + 1;
      const rest = list.slice(0, shown);
      lengths.set(rest, count);
      put(rest);
      return `${path}: ${(count - shown).toLocaleString('en')} of ${count.toLocaleString('en')}`;
    },
  };
}
