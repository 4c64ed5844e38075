/** Has the directory know the users that a program made which did not tell it. */
import type { Directory } from '../directory/directory.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

/** Reads the users of each organization whose members nobody has entered yet. What fails of one is told to `failed`. */
export async function enterMembers(
  directory: Directory,
  failed: (schema: string, error: unknown) => void,
): Promise<void> {
  for (const id of await directory.organizationsWithoutMembers()) {
    const organization = await directory.organization(id);
    if (!organization) continue;
    try {
      const database = await directory.databaseOf(organization);
      const query = sql`select user_id from ${identifier(organization.schema, '_users')}`;
      const { rows } = await database.run(id, statement(query));
      await directory.enterMembers(
        id,
        rows.map(([userId]) => userId ?? ''),
      );
    } catch (error) {
      failed(organization.schema, error);
    }
  }
}
