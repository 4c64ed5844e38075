/** Who is calling, as the organization's own tables say. */
import type { RoleDef } from '../model/model.ts';

export interface Caller {
  readonly organizationId: string;
  readonly datasourceId: string;
  /** The person, across organizations. */
  readonly userId: string;
  readonly workspaceUserId: string;
  readonly role: RoleDef;
  /** Null where no token was used: the command line, on the machine itself. */
  readonly tokenId: string | null;
  readonly scopes: readonly string[];
}
