/** Enters in the directory the members whose users an earlier release created without doing so. */
import type { Directory } from '../directory/directory.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

/** Enters the members of each organization that lacks them. Failures per organization are passed to `failed`. */
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
