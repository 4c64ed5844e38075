/**
 * A write of rows as one statement that checks its caller. It answers one row per existing record: the result of each
 * check, and what is read afterwards.
 */
import type { Call } from '../../access/call.ts';
import { StaleCaller, type WorkspaceTransaction } from '../../access/workspace.ts';
import type { Row } from '../../postgres/database.ts';
import { and, empty, identifier, join, sql, trusted, withClauses, type Sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leaveState, type Author } from './leave.ts';
import { rowsAdded, type Judged, type RowWrite } from './row-write.ts';

/** Writes the rows that pass every check, in a transaction. Throws StaleCaller. */
export async function writeAtOnce(call: Call, tx: WorkspaceTransaction, write: RowWrite): Promise<Judged> {
  const { rows } = await tx.run(statementInOne(call, authorOf(call), write, []));
  if (rows[0]?.[answerColumns.caller] !== 't') throw new StaleCaller();
  return judgedIn(write, rows);
}

/** Columns of the answer that precede the checks, by index. */
export const answerColumns = { caller: 0, id: 1, written: 2 } as const;
/** The number of columns before the checks. */
export const leadingColumns = Object.keys(answerColumns).length;

/** The check results in the rows of the answer. */
export function judgedIn({ checks }: RowWrite, rows: readonly Row[]): Judged {
  const judged = new Map<string, readonly boolean[]>();
  for (const row of rows) {
    const id = row[answerColumns.id];
    if (typeof id === 'string')
      judged.set(
        id,
        checks.map((_, at) => row[leadingColumns + at] === 't'),
      );
  }
  return judged;
}

/** Builds the statement; `shown` is read of each row `written`, and of a row that stays as it was. */
export function statementInOne(call: Call, author: Author, write: RowWrite, shown: readonly Sql[]): Sql {
  const { object, action, columns, checks, differs, version } = write;
  const check = (at: number) => trusted(`k${at}`);
  const value = (at: number) => trusted(`n${at}`);
  const judged = [
    sql`${write.id} as id`,
    ...columns.map((column, at) => sql`${column.value} as ${value(at)}`),
    ...checks.map(({ condition }, at) => sql`${condition} as ${check(at)}`),
    sql`${write.before} as before`,
    sql`${write.links} as links`,
    ...(differs ? [sql`${differs} as differs`] : []),
    ...(version ? [sql`${version} as version`] : []),
  ];
  const passes = and([sql`caller.holds`, ...checks.map((_, at) => sql`checked.${check(at)}`)]);
  const table = call.workspace.table(object.table);
  const names = columns.map(({ name }) => identifier(name));
  const [isLone, isNew] = [write.ids.length === 1, action === 'create'];
  // With a single row, no comparison is needed.
  const same = isLone ? sql`true` : sql`written.id = checked.id`;
  const change = isNew
    ? sql`insert into ${table} (${join(names, ', ')})
          select ${join(
            columns.map((_, at) => sql`checked.${value(at)}`),
            ', ',
          )} from checked, caller where ${passes} returning *`
    : sql`update ${table} t set ${join(
        names.map((name, at) => sql`${name} = checked.${value(at)}`),
        ', ',
      )} from checked, caller where t.id = checked.id and ${and([passes, ...meanwhile(write)])}
          returning t.*, ${version ? sql`checked.version as _version, ` : empty}checked.before as _before, checked.links as _links`;
  const entry = { objectId: object.id, action };
  const left = isNew
    ? sql`(select written.id, checked.before, checked.links from written join checked on ${same}) rows_left`
    : sql`(select written.id, written._before as before, written._links as links from written) rows_left`;
  const clauses = [
    sql`caller as materialized (select ${call.workspace.guard} as holds)`,
    ...write.reads,
    sql`checked as materialized (select ${join(judged, ', ')} from ${write.from})`,
    sql`written as (${change})`,
    sql`history as (${leaveEntries(author, entry, left, isLone)})`,
    // Last: this is the contended row.
    sql`state as (${leaveState(author, entry, rowsAdded[action], isLone)})`,
  ];
  const answer = [
    sql`caller.holds`,
    sql`checked.id`,
    sql`written.id is not null`,
    ...checks.map((_, at) => sql`checked.${check(at)}`),
    ...shown,
  ];
  // An unchanged row is shown, too.
  const stays = sql`select was.*, null::jsonb, null::jsonb from was, checked, caller
    where was.id = checked.id and ${passes} and not checked.differs`;
  const rows = differs && shown.length > 0 ? sql`(select * from written union all ${stays}) written` : sql`written`;
  return sql`${withClauses(clauses)}
    select ${join(answer, ', ')} from caller left join checked on true left join ${rows} on ${same}`;
}

/** What is asked of the row `t` itself when it is written, beside the checks. */
function meanwhile({ differs, version }: RowWrite): readonly Sql[] {
  return [
    ...(differs ? [sql`checked.differs`] : []),
    // Compared again, with the new version, where the statement had to wait for another write of the row.
    ...(version ? [sql`t.xmin = checked.version`] : []),
  ];
}
