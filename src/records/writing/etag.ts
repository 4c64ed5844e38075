/**
 * The `ETag` of a record: the tag of its state, followed by a hash of the answer's text where a whole answer is
 * known. A write compares the state, a read the whole answer.
 */
import { errors } from '../../errors.ts';
import { digestOfText } from '../../lib/digest.ts';
import type { LongText } from '../../lib/long-text.ts';

/** The states that a record may have for a write to go on; undefined allows any. */
export type ExpectedStates = readonly string[] | undefined;

const tagOfAnswer = /^"([0-9a-f]{32})(?:-[\w-]+)?"$/;
const member = /\s*(\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/** The ETag of a state alone, for the answer to a write. */
export function stateEtag(tag: string): string {
  return `"${tag}"`;
}

/** The ETag of a record in this state, answered with `text`. */
export async function recordEtag(tag: string, text: LongText): Promise<string> {
  return `"${tag}-${(await digestOfText(text, 'base64url')).slice(0, 16)}"`;
}

/**
 * The states that `If-Match` names. Weak tags, and tags of something else, match no state. Throws VALIDATION_ERROR
 * for invalid syntax.
 */
export function expectedStates(ifMatch: string | undefined): ExpectedStates {
  if (ifMatch === undefined) return undefined;
  const tags: string[] = [];
  member.lastIndex = 0;
  do {
    const tag = member.exec(ifMatch)?.[1];
    if (tag === undefined) throw errors.validation('If-Match must be a list of ETags such as "0123abcd", or *');
    tags.push(tag);
  } while (member.lastIndex < ifMatch.length);
  if (tags.includes('*')) return undefined;
  return tags.flatMap((tag) => tagOfAnswer.exec(tag)?.[1] ?? []);
}
