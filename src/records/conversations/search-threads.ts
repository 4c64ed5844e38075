/**
 * Finds the caller's threads with all words of a search in their subjects or participants. Message contents are
 * sealed, and not searched.
 */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { escapeLike } from '../../fields/operators/like.ts';
import { and, or, sql, type Sql } from '../../postgres/sql.ts';
import type { NamedCondition } from '../../query/plan.ts';
import { contains } from '../../query/search.ts';
import { hasTrigram } from '../../query/search-terms.ts';
import { foldedWordsIn, wordsIn } from './thread-texts.ts';

const longest = 500;
const mostWords = 20;

/** The condition; undefined for a search without words. Throws VALIDATION_ERROR for one that is too long. */
export function threadsWith(call: Call, search: string): NamedCondition | undefined {
  if (search.length > longest) throw errors.validation(`search takes at most ${longest} characters`);
  const words = [...new Set(wordsIn(search))];
  if (words.length === 0) return undefined;
  if (words.length > mostWords) throw errors.validation(`search takes at most ${mostWords} words`);
  const folded = foldedWordsIn(search);
  const inText = (row: Sql) => folded.map((word) => contains(sql`${row}.search_text`, word));
  return {
    name: words.join(' '),
    isIndexed: folded.some(hasTrigram),
    // As an array both sides can use an index: a subselect would scan all threads.
    on: (row) => or([and(inText(row)), sql`${row}.id = any(array(${withoutText(call, words)}))`]),
  };
}

/** The matching threads that have no search text yet. */
function withoutText(call: Call, words: readonly string[]): Sql {
  const { workspace, me } = call;
  return sql`select t.id from ${workspace.table('_threads')} t
    where t.owner_id = ${me}::uuid and t.search_text is null and ${and(words.map((word) => occurs(call, word)))}`;
}

/**
 * Whether the word occurs, in any case, in the subject of the thread `t` or of its messages, or in names of its
 * participants.
 */
function occurs({ workspace, me }: Call, word: string): Sql {
  const has = (text: Sql) => sql`${text} collate "und-x-icu" ilike ${`%${escapeLike(word)}%`}`;
  const inMessage = or([has(sql`m.subject`), has(sql`array_to_string(m.participants, ' ')`)]);
  return or([
    has(sql`t.subject`),
    sql`exists (select from ${workspace.table('_interactions')} m
      where m.interaction_thread_id = t.id and m.owner_id = ${me}::uuid and m.deleted_at is null and ${inMessage})`,
  ]);
}
