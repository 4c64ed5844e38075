/** Parses a list in CSV syntax: `a,"b, c","say ""hi"""`. */
import { FieldProblem } from '../field-problem.ts';

const item = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;

/**
 * The items; white space around them is trimmed, but not within quotes. Throws FieldProblem for an unclosed or
 * misplaced quote.
 */
export function parseCsvList(text: string): readonly string[] {
  const items: string[] = [];
  item.lastIndex = 0;
  for (;;) {
    const match = item.exec(text);
    const bare = match?.[2]?.trim();
    if (!match || bare?.startsWith('"')) throw new FieldProblem('has a quote that does not enclose a whole value');
    items.push(bare ?? (match[1] ?? '').replaceAll('""', '"'));
    if (match[3] === '') return items;
  }
}
