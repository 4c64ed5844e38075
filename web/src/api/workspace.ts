/** What is known of the workspace from the start: who is in, what there is, and what the role may do with it. */
import type {
  MePermissionsAnswer,
  PipelinesListAnswer,
  SchemaGetAnswer,
  UsersListAnswer,
  WorkspaceGetAnswer,
} from '../../../client/index.js';
import { kith, speakFor } from './kith.ts';

export type ObjectShape = SchemaGetAnswer;
export type Field = ObjectShape['fields'][number];
export type FieldType = Field['type'];
export type Pipeline = PipelinesListAnswer['pipelines'][number];
export type Step = Pipeline['steps'][number];
export type User = UsersListAnswer['data'][number];
export type Permission = MePermissionsAnswer['objects'][string];

/** A record as the service gives it: values by field, and `FIELD_display` beside each relation and user. */
export type KithRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

export interface Workspace {
  /** The user in this organization. */
  readonly userId: string;
  readonly organizationId: string;
  readonly reader: WorkspaceGetAnswer;
  readonly permissions: MePermissionsAnswer['objects'];
  /** The objects whose records the reader may see, in the schema's order, by name. */
  readonly objects: ReadonlyMap<string, ObjectShape>;
  readonly pipelines: readonly Pipeline[];
  /** By id; inactive ones, too, since records name them. */
  readonly users: ReadonlyMap<string, User>;
}

/** Asks for all of it at once. */
export async function loadWorkspace(): Promise<Workspace> {
  const me = await kith.me.get();
  speakFor(me.workspaceUserId);
  const [reader, permissions, schema, { pipelines }, users] = await Promise.all([
    kith.workspace.get(),
    kith.me.permissions(),
    kith.schema.list(),
    kith.pipelines.list(),
    everyone(),
  ]);
  const seen = (schema.objects as readonly ObjectShape[]).filter(
    ({ name }) => (permissions.objects[name]?.view ?? 'none') !== 'none',
  );
  return {
    userId: me.workspaceUserId,
    organizationId: me.organizationId,
    reader,
    permissions: permissions.objects,
    objects: new Map(seen.map((object) => [object.name, object])),
    pipelines,
    users: new Map(users.map((user) => [user.id, user])),
  };
}

/** So many users are known by name from the start; those of further ones stand beside the records that name them. */
const mostUsers = 1_000;

async function everyone(): Promise<User[]> {
  const users: User[] = [];
  for await (const user of kith.users.listAll({ limit: 100 })) {
    users.push(user);
    if (users.length >= mostUsers) break;
  }
  return users;
}
