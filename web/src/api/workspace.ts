/** What is loaded of the workspace at the start: the user, objects, pipelines and the role's permissions. */
import type {
  MePermissionsAnswer,
  PipelinesListAnswer,
  SchemaGetAnswer,
  UsersListAnswer,
  WorkspaceGetAnswer,
} from '../../../client/index.js';

export type ObjectShape = SchemaGetAnswer;
export type Field = ObjectShape['fields'][number];
export type FieldType = Field['type'];
export type Pipeline = PipelinesListAnswer['pipelines'][number];
export type Step = Pipeline['steps'][number];
export type User = UsersListAnswer['data'][number];
export type Permission = MePermissionsAnswer['objects'][string];

/** A record as the service returns it: values by field, and `FIELD_display` beside each relation and user. */
export type KithRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

export interface Workspace {
  /** The id of the workspace user. */
  readonly userId: string;
  readonly organizationId: string;
  readonly reader: WorkspaceGetAnswer;
  readonly permissions: MePermissionsAnswer['objects'];
  /** The objects whose records the reader may see, in the schema's order, by name. */
  readonly objects: ReadonlyMap<string, ObjectShape>;
  readonly pipelines: readonly Pipeline[];
  /** By id; includes inactive users, since records name them. */
  readonly users: ReadonlyMap<string, User>;
}
