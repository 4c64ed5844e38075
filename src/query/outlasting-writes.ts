/**
 * Whether what is known of a list holds although records were written since: a list that is asked for while others write is
 * searched again only if one of these writes concerns it.
 */
import { and, empty, sql, type Sql } from '../postgres/sql.ts';
import type { CallersScope } from './callers-scope.ts';
import { knownMark, knownTotal, knownVersion } from './known-list.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';
import { matchesOf, type TableRows } from './source.ts';

/** The conditions of a list. */
export interface Conditions {
  readonly scope: CallersScope;
  readonly records: TableRows;
  readonly conditions: readonly Sql[];
}

/** More matches are not remembered: a record that is written concerns them often. */
const mostMatches = 128;

/** More writes are not looked at: searching anew costs no more. */
const mostWrites = 256;

/** The latest entries of history that a mark names: a write that began before them may end after them. */
const seenEntries = 16;

const isSameVersion = sql`s.version is not distinct from ${knownVersion}`;

/**
 * Clauses that end in `known`, one row: what is known `holds` while the version is the same. They follow the clause `s` of
 * `stateOfList`.
 */
export function holdsAtVersion(): readonly Sql[] {
  return [sql`known as materialized (select ${isSameVersion} as holds from s)`];
}

/**
 * As `holdsAtVersion`, but what is known holds after writes, too, if none of the written records was a match or is one.
 * History has to name all that was written: the version has risen by as many as there are transactions with an entry, each
 * with one alone. No other object that the conditions read may have changed.
 */
export function holdsDespiteWrites({ scope, records, conditions }: Conditions): readonly Sql[] {
  const { model } = scope.context;
  return [
    sql`marked as materialized (select (v.mark ->> 'floor')::xid8 as floor, (v.mark ->> 'seen')::bigint[] as seen,
        (v.mark ->> 'matches')::int[] as matches
      from (select ${knownMark} as mark) v, s
      where not ${isSameVersion} and (v.mark ->> 'related')::numeric = s.related_version)`,
    sql`entries as materialized (select e.* from marked cross join lateral (select h.id, h.tx, h.object_id, h.record_id
      from ${tableOf(model, '_history')} h where h.epoch = ${model.epoch}::bigint and h.tx > marked.floor
      order by h.epoch, h.tx, h.id limit ${mostWrites + seenEntries}::int) e
      where e.object_id = ${scope.object.id}::uuid and e.id <> all(marked.seen))`,
    sql`known as materialized (select case when ${isSameVersion} then true
        when (select count(*) = s.version - ${knownVersion} and count(distinct tx) = count(*) from entries)
        then not exists (select from entries e where uuid_hash(e.record_id) = any((select matches from marked)::int[]))
          and not exists (select from entries e cross join lateral
            (select from ${records.from} where ${and([sql`${records.row}.id = e.record_id`, ...conditions])} offset 0) t)
        else false end as holds from s)`,
  ];
}

/** The mark of the matches that still hold after writes; null where nothing was written. */
export function markOfHeld({ scope }: Conditions): Sql {
  return sql`case when known.holds and not ${isSameVersion} then ${markWith(scope, sql`(select matches from marked)`)} end`;
}

/** Where the clause `matches` comes from: all that the source found, or the first ones, of which there may be more. */
export type MatchesKind = 'all' | 'first';

/**
 * The mark of the matches, once among the rows of the answer, where the version is another than the known one; null
 * where there are too many.
 */
export function markOfFound({ scope }: Conditions, kind: MatchesKind): Sql {
  const matches = sql`case when known.holds then (select matches from marked)
    when ${areFew(kind)} then (select coalesce(array_agg(uuid_hash(id)), '{}') from matches) end`;
  return sql`case when row_number() over () = 1 and not ${isSameVersion} then ${markWith(scope, matches)} end`;
}

/** The mark with these hashes of ids and the latest entries of history; null without them. */
function markWith({ context: { model } }: ObjectScope, matches: Sql): Sql {
  // No aggregate of xid8 before PostgreSQL 16.
  return sql`(select jsonb_build_object('related', s.related_version::text, 'matches', v.matches::text,
      'floor', coalesce(h.floor, '0'), 'seen', coalesce(h.seen, '{}'))
    from (select ${matches} as matches) v,
      (select min(e.tx::text::numeric)::text as floor, array_agg(e.id)::text as seen
        from (select h.tx, h.id from ${tableOf(model, '_history')} h where h.epoch = ${model.epoch}::bigint
          order by h.epoch desc, h.tx desc, h.id desc limit ${seenEntries}::int) e) h
    where v.matches is not null)`;
}

/** Where many more were known, the first ones are not collected: there probably still are. */
const mayBeFew = sql`coalesce(${knownTotal}, 0) <= ${4 * mostMatches}::int`;

function areFew(kind: MatchesKind): Sql {
  const areCounted = sql`(select count(*) from matches) <= ${mostMatches}::int`;
  return kind === 'all' ? areCounted : and([mayBeFew, areCounted]);
}

/** The clause `matches` of kind `first`. The limit stands outside, so that PostgreSQL plans for all. */
export function firstMatches({ records, conditions }: Conditions): Sql {
  const isWanted = sql`not (select holds from known) and ${mayBeFew}`;
  const found = sql`select ${records.row}.id from ${records.from} where ${and([isWanted, ...conditions])}`;
  return matchesOf(found, mostMatches + 1);
}

/** In `countedUnlessKnown`: the number of the matches where these are all. */
export function countOfMatches(kind: MatchesKind): Sql {
  return kind === 'all' ? empty : sql`when ${areFew(kind)} then (select count(*) from matches)`;
}
