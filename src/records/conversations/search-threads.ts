/** Which of the caller's threads have all words of a search in their subjects or among those who take part. What messages say is sealed, and not looked into. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { and, or, sql, type Sql } from '../../postgres/sql.ts';
import type { NamedCondition } from '../../query/plan.ts';
import { escapeLike } from '../../query/search.ts';

const longest = 500;
const mostWords = 20;

/** The condition; undefined for a search without words. Throws VALIDATION_ERROR for one that is too long. */
export function threadsWith(call: Call, search: string): NamedCondition | undefined {
  if (search.length > longest) throw errors.validation(`search takes at most ${longest} characters`);
  const words = [...new Set(search.split(/\s+/u).filter((word) => word !== ''))];
  if (words.length === 0) return undefined;
  if (words.length > mostWords) throw errors.validation(`search takes at most ${mostWords} words`);
  return { name: words.join(' '), on: (row) => and(words.map((word) => occurs(call, row, word))) };
}

/** Whether the word, in any case, is in the subject of the thread or of one of its messages, or in what people are called there. */
function occurs({ workspace, me }: Call, thread: Sql, word: string): Sql {
  const has = (text: Sql) => sql`${text} collate "und-x-icu" ilike ${`%${escapeLike(word)}%`}`;
  const inMessage = or([has(sql`m.subject`), has(sql`array_to_string(m.participants, ' ')`)]);
  return or([
    has(sql`${thread}.subject`),
    sql`exists (select from ${workspace.table('_interactions')} m
      where m.interaction_thread_id = ${thread}.id and m.owner_id = ${me}::uuid and m.deleted_at is null and ${inMessage})`,
  ]);
}
