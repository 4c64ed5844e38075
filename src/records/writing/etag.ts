/**
 * The `ETag` of a record: the tag of its state and, where a whole answer is known, a hash of its text behind it. A write
 * asks whether the state is still the same; a read, whether the whole answer is.
 */
import { errors } from '../../errors.ts';
import { digestOfText } from '../../lib/digest.ts';
import type { LongText } from '../../lib/long-text.ts';

/** The states of which a record must be in one for a write to go on; undefined where any will do. */
export type ExpectedStates = readonly string[] | undefined;

const tagOfAnswer = /^"([0-9a-f]{32})(?:-[\w-]+)?"$/;
const member = /\s*(\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/** The ETag of a state alone, as the answer to a write has it. */
export function stateEtag(tag: string): string {
  return `"${tag}"`;
}

/** The ETag of a record in this state that was answered with `text`. */
export async function recordEtag(tag: string, text: LongText): Promise<string> {
  return `"${tag}-${(await digestOfText(text, 'base64url')).slice(0, 16)}"`;
}

/** What `If-Match` asks for. A weak tag, or one of something else, is no state. Throws VALIDATION_ERROR for what is no list of tags. */
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
