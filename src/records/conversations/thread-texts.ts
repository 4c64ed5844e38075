/** The search text of a thread: all words of its subjects and participants, without repetition, in lower case, without accents. */
import type { Aftermath, WorkspaceTransaction } from '../../access/workspace.ts';
import { normalise } from '../../fields/search-text.ts';
import type { Model } from '../../model/model.ts';
import { raiseVersions } from '../../model/state.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, sql, type Sql } from '../../postgres/sql.ts';

type TableOf = (name: string) => Sql;

const batchSize = 500;

/** The words of a text in their search form: in lower case, without accents. */
export function foldedWordsIn(text: string): readonly string[] {
  return wordsIn(normalise(text));
}

/** The words of a text, unchanged. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** The thread's text `known`, with the missing words of `texts` appended. */
export function withWords(known: string, texts: readonly (string | null)[]): string {
  return [...new Set([known, ...texts].flatMap((text) => foldedWordsIn(text ?? '')))].join(' ');
}

/** Rebuilds the texts of threads locked by the transaction, since words may be gone. */
export async function renewTexts(tx: WorkspaceTransaction, table: TableOf, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.run(sql`select t.id, t.subject, (select json_agg(distinct x.part collate "C")
      from ${table('_interactions')} i cross join lateral unnest(i.participants || array[i.subject]) x (part)
      where i.interaction_thread_id = t.id and i.owner_id = t.owner_id and i.deleted_at is null)
    from ${table('_threads')} t where t.id = any(${ids}::uuid[])`);
  await tx.run(sql`update ${table('_threads')} t set search_text = n.text
    from unnest(${rows.map(([id = null]) => id)}::uuid[], ${rows.map(([, ...cells]) => textOf(cells))}::text[]) n (id, text)
    where t.id = n.id`);
}

function textOf([subject = null, parts]: readonly Cell[]): string {
  return withWords('', [subject, ...(JSON.parse(parts ?? '[]') as readonly (string | null)[])]);
}

/**
 * Builds the missing texts of threads from an earlier release, while `goesOn` holds; locked threads are skipped until
 * the next run.
 */
export async function completeThreadTexts(
  { transaction }: Pick<Aftermath, 'transaction'>,
  { schema, objects }: Model,
  goesOn: () => boolean,
): Promise<void> {
  const table: TableOf = (name) => identifier(schema, name);
  const next = async (tx: WorkspaceTransaction): Promise<number> => {
    const here = await tx.run(sql`select from ${table('_organization')} o where not o.moved for key share`);
    if (here.count === 0) return 0;
    const { rows } = await tx.run(sql`select t.id from ${table('_threads')} t where t.search_text is null
      order by t.id limit ${batchSize}::int for update skip locked`);
    await renewTexts(
      tx,
      table,
      rows.map(([id]) => id ?? ''),
    );
    // With a text, a thread is found by other words.
    const threads = objects.get('threads');
    if (threads && rows.length > 0) await tx.run(raiseVersions(schema, [threads]));
    return rows.length;
  };
  while (goesOn() && (await transaction(next)) === batchSize);
}
