/** Metadata may name records: steps that set relations, rules of roles. A merge leaves these to their authors. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { quoted } from '../../errors.ts';
import { sql } from '../../postgres/sql.ts';

/** Parts of the workspace in a warning. */
const mostNamed = 5;

/** Warns of steps and roles that name one of the records. */
export async function warnOfMetadata(call: Call, tx: WorkspaceTransaction, ids: readonly string[]): Promise<void> {
  const { workspace } = call;
  const names = (definition: string) => ids.some((id) => definition.includes(id));
  const { rows: steps } = await tx.run(
    sql`select s.name, s.definition from ${workspace.table('_pipeline_steps')} s order by s.id`,
  );
  const { rows: roles } = await tx.run(
    sql`select r.name, r.permissions from ${workspace.table('_roles')} r order by r.position`,
  );
  const found = [
    ...steps.filter(([, definition]) => names(definition ?? '')).map(([name]) => `the step ${quoted(name ?? '')}`),
    ...roles.filter(([, permissions]) => names(permissions ?? '')).map(([name]) => `the role ${quoted(name ?? '')}`),
  ];
  if (found.length === 0) return;
  const more = found.length > mostNamed ? ' and others' : '';
  call.warn(`Merged records are still named in ${found.slice(0, mostNamed).join(', ')}${more}: name the master there`);
}
