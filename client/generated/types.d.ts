// Made by `npm run client` of the operations of the service.
import type { Answered, EventStream, FileOptions, IfMatch, KeyOptions, ObjectName, ObjectTypes, Pages, ReadOptions, StreamOptions, Trial, WriteOptions } from '../index.js';

/** What an error of the service may be called. */
export type ServiceErrorCode = "AMBIGUOUS_SENDER" | "CONFIRM_INVALID" | "CONFIRM_MISMATCH" | "CONFIRM_REQUIRED" | "CONFLICT" | "DESTRUCTIVE_CHANGE" | "DUPLICATE_RECORD" | "INTERNAL_ERROR" | "INVALID_ARGUMENT" | "INVALID_CHANNEL" | "INVALID_FIELD" | "INVALID_OBJECT" | "INVALID_OPERATION" | "MERGE_FAILED" | "MISSING_REQUIRED_FIELD" | "MISSING_REQUIRED_FIELDS" | "NOT_FOUND" | "NOT_SUPPORTED" | "NO_ACCOUNT" | "PERMISSION_DENIED" | "RATE_LIMITED" | "RECORD_NOT_FOUND" | "SEND_FAILED" | "SEND_NOT_ENABLED" | "SEND_UNKNOWN" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "WRITE_FAILED";

/** The types of files that an import takes. */
export type FileType = "text/csv" | "text/tab-separated-values" | "application/x-ndjson" | "application/jsonl" | "text/vcard";

/** Conditions that must all hold, or of which one must. Groups nest up to 20 deep. */
export interface FilterGroup {
  type: "AND" | "OR";
  conditions: (FilterCondition | FilterGroup)[];
}

export interface FilterCondition {
  /** A field, or one behind a relation: company_id.name */
  field: string;
  operator: "equals" | "not_equals" | "contains" | "starts_with" | "ends_with" | "ilike" | "greater_than" | "less_than" | "greater_equal" | "less_equal" | "between" | "in" | "not_in" | "is_null" | "is_not_null" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "date_equals" | "date_before" | "date_after" | "date_between" | "date_today" | "date_this_week" | "date_this_month";
  /** What it is compared with; several values are separated by commas, or an array */
  value?: unknown;
}

export interface SortKey {
  field: string;
  direction: "asc" | "desc";
}

export interface FieldError {
  field: string;
  message: string;
}

export interface ListOutcome {
  list_id: string;
  added: number;
  skipped_already_in_list: number;
  failed: number;
  error?: string;
}

/** Objects, fields, pipelines, roles and settings of a workspace */
export interface Manifest {
  organization?: Record<string, unknown>;
  objects?: Record<string, unknown>[];
  pipelines?: Record<string, unknown>[];
  roles?: Record<string, unknown>[];
}

export interface MeGetAnswer {
  userId: string;
  organizationId: string;
  workspaceUserId: string;
  schemaName: string;
  isAdmin: boolean;
  scopes: string[];
  profile: {
    name: string;
    email: string;
    role_id: string;
  } | null;
}

export interface MePermissionsAnswer {
  role: string;
  isAdmin: boolean;
  objects: Record<string, {
    view: "all" | "some" | "none";
    create: boolean;
    update: "all" | "some" | "none";
    delete: "all" | "some" | "none";
    fields: Record<string, "write" | "read">;
  }>;
}

export interface WorkspaceGetAnswer {
  name: string;
  email: string;
  role: string;
  isAdmin: boolean;
  organization: string;
  currency: string;
  timezone: string;
  displayFields: Record<string, string>;
}

export interface WorkspaceUpdateBody {
  /** What the organization is called */
  organization?: string;
  /** What an amount without a currency is in: a code of ISO 4217 */
  currency?: string;
  /** Where a day begins: a time zone of the IANA database */
  timezone?: string;
}

export interface WorkspaceUpdateAnswer {
  /** What the organization is called */
  organization: string;
  /** What an amount without a currency is in: a code of ISO 4217 */
  currency: string;
  /** Where a day begins: a time zone of the IANA database */
  timezone: string;
}

export interface RolesListAnswer {
  roles: {
    id: string;
    name: string;
    is_admin: boolean;
  }[];
}

export interface LimitsListAnswer {
  limits: ({
    policy: string;
    counted_per: string;
    limit: number;
    window_seconds: number;
    remaining: number | null;
    reset: number | null;
  })[];
}

export interface AccessExplainQuery {
  /** E-mail address, or id */
  user: string;
  /** Plural name of the object */
  object: string;
  /** Id of the record; create needs none, nor does what is asked of a field */
  record?: string;
  /** Name of a field */
  field?: string;
  action?: "view" | "create" | "update" | "delete";
}

export interface AccessExplainAnswer {
  allowed: boolean;
  rule: {
    role: string;
    action: string;
    entry: string | null;
    says: unknown;
  };
  because: string;
  field?: {
    name: string;
    access: "write" | "read" | "none";
    entry: string | null;
    says: string | null;
    because: string;
  };
}

export interface UsersListQuery {
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
  is_active?: boolean;
  /** Part of a name or an e-mail address */
  search?: string;
}

export interface UsersListAnswer {
  data: {
    id: string;
    name: string;
    email: string;
    role_id: string;
    is_active: boolean;
  }[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type UsersListItem = UsersListAnswer["data"][number];

export interface UserUpdateBody {
  /** Name of a role, such as Member */
  role?: string;
  /** An inactive user's tokens and sessions do not work */
  is_active?: boolean;
  name?: string;
}

export interface UserUpdateAnswer {
  id: string;
  name: string;
  email: string;
  role_id: string;
  is_active: boolean;
}

export interface InvitationsListAnswer {
  data: {
    id: string;
    email: string;
    role: string;
    invited_by: string;
    created_at: string;
    expires_at: string;
  }[];
  total: number;
}

export interface InvitationCreateBody {
  email: string;
  /** Name of a role, such as Member */
  role: string;
}

export interface InvitationCreateAnswer {
  id: string;
  email: string;
  role: string;
  invited_by: string;
  created_at: string;
  expires_at: string;
}

export interface InvitationWithdrawAnswer {
  withdrawn: boolean;
}

export interface TokensListQuery {
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
  /** Of that user alone */
  user_id?: string;
  is_revoked?: boolean;
}

export interface TokensListAnswer {
  data: ({
    id: string;
    name: string;
    scopes: string[];
    user_id: string;
    user_name: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    revoked_at: string | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type TokensListItem = TokensListAnswer["data"][number];

export interface TokenCreateBody {
  /** What it is for */
  name: string;
  scopes?: readonly string[];
  /** A number and a unit, such as 90d or 12h; it does not expire when absent */
  expires_in?: string;
}

export interface TokenCreateAnswer {
  id: string;
  name: string;
  scopes: string[];
  expires_at: string | null;
  token: string;
}

export interface TokenRevokeAnswer {
  id: string;
  revoked: boolean;
}

export interface ConnectedAppsListQuery {
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface ConnectedAppsListAnswer {
  data: ({
    id: string;
    /** By its own account */
    name: string;
    /** Where the person was sent back to */
    host: string;
    client_id: string;
    user_id: string;
    user_name: string;
    created_at: string;
    last_used_at: string | null;
    connected_until: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ConnectedAppsListItem = ConnectedAppsListAnswer["data"][number];

export interface ConnectedAppDisconnectAnswer {
  id: string;
  disconnected: boolean;
}

export interface IntegrationsStatusAnswer {
  integrations: ({
    id: string;
    provider: string;
    account_email: string | null;
    status: "active" | "expired" | "error";
    last_sync_at: string | null;
    created_at: string;
  })[];
  /** Absent where nothing is connected */
  total?: number;
}

export interface AccountsListQuery {
  /** E-mail address of whose accounts */
  user?: string;
}

export interface AccountsListAnswer {
  accounts: ({
    id: string;
    /** E-mail address of whose it is */
    user: string;
    provider: string;
    account_email: string | null;
    channels: ("email" | "meeting" | "linkedin" | "whatsapp" | "telegram")[];
    send_enabled: boolean;
    status: "active" | "expired" | "error";
    last_error: string | null;
    last_sync_at: string | null;
    next_sync_at: string | null;
    created_at: string;
    /** Messages that are still to be brought in, as far as that is known */
    remaining: number;
  })[];
}

export interface AccountsAddQuery {
  /** E-mail address of whose account it is; your own when absent */
  user?: string;
}

export interface AccountsAddAnswer {
  integrationId: string;
  provider: string;
  account_email: string;
  status: "active" | "expired" | "error";
}

export interface AccountsSyncAnswer {
  threads: number;
  interactions: number;
  events: number;
  failed: ({
    folder: string;
    uid: number | string;
    reason: string;
  })[];
}

export interface AccountsRemoveQuery {
  purge?: boolean;
}

export interface AccountsRemoveAnswer {
  removed: boolean;
}

export interface SchemaListQuery {
  include_hidden?: boolean;
  /** Of each object its names, and the types of its fields by name */
  brief?: boolean;
}

export interface SchemaListAnswer {
  objects: ({
    /** Plural; the segment of paths */
    name: string;
    label: string;
    labelSingular: string;
    isSystem: boolean;
    isHidden: boolean;
    iconName: string | null;
    color: string | null;
    fields: ({
      name: string;
      label: string;
      type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "RELATION" | "DEPENDENT_RELATION" | "MORPH_RELATION" | "MANY_TO_MANY" | "USERS" | "PIPELINE" | "CALCULATED" | "ROLLUP";
      isRequired: boolean;
      isReadonly: boolean;
      isSearchable: boolean;
      isHidden: boolean;
      defaultValue: string | null;
      isUnique: boolean;
      options: {
        value: string;
        label: string;
        color?: string;
      }[] | null;
      relationConfig?: {
        relationType: "BELONGS_TO_ONE" | "HAS_MANY" | "MANY_TO_MANY" | "MORPH_RELATION";
        targetObjectName: string;
        targetObjectNames?: string[];
        inverseField?: string;
      };
      /** Of CALCULATED and ROLLUP: the type of what they give; an amount is a plain number */
      valueType?: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "RELATION" | "DEPENDENT_RELATION" | "MORPH_RELATION" | "MANY_TO_MANY" | "USERS" | "PIPELINE" | "CALCULATED" | "ROLLUP";
      /** Of DEPENDENT_RELATION: the relation whose record the target belongs to */
      dependsOn?: string;
    })[];
  } | {
    name: string;
    label: string;
    /** Types, and what relations lead to, by field */
    fields: Record<string, string>;
  })[];
  enums: unknown[];
}

export interface SchemaGetAnswer {
  /** Plural; the segment of paths */
  name: string;
  label: string;
  labelSingular: string;
  isSystem: boolean;
  isHidden: boolean;
  iconName: string | null;
  color: string | null;
  fields: ({
    name: string;
    label: string;
    type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "RELATION" | "DEPENDENT_RELATION" | "MORPH_RELATION" | "MANY_TO_MANY" | "USERS" | "PIPELINE" | "CALCULATED" | "ROLLUP";
    isRequired: boolean;
    isReadonly: boolean;
    isSearchable: boolean;
    isHidden: boolean;
    defaultValue: string | null;
    isUnique: boolean;
    options: {
      value: string;
      label: string;
      color?: string;
    }[] | null;
    relationConfig?: {
      relationType: "BELONGS_TO_ONE" | "HAS_MANY" | "MANY_TO_MANY" | "MORPH_RELATION";
      targetObjectName: string;
      targetObjectNames?: string[];
      inverseField?: string;
    };
    /** Of CALCULATED and ROLLUP: the type of what they give; an amount is a plain number */
    valueType?: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "RELATION" | "DEPENDENT_RELATION" | "MORPH_RELATION" | "MANY_TO_MANY" | "USERS" | "PIPELINE" | "CALCULATED" | "ROLLUP";
    /** Of DEPENDENT_RELATION: the relation whose record the target belongs to */
    dependsOn?: string;
  })[];
}

export interface OpenapiGetAnswer {
  openapi: string;
}

export type ManifestPullAnswer = Manifest;

export interface ManifestApplyQuery {
  /** Answer the changes without making them */
  dry_run?: boolean;
  /** Also where rows lose values */
  allow_destroy?: boolean;
  /** Also where tables are locked for more than a second */
  allow_lock?: boolean;
}

export interface ManifestApplyAnswer {
  changes: {
    action: string;
    kind: string;
    name: string;
  }[];
}

export interface RecordsListQuery {
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** Ids of records, comma-separated: of these alone */
  ids?: string | readonly string[];
  /** The field of a single condition */
  filter_field?: string;
  /** Its operator */
  filter_operator?: "equals" | "not_equals" | "contains" | "starts_with" | "ends_with" | "ilike" | "greater_than" | "less_than" | "greater_equal" | "less_equal" | "between" | "in" | "not_in" | "is_null" | "is_not_null" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "date_equals" | "date_before" | "date_after" | "date_between" | "date_today" | "date_this_week" | "date_this_month";
  /** Its value; several are separated by commas */
  filter_value?: string | readonly string[];
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** Up to five keys */
  sort?: readonly SortKey[] | string;
  /** One key; ignored when sort is there */
  sort_by?: string;
  sort_dir?: "asc" | "desc";
  /** Words that all must occur */
  search?: string;
  /** Comma-separated; all visible ones when absent */
  fields?: string | readonly string[];
  /** Records by this field; cursor and limit are ignored */
  group_by?: string;
  /** Clamped to its range */
  limit_per_group?: number;
}

export interface RecordsListAnswer<R extends ObjectTypes> {
  data: R["record"][];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export interface RecordsListGroups<R extends ObjectTypes> {
  object_name: string;
  group_by: string;
  limit_per_group: number;
  /** By the value of the field */
  groups: Record<string, R["record"][]>;
  /** All that there are in each group */
  counts: Record<string, number>;
  /** Where groups are ids: what they are called, null where that is not to be seen */
  labels?: Record<string, string | null>;
  /** Present where there are more groups */
  truncated?: boolean;
  /** Groups that show fewer records than asked for: the answer would be too large */
  truncated_groups?: string[];
}

export type RecordsListItem<R extends ObjectTypes> = RecordsListAnswer<R>["data"][number];

export interface RecordsGetQuery {
  /** Comma-separated; all visible ones when absent */
  fields?: string | readonly string[];
  /** A time: the record as it was then */
  as_of?: string;
  follow?: "merged";
}

export interface RecordsGetAnswer<R extends ObjectTypes> {
  record: R["record"];
  lists?: {
    list_id: string;
    list_name: string;
    entry_id: string;
    entry_fields: Record<string, unknown>;
  }[];
}

export interface RecordsHistoryQuery {
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface RecordsHistoryAnswer {
  data: ({
    id: string;
    action: "create" | "update" | "delete" | "restore" | "unlink";
    at: string | null;
    actor: {
      id: string;
      display: string | null;
    } | null;
    /** api, import, cli, demo, job, … */
    means: string;
    agent: string | null;
    token?: string | null;
    change_set: string | null;
    changes: ({
      field: string;
      before: unknown;
      after: unknown;
    } | {
      field: string;
      added: string[];
      removed: string[];
      changed?: string[];
      moved?: string[];
    })[];
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type RecordsHistoryItem = RecordsHistoryAnswer["data"][number];

export interface RecordsCreateAnswer<R extends ObjectTypes> {
  id: string;
  action: "created";
  record?: R["record"];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface RecordsUpsertQuery {
  /** Required: the field that finds a record, unique or of the type EMAILS or PHONES */
  match?: string;
}

export interface RecordsUpsertAnswer<R extends ObjectTypes> {
  id: string;
  action: "created" | "updated";
  record?: R["record"];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface RecordsUpdateAnswer<R extends ObjectTypes> {
  id: string;
  action: "updated";
  record?: R["record"];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface RecordsDeleteAnswer {
  deleted: boolean;
}

export interface RecordsRestoreAnswer<R extends ObjectTypes> {
  id: string;
  action: "restored";
  record?: R["record"];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface RecordsBatchCreateBody<R extends ObjectTypes> {
  records: R["create"][];
  /** Ids of lists to add the records to */
  add_to_list_ids?: readonly string[];
  /** Name of a new list for the records (admin) */
  create_list_name?: string;
}

export interface RecordsBatchCreateAnswer<R extends ObjectTypes> {
  action: "created";
  created: number;
  failed: number;
  records: R["record"][];
  errors: {
    index: number;
    code: string;
    message: string;
    field_errors?: FieldError[];
  }[];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface RecordsBatchUpsertBody<R extends ObjectTypes> {
  /** Required: the field that finds a record, unique or of the type EMAILS or PHONES */
  match?: string;
  records: R["update"][];
}

export interface RecordsBatchUpsertAnswer {
  action: "upserted";
  created: number;
  updated: number;
  failed: number;
  records: ({
    index: number;
    id: string;
    action: "created" | "updated";
  })[];
  errors: {
    index: number;
    code: string;
    message: string;
    field_errors?: FieldError[];
  }[];
}

export interface BulkUpdateBody {
  action: "update_field" | "add_relation" | "remove_relation" | "delete" | "restore";
  /** Plural name of the object */
  object_name: string;
  /** Of update_field */
  field_name?: string;
  /** Of update_field: what a write of one record takes */
  field_value?: unknown;
  /** Of the actions on relations */
  relation_field?: string;
  /** Of the actions on relations: ids of records that it leads to */
  target_ids?: readonly string[];
  /** The object of the target, where relation_field leads to several */
  target_object?: string;
  /** Values of each new link, by junction field */
  junction_data?: Record<string, unknown>;
  /** Required without filters: at most 10,000 ids */
  record_ids?: readonly string[];
  /** All records that match, in place of record_ids; not of restore */
  filters?: FilterGroup;
  /** Required with filters: how many match. Where it is another number, nothing is changed */
  expected_count?: number;
}

export type BulkUpdateAnswer = {
  action: "update_field" | "add_relation" | "remove_relation" | "delete" | "restore";
  /** Of update_field: records */
  updated?: number;
  /** Of add_relation: records */
  processed?: number;
  /** Of remove_relation: links that went */
  removed?: number;
  /** Of delete: records */
  deleted?: number;
  /** Of restore: records */
  restored?: number;
  /** Records that are as they were */
  failed: number;
  errors: {
    id: string;
    reason: string;
  }[];
  /** record_ids supplied, or records that match; for remove_relation, times target_ids */
  total: number;
  /** Ids that were given more than once */
  duplicates?: number;
} | {
  action: string;
  job_id: string;
  /** Where more than 1,000 match */
  status: "queued";
  total: number;
};

export type JobsListQuery = RecordsHistoryQuery;

export interface JobsListAnswer {
  data: ({
    id: string;
    kind: "bulk" | "import";
    status: "queued" | "running";
    action: string | null;
    object_name: string | null;
    import_job_id: string | null;
    change_set: string;
    /** Records that it has looked at, or rows */
    done: number;
    /** Of so many */
    total: number;
    error: string | null;
    created_at: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type JobsListItem = JobsListAnswer["data"][number];

export interface JobsGetAnswer {
  id: string;
  kind: "bulk";
  status: "queued" | "running" | "completed" | "completed_with_errors" | "cancelled" | "failed";
  created_at: string;
  finished_at: string | null;
  error: string | null;
  /** Records that it has looked at */
  done: number;
  /** So far */
  outcome: {
    action: "update_field" | "add_relation" | "remove_relation" | "delete" | "restore";
    /** Of update_field: records */
    updated?: number;
    /** Of add_relation: records */
    processed?: number;
    /** Of remove_relation: links that went */
    removed?: number;
    /** Of delete: records */
    deleted?: number;
    /** Of restore: records */
    restored?: number;
    /** Records that are as they were */
    failed: number;
    errors: {
      id: string;
      reason: string;
    }[];
    total: number;
  };
}

export type JobsCancelAnswer = JobsGetAnswer;

export interface NotesListQuery {
  /** One of contacts, companies, opportunities; with entity_id */
  entity_type?: string;
  /** Id of a record; with entity_type */
  entity_id?: string;
  /** The field of a single condition */
  filter_field?: string;
  /** Its operator */
  filter_operator?: "equals" | "not_equals" | "contains" | "starts_with" | "ends_with" | "ilike" | "greater_than" | "less_than" | "greater_equal" | "less_equal" | "between" | "in" | "not_in" | "is_null" | "is_not_null" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "date_equals" | "date_before" | "date_after" | "date_between" | "date_today" | "date_this_week" | "date_this_month";
  /** Its value; several are separated by commas */
  filter_value?: string | readonly string[];
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** Words that all must occur */
  search?: string;
  /** Up to five keys */
  sort?: readonly SortKey[] | string;
  /** One key; ignored when sort is there */
  sort_by?: string;
  sort_dir?: "asc" | "desc";
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface NotesListAnswer {
  data: ({
    id: string;
    title?: string;
    /** HTML */
    content?: string;
    visibility?: "workspace" | "private";
    created_by_display?: {
      id: string;
      display: string | null;
      image: string | null;
    } | null;
    created_at?: string;
    updated_at?: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type NotesListItem = NotesListAnswer["data"][number];

export interface NotesGetAnswer {
  note: {
    id: string;
    title?: string;
    /** HTML */
    content?: string;
    visibility?: "workspace" | "private";
    created_by_display?: {
      id: string;
      display: string | null;
      image: string | null;
    } | null;
    created_at?: string;
    updated_at?: string;
    linked_entities: ({
      id: string;
      type: string;
      display: string | null;
    })[];
  };
}

export interface NotesCreateBody {
  /** HTML; what could load or run something is removed */
  content: string;
  /** One of contacts, companies, opportunities; with entity_id */
  entity_type?: string;
  /** Id of a record; with entity_type */
  entity_id?: string;
  /** Records of contacts, companies, opportunities */
  linked_entities?: ({
    /** Id of the record */
    id: string;
    type: string;
    /** Ignored: an answer has it */
    display?: string | null;
  })[];
  /** Ids of workspace users to notify of the note */
  mentioned_user_ids?: readonly string[];
  data?: {
    visibility?: "workspace" | "private";
  };
}

export interface NotesCreateAnswer {
  note_id: string;
  action: "created";
}

export interface NotesUpdateBody {
  /** HTML; what could load or run something is removed */
  content?: string;
  /** Records of contacts, companies, opportunities */
  linked_entities?: ({
    /** Id of the record */
    id: string;
    type: string;
    /** Ignored: an answer has it */
    display?: string | null;
  })[];
  /** Ignored: a note mentions when it is made */
  mentioned_user_ids?: readonly string[];
  data?: {
    visibility?: "workspace" | "private";
  };
}

export interface NotesUpdateAnswer {
  note_id: string;
  action: "updated";
}

export type NotesDeleteAnswer = RecordsDeleteAnswer;

export interface TasksListQuery {
  mode?: "all" | "today" | "overdue" | "upcoming" | "completed";
  /** A workspace user */
  assigned_to?: string;
  priority?: "low" | "medium" | "urgent";
  action_type?: "call" | "email" | "meeting" | "linkedin_message" | "whatsapp_message";
  /** A record that they are linked to */
  linked_entity_id?: string;
  linked_entity_type?: "contacts" | "companies" | "opportunities";
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** Up to five keys */
  sort?: readonly SortKey[] | string;
  /** One key; ignored when sort is there */
  sort_by?: string;
  sort_dir?: "asc" | "desc";
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface TasksListAnswer {
  data: ({
    id?: string;
    title?: string;
    due_date?: string | null;
    due_all_day?: boolean | null;
    priority?: "low" | "medium" | "urgent" | null;
    action_type?: "call" | "email" | "meeting" | "linkedin_message" | "whatsapp_message" | null;
    is_completed?: boolean;
    assigned_to_id?: string | null;
    assigned_by_id?: string | null;
    completed_at?: string | null;
    completed_by?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type TasksListItem = TasksListAnswer["data"][number];

export interface TasksStatsQuery {
  /** A workspace user: only the tasks assigned to this one */
  user_id?: string;
}

export interface TasksStatsAnswer {
  total: number;
  completedToday?: number;
  remainingToday?: number;
  overdue?: number;
  thisWeek?: number;
  /** Percent */
  completionRate?: number;
}

export interface TasksGetAnswer {
  task: {
    id?: string;
    title?: string;
    due_date?: string | null;
    due_all_day?: boolean | null;
    priority?: "low" | "medium" | "urgent" | null;
    action_type?: "call" | "email" | "meeting" | "linkedin_message" | "whatsapp_message" | null;
    is_completed?: boolean;
    assigned_to_id?: string | null;
    assigned_by_id?: string | null;
    completed_at?: string | null;
    completed_by?: string | null;
    created_by?: string | null;
    created_at?: string;
    updated_at?: string;
    linked_entities: ({
      id: string;
      type: string;
      display: string | null;
    })[];
  };
}

export interface TasksCreateBody {
  /** Required for a new one */
  title?: string;
  /** A day such as 2026-01-31, or a time */
  due_date?: string | null;
  priority?: "low" | "medium" | "urgent" | null;
  /** A workspace user; null for nobody */
  assigned_to_id?: string | null;
  action_type?: "call" | "email" | "meeting" | "linkedin_message" | "whatsapp_message" | null;
  /** Records of contacts, companies, opportunities */
  linked_entities?: ({
    /** Id of the record */
    id: string;
    type: string;
    /** Ignored: an answer has it */
    display?: string | null;
  })[];
}

export interface TasksCreateAnswer {
  task_id: string;
  action: "created";
}

export type TasksUpdateBody = TasksCreateBody;

export interface TasksUpdateAnswer {
  task_id: string;
  action: "updated";
}

export interface TasksCompleteBody {
  completed?: boolean;
}

export interface TasksCompleteAnswer {
  task_id: string;
  action: "completed" | "reopened";
}

export type TasksDeleteAnswer = RecordsDeleteAnswer;

export interface NotificationsListQuery {
  /** true: only what was not read */
  unread?: boolean;
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface NotificationsListAnswer {
  data: ({
    id: string;
    kind: "task_assigned" | "task_completed" | "mention_in_note";
    actor: {
      id: string;
      display: string;
    } | null;
    entity: {
      type: string | null;
      id: string;
      display: string | null;
    };
    message: string;
    created_at: string;
    read_at: string | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
  /** How many were not read, of all */
  unread: number;
}

export type NotificationsListItem = NotificationsListAnswer["data"][number];

export interface NotificationsStreamEvent {
  id: string;
  kind: "task_assigned" | "task_completed" | "mention_in_note";
  actor: {
    id: string;
    display: string;
  } | null;
  entity: {
    type: string | null;
    id: string;
    display: string | null;
  };
  message: string;
  created_at: string;
  read_at: string | null;
}

export interface NotificationsMarkAllBody {
  read: true;
}

export interface NotificationsMarkAllAnswer {
  /** How many were unread */
  marked: number;
}

export interface NotificationsMarkBody {
  read: boolean;
}

export interface NotificationsMarkAnswer {
  id: string;
  read_at: string | null;
}

export interface PipelinesListAnswer {
  pipelines: ({
    id: string;
    name: string;
    objectName: string;
    is_default: boolean;
    steps: ({
      id: string;
      name: string;
      order_index: number;
      kind: "ongoing" | "won" | "lost";
      questions: {
        linked_field_name: string;
        required_for_next_stage: boolean;
        required_for_closure: boolean;
        is_forced_value: boolean;
      }[];
      forced_values: Record<string, unknown>;
      default_values: Record<string, unknown>;
    })[];
  })[];
}

export interface PipelinesMoveBody {
  /** Required: id of a step, or its name where only one has it */
  pipeline_step_id?: string;
  /** That of the step when absent */
  pipeline_id?: string;
}

export interface PipelinesMoveAnswer {
  /** The id in the path */
  deal_id: string;
  pipeline_step_id: string;
  action: "moved";
}

export type PipelinesHistoryQuery = RecordsHistoryQuery;

export interface PipelinesHistoryAnswer {
  data: ({
    id: string;
    pipeline_id: string | null;
    pipeline_id_display: string | null;
    pipeline_step_id: string;
    pipeline_step_id_display: string | null;
    entered_at: string | null;
    left_at: string | null;
    moved_by: {
      id: string;
      display: string;
    } | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
  time_in_steps: ({
    pipeline_step_id: string;
    pipeline_step_id_display: string | null;
    seconds: number | null;
    is_current: boolean;
  })[];
}

export type PipelinesHistoryItem = PipelinesHistoryAnswer["data"][number];

export interface ActivityRecordQuery {
  view?: "sections" | "timeline";
  /** Comma-separated: interactions, tasks, notes; all when absent */
  include?: string | readonly string[];
  channel?: "all" | "email" | "meeting" | "linkedin" | "whatsapp" | "telegram" | "phone";
  /** Of a company: messages of this contact alone */
  contact_id?: string;
  task_status?: "open" | "completed" | "all";
  task_mode?: "today" | "overdue" | "upcoming";
  notes_quick_filter?: "all" | "my_items";
  /** next_cursor of the interactions before, or of the timeline */
  cursor?: string;
  /** next_cursor of the interactions before */
  interactions_cursor?: string;
  /** next_cursor of the tasks before */
  tasks_cursor?: string;
  /** next_cursor of the notes before */
  notes_cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface ActivityRecordAnswer {
  record: {
    object_name: string;
    id: string;
    display: string | null;
  };
  interactions?: {
    /** With interactions alone */
    available?: boolean;
    reason?: string;
    items: ({
      id: string;
      date: string;
      channel?: string;
      direction?: string;
      subject?: string | null;
      preview?: string | null;
      participants?: string[];
      thread_id?: string;
      title?: string | null;
      status?: "open" | "done" | null;
      due_date?: string | null;
      priority?: string | null;
      assignee?: {
        id: string;
        display: string;
      } | null;
      author?: {
        id: string;
        display: string;
      } | null;
      kind?: "interaction" | "task" | "note";
    })[];
    total: number;
    has_more: boolean;
    next_cursor?: string;
  };
  tasks?: {
    /** With interactions alone */
    available?: boolean;
    reason?: string;
    items: ({
      id: string;
      date: string;
      channel?: string;
      direction?: string;
      subject?: string | null;
      preview?: string | null;
      participants?: string[];
      thread_id?: string;
      title?: string | null;
      status?: "open" | "done" | null;
      due_date?: string | null;
      priority?: string | null;
      assignee?: {
        id: string;
        display: string;
      } | null;
      author?: {
        id: string;
        display: string;
      } | null;
      kind?: "interaction" | "task" | "note";
    })[];
    total: number;
    has_more: boolean;
    next_cursor?: string;
  };
  notes?: {
    /** With interactions alone */
    available?: boolean;
    reason?: string;
    items: ({
      id: string;
      date: string;
      channel?: string;
      direction?: string;
      subject?: string | null;
      preview?: string | null;
      participants?: string[];
      thread_id?: string;
      title?: string | null;
      status?: "open" | "done" | null;
      due_date?: string | null;
      priority?: string | null;
      assignee?: {
        id: string;
        display: string;
      } | null;
      author?: {
        id: string;
        display: string;
      } | null;
      kind?: "interaction" | "task" | "note";
    })[];
    total: number;
    has_more: boolean;
    next_cursor?: string;
  };
  interactions_available?: boolean;
  counts?: Record<string, number>;
  timeline?: unknown[];
  has_more?: boolean;
  /** Of the timeline, where there is more */
  next_cursor?: string;
}

export interface InboxThreadsQuery {
  channel?: "all" | "email" | "meeting" | "linkedin" | "whatsapp" | "telegram";
  /** Words that all occur in subjects or among those who take part */
  search?: string;
  /** A field of threads; last_message_date when absent */
  sort_by?: string;
  sort_dir?: "asc" | "desc";
  /** true adds each conversation's last message */
  last_message?: boolean;
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface InboxThreadsAnswer {
  data: ({
    id: string;
    subject: string | null;
    channel: "email" | "meeting" | "linkedin" | "whatsapp" | "telegram";
    last_message_date: string | null;
    message_count: number;
    summary: string | null;
    content_visibility: "full" | "metadata_subject" | "none";
    managed_by_workspace_user_id: string | null;
    external_thread_id: string;
    last_message?: {
      id: string;
      direction: "inbound" | "outbound";
      date: string;
      /** The beginning of its text; null where its key is lost */
      preview: string | null;
      participants: string[];
      /** One that the caller sees for each address of up to 20 participants; phone numbers are digits */
      contacts: ({
        address: string;
        id: string;
        display: string | null;
      })[];
    } | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type InboxThreadsItem = InboxThreadsAnswer["data"][number];

export interface InboxThreadQuery {
  /** next_message_cursor of the page before */
  message_cursor?: string;
  /** Clamped to its range */
  message_limit?: number;
  /** true adds the contacts who take part to each message */
  contacts?: boolean;
}

export interface InboxThreadAnswer {
  thread: {
    id: string;
    subject: string | null;
    channel: "email" | "meeting" | "linkedin" | "whatsapp" | "telegram";
    last_message_date: string | null;
    message_count: number;
    summary: string | null;
    content_visibility: "full" | "metadata_subject" | "none";
    managed_by_workspace_user_id: string | null;
    external_thread_id: string;
  };
  messages: ({
    id: string;
    subject: string | null;
    channel: "email" | "meeting" | "linkedin" | "whatsapp" | "telegram";
    direction: "inbound" | "outbound";
    date: string;
    delivery: "unknown" | "sent" | "delivered" | "read" | "failed" | null;
    content: string | null;
    content_html: string | null;
    content_text: string | null;
    content_blocks: unknown[] | string | null;
    summary: string | null;
    participants: string[];
    interaction_thread_id: string;
    /** One that the caller sees for each address of up to 20 participants; phone numbers are digits */
    contacts?: ({
      address: string;
      id: string;
      display: string | null;
    })[];
  })[];
  total_messages: number;
  next_message_cursor: string | null;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export interface InboxMarkReadBody {
  is_read?: unknown;
}

export interface InboxMarkReadAnswer {
}

export interface InboxMarkBody {
  action: "read" | "unread" | "favorite" | "unfavorite";
}

export interface InboxMarkAnswer {
  thread_id: string;
  action: "read" | "unread" | "favorite" | "unfavorite";
  channel: "email";
  /** Whether the mailbox has taken it */
  applied: boolean;
}

export interface MessagesPreviewBody {
  channel: "email" | "linkedin" | "whatsapp";
  /** HTML for email, else plain text */
  body: string;
  /** The own thread that it replies in: needed for linkedin, the chat for whatsapp */
  thread_id?: string;
  /** Addresses, also as `Anna Lee <anna@globex.test>`; needed for email, and only there */
  to?: readonly string[];
  /** As `to` */
  cc?: readonly string[];
  /** As `to` */
  bcc?: readonly string[];
  /** Needed for email, also in replies */
  subject?: string;
  /** The own account that sends it; needed where there are several */
  from_account_email?: string;
  /** The chat of whatsapp: the external_thread_id of an own thread */
  chat_id?: string;
}

export interface MessagesPreviewAnswer {
  mode: "preview";
  /** true */
  confirm_required: boolean;
  confirm_token: string;
  message: {
    channel: "email" | "linkedin" | "whatsapp";
    from: string;
    to: string[];
    cc: string[];
    bcc: string[];
    subject: string | null;
    /** As it goes out: of HTML, what is harmless */
    body: string;
    reply_to_thread: string | null;
  };
  note: string;
}

export interface MessagesSendBody {
  channel: "email" | "linkedin" | "whatsapp";
  /** HTML for email, else plain text */
  body: string;
  /** The own thread that it replies in: needed for linkedin, the chat for whatsapp */
  thread_id?: string;
  /** Addresses, also as `Anna Lee <anna@globex.test>`; needed for email, and only there */
  to?: readonly string[];
  /** As `to` */
  cc?: readonly string[];
  /** As `to` */
  bcc?: readonly string[];
  /** Needed for email, also in replies */
  subject?: string;
  /** The own account that sends it; needed where there are several */
  from_account_email?: string;
  /** The chat of whatsapp: the external_thread_id of an own thread */
  chat_id?: string;
  /** confirm_token of the preview of exactly this message */
  confirm_token?: string;
}

export interface MessagesSendAnswer {
  mode: "sent" | "duplicate_suppressed";
  channel: "email" | "linkedin" | "whatsapp";
  /** Of a duplicate, the id of the first */
  message_id: string;
  thread_id: string;
  message: {
    channel: "email" | "linkedin" | "whatsapp";
    from: string;
    to: string[];
    cc: string[];
    bcc: string[];
    subject: string | null;
    /** As it goes out: of HTML, what is harmless */
    body: string;
    reply_to_thread: string | null;
  };
}

export interface InboxInteractionAnswer {
  data: {
    record: {
      id: string;
      subject: string | null;
      channel: "email" | "meeting" | "linkedin" | "whatsapp" | "telegram";
      direction: "inbound" | "outbound";
      date: string;
      delivery: "unknown" | "sent" | "delivered" | "read" | "failed" | null;
      content: string | null;
      content_html: string | null;
      content_text: string | null;
      content_blocks: unknown[] | string | null;
      summary: string | null;
      participants: string[];
      interaction_thread_id: string;
    };
  };
}

export interface MeetingsListQuery {
  action?: "list";
  /** Required: a time or a day, of which the span begins */
  start_date?: string;
  /** Required: a time or a day, with which the span ends */
  end_date?: string;
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface MeetingsListAnswer {
  events: ({
    id: string;
    title: string | null;
    start_time: string;
    end_time: string | null;
    all_day: boolean;
    status: "confirmed" | "tentative" | "cancelled";
    organizer: string | null;
    attendees: ({
      email: string;
      name: string | null;
      response: string | null;
      contact_id?: string;
    })[];
    location: string | null;
    meeting_url: string | null;
    thread_id: string | null;
    linked_entities: ({
      type: string;
      id: string;
      display: string | null;
    })[];
  })[];
  total: number;
  nextCursor?: string;
  truncated?: boolean;
}

export type MeetingsListItem = MeetingsListAnswer["events"][number];

export interface ListsListQuery {
  /** Lists that take records of this object */
  object_type?: string;
  /** Part of a name */
  search?: string;
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface ListsListAnswer {
  data: ({
    id: string;
    name: string;
    description: string | null;
    icon_name: string | null;
    color: string | null;
    object_types: string[];
    fields: ({
      id: string;
      name: string;
      label: string;
      type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "USERS";
      isRequired: boolean;
      options: {
        value: string;
        label: string;
        color?: string;
      }[] | null;
      defaultValue: unknown;
    })[];
    /** Entries that the caller may see */
    entry_count: number;
    created_by: string | null;
    created_by_display: string | null;
    created_at: string;
    updated_at: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ListsListItem = ListsListAnswer["data"][number];

export interface ListsCreateBody {
  name: string;
  /** Plural names of the objects whose records it takes */
  object_types: readonly string[];
  description?: string | null;
  icon_name?: string | null;
  color?: string | null;
  /** All fields of the entries: one with the id, or the name, of one that is there is that one */
  fields?: ({
    id?: string;
    name: string;
    label?: string;
    type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "USERS";
    isRequired?: boolean;
    options?: ({
      value: string;
      label?: string;
      color?: string | null;
    })[] | null;
    defaultValue?: unknown;
  })[];
  /** Ids of records, instead of record_id */
  record_ids?: readonly string[];
  /** The object of record_ids; needed where the list takes several */
  object_type?: string;
}

export interface ListsCreateAnswer {
  id: string;
  name: string;
  description: string | null;
  icon_name: string | null;
  color: string | null;
  object_types: string[];
  fields: ({
    id: string;
    name: string;
    label: string;
    type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "USERS";
    isRequired: boolean;
    options: {
      value: string;
      label: string;
      color?: string;
    }[] | null;
    defaultValue: unknown;
  })[];
  /** Entries that the caller may see */
  entry_count: number;
  created_by: string | null;
  created_by_display: string | null;
  created_at: string;
  updated_at: string;
  added?: number;
  skipped_already_in_list?: number;
  failed?: number;
  /** The first 50 that failed */
  errors?: {
    record_id: string;
    code: string;
    message: string;
  }[];
}

export interface ListsGetAnswer {
  id: string;
  name: string;
  description: string | null;
  icon_name: string | null;
  color: string | null;
  object_types: string[];
  fields: ({
    id: string;
    name: string;
    label: string;
    type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "USERS";
    isRequired: boolean;
    options: {
      value: string;
      label: string;
      color?: string;
    }[] | null;
    defaultValue: unknown;
  })[];
  /** Entries that the caller may see */
  entry_count: number;
  created_by: string | null;
  created_by_display: string | null;
  created_at: string;
  updated_at: string;
}

export interface ListsUpdateBody {
  name?: string;
  description?: string | null;
  icon_name?: string | null;
  color?: string | null;
  /** Plural names of the objects whose records it takes */
  object_types?: readonly string[];
  /** All fields of the entries: one with the id, or the name, of one that is there is that one */
  fields?: ({
    id?: string;
    name: string;
    label?: string;
    type: "TEXT" | "LONG_TEXT" | "RICH_TEXT" | "NUMBER" | "INTEGER" | "DECIMAL" | "PERCENT" | "CURRENCY" | "RATING" | "BOOLEAN" | "DATE" | "DATETIME" | "DATE_RANGE" | "DURATION" | "ELAPSED_TIME" | "EMAIL" | "EMAILS" | "PHONES" | "URL" | "ADDRESS" | "SELECT" | "MULTI_SELECT" | "USERS";
    isRequired?: boolean;
    options?: ({
      value: string;
      label?: string;
      color?: string | null;
    })[] | null;
    defaultValue?: unknown;
  })[];
}

export type ListsUpdateAnswer = ListsGetAnswer;

export type ListsDeleteAnswer = RecordsDeleteAnswer;

export type ListEntriesListQuery = RecordsHistoryQuery;

export interface ListEntriesListAnswer {
  data: ({
    entry_id: string;
    record_id: string;
    object_type: string;
    record: {
      display: string | null;
      image: null;
    };
    entry_fields: Record<string, unknown>;
    created_at: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ListEntriesListItem = ListEntriesListAnswer["data"][number];

export interface ListEntriesAddBody {
  /** Plural name of the object of the records */
  object_type: string;
  /** Id of a record */
  record_id?: string;
  /** Ids of records, instead of record_id */
  record_ids?: readonly string[];
  /** Values by the names of the fields of the list */
  entry_fields?: Record<string, unknown>;
}

export interface ListEntriesAddAnswer {
  list_id: string;
  added: number;
  skipped_already_in_list: number;
  failed: number;
  /** The first 50 that failed */
  errors?: {
    record_id: string;
    code: string;
    message: string;
  }[];
}

export interface ListEntriesRemoveBody {
  /** Plural name of the object of the records */
  object_type: string;
  /** Id of a record */
  record_id?: string;
  /** Ids of records, instead of record_id */
  record_ids?: readonly string[];
}

export interface ListEntriesRemoveAnswer {
  list_id: string;
  removed: number;
  not_in_list: number;
}

export interface ListEntriesUpdateBody {
  /** Values by the names of the fields of the list */
  entry_fields: Record<string, unknown>;
}

export interface ListEntriesUpdateAnswer {
  entry_id: string;
  record_id: string;
  object_type: string;
  record: {
    display: string | null;
    image: null;
  };
  entry_fields: Record<string, unknown>;
  created_at: string;
}

export type DashboardsListQuery = RecordsHistoryQuery;

export interface DashboardsListAnswer {
  data: ({
    id: string;
    name: string;
    owner: string;
    owner_display: string | null;
    charts: ({
      id: string;
      title: string;
      object_name?: string;
      metric_field?: string | null;
      aggregation?: string;
      chart_type: "bar" | "doughnut" | "indicator";
      group_by?: string | null;
      bucket?: "day" | "week" | "month" | "quarter" | "year" | null;
      filters?: FilterGroup | null;
      comparison?: boolean;
      comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
      date_field?: string;
      position: number;
      /** Why the chart shows nothing to the caller; what it computes is hidden then */
      error?: {
        code: string;
        message: string;
      };
    })[];
    created_at: string;
    updated_at: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type DashboardsListItem = DashboardsListAnswer["data"][number];

export interface DashboardsCreateBody {
  name: string;
  charts?: ({
    title: string;
    /** Plural name of the object */
    object_name: string;
    chart_type: "bar" | "doughnut" | "indicator";
    /** What the function is of; COUNT without it counts records */
    metric_field?: string;
    /** A function as aggregates have them; COUNT when absent */
    aggregation?: string;
    /** A field; needed for bar and doughnut, and not for indicator */
    group_by?: string;
    bucket?: "day" | "week" | "month" | "quarter" | "year";
    /** A FilterGroup, also as JSON text */
    filters?: FilterGroup;
    /** Whether it shows the current period beside the one before; false when absent */
    comparison?: boolean;
    comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
    /** By which records fall into periods; created_at when absent */
    date_field?: string;
  })[];
}

export interface DashboardsCreateAnswer {
  id: string;
  name: string;
  owner: string;
  owner_display: string | null;
  charts: ({
    id: string;
    title: string;
    object_name?: string;
    metric_field?: string | null;
    aggregation?: string;
    chart_type: "bar" | "doughnut" | "indicator";
    group_by?: string | null;
    bucket?: "day" | "week" | "month" | "quarter" | "year" | null;
    filters?: FilterGroup | null;
    comparison?: boolean;
    comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
    date_field?: string;
    position: number;
    /** Why the chart shows nothing to the caller; what it computes is hidden then */
    error?: {
      code: string;
      message: string;
    };
  })[];
  created_at: string;
  updated_at: string;
}

export type DashboardsGetAnswer = DashboardsCreateAnswer;

export type DashboardsDeleteAnswer = RecordsDeleteAnswer;

export interface DashboardsComputeQuery {
  comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
}

export interface DashboardsComputeAnswer {
  id: string;
  name: string;
  charts: ({
    id: string;
    title: string;
    object_name?: string;
    metric_field?: string | null;
    aggregation?: string;
    chart_type: "bar" | "doughnut" | "indicator";
    group_by?: string | null;
    bucket?: "day" | "week" | "month" | "quarter" | "year" | null;
    filters?: FilterGroup | null;
    comparison?: boolean;
    comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
    date_field?: string;
    position: number;
    /** Why the chart shows nothing to the caller; what it computes is hidden then */
    error?: {
      code: string;
      message: string;
    };
    /** Of an indicator: a number, a day or a time, or null */
    value?: unknown;
    currencies?: Record<string, number>;
    /** Of bar and doughnut, as aggregates have them */
    results?: {
      group: unknown;
      display?: unknown;
      value: unknown;
      currencies?: Record<string, number>;
    }[];
    /** Present where there are more groups */
    truncated?: boolean;
    /** Of a comparison: the days that are shown */
    period?: {
      from: string;
      to: string;
    };
    /** Of a comparison: the same of the period before */
    previous?: {
      from: string;
      to: string;
      /** Of an indicator: a number, a day or a time, or null */
      value?: unknown;
      currencies?: Record<string, number>;
      /** Of bar and doughnut, as aggregates have them */
      results?: {
        group: unknown;
        display?: unknown;
        value: unknown;
        currencies?: Record<string, number>;
      }[];
      /** Present where there are more groups */
      truncated?: boolean;
    };
    change_percent?: number | null;
  })[];
}

export interface ChartsCreateBody {
  title: string;
  /** Plural name of the object */
  object_name: string;
  chart_type: "bar" | "doughnut" | "indicator";
  /** What the function is of; COUNT without it counts records */
  metric_field?: string;
  /** A function as aggregates have them; COUNT when absent */
  aggregation?: string;
  /** A field; needed for bar and doughnut, and not for indicator */
  group_by?: string;
  bucket?: "day" | "week" | "month" | "quarter" | "year";
  /** A FilterGroup, also as JSON text */
  filters?: FilterGroup;
  /** Whether it shows the current period beside the one before; false when absent */
  comparison?: boolean;
  comparison_period?: "previous_month" | "previous_quarter" | "previous_year";
  /** By which records fall into periods; created_at when absent */
  date_field?: string;
}

export type ChartsCreateAnswer = DashboardsCreateAnswer;

export type ChartsDeleteAnswer = RecordsDeleteAnswer;

export interface ViewsListQuery {
  /** Plural name of an object: its views alone */
  object?: string;
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface ViewsListAnswer {
  data: ({
    id: string;
    object_name: string;
    layout: "table" | "board";
    columns: {
      field: string;
      /** Pixels */
      width?: number;
    }[] | null;
    filters: FilterGroup | null;
    sort: SortKey[];
    search: string | null;
    group_by: string | null;
    totals: string | null;
    /** Whether something is left out, of which a field is gone, not for the caller, or of another type by now */
    is_partial: boolean;
    /** The fields of what is left out that the caller may know of */
    unavailable: string[];
    name: string;
    is_shared: boolean;
    is_draft: boolean;
    /** Null for a draft */
    position: number | null;
    owner: string;
    owner_display: string | null;
    created_at: string;
    updated_at: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ViewsListItem = ViewsListAnswer["data"][number];

export interface ViewsCreateBody {
  /** Plural name of the object */
  object_name: string;
  name: string;
  layout?: "table" | "board";
  /** In their order, a name alone without a width; null for those that a table has by itself */
  columns?: ({
    field: string;
    /** Pixels */
    width?: number;
  } | string)[] | null;
  /** A FilterGroup, also as JSON text; null for none */
  filters?: FilterGroup | null;
  /** Up to five keys, also as JSON text; null for the usual order */
  sort?: readonly SortKey[] | null;
  search?: string | null;
  /** The field whose values are the columns of a board, or groups of a table */
  group_by?: string | null;
  /** The field that is summed up */
  totals?: string | null;
  /** Whether all see it: for admins */
  is_shared?: boolean;
  /** Whether it is kept for an address alone: in no list, never changed, and read by all who know its id and see the object */
  is_draft?: boolean;
  /** Views stand in the order of these; behind the others when absent */
  position?: number;
}

export interface ViewsCreateAnswer {
  id: string;
  object_name: string;
  layout: "table" | "board";
  columns: {
    field: string;
    /** Pixels */
    width?: number;
  }[] | null;
  filters: FilterGroup | null;
  sort: SortKey[];
  search: string | null;
  group_by: string | null;
  totals: string | null;
  /** Whether something is left out, of which a field is gone, not for the caller, or of another type by now */
  is_partial: boolean;
  /** The fields of what is left out that the caller may know of */
  unavailable: string[];
  name: string;
  is_shared: boolean;
  is_draft: boolean;
  /** Null for a draft */
  position: number | null;
  owner: string;
  owner_display: string | null;
  created_at: string;
  updated_at: string;
}

export type ViewsGetAnswer = ViewsCreateAnswer;

export interface ViewsUpdateBody {
  name?: string;
  layout?: "table" | "board";
  /** In their order, a name alone without a width; null for those that a table has by itself */
  columns?: ({
    field: string;
    /** Pixels */
    width?: number;
  } | string)[] | null;
  /** A FilterGroup, also as JSON text; null for none */
  filters?: FilterGroup | null;
  /** Up to five keys, also as JSON text; null for the usual order */
  sort?: readonly SortKey[] | null;
  search?: string | null;
  /** The field whose values are the columns of a board, or groups of a table */
  group_by?: string | null;
  /** The field that is summed up */
  totals?: string | null;
  /** Whether all see it: for admins */
  is_shared?: boolean;
  /** Views stand in the order of these; behind the others when absent */
  position?: number;
}

export type ViewsUpdateAnswer = ViewsCreateAnswer;

export type ViewsDeleteAnswer = RecordsDeleteAnswer;

export type TrashListQuery = RecordsHistoryQuery;

export interface TrashListAnswer {
  data: ({
    id: string;
    display: string | null;
    deleted_at: string;
    deleted_by: {
      id: string;
      display: string;
    } | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type TrashListItem = TrashListAnswer["data"][number];

export interface TrashPurgeAnswer {
  purged: boolean;
}

export interface ChangeSetsListQuery {
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** A time; 30 days ago when absent */
  since?: string;
  /** Id of a user: those of this one alone */
  actor?: string;
}

export interface ChangeSetsListAnswer {
  data: ({
    id: string;
    /** When it was begun */
    at: string;
    actor: {
      id: string;
      display: string | null;
    } | null;
    /** api, import, cli, job, undo, … */
    means: string;
    agent: string | null;
    token?: string | null;
    operation: string | null;
    /** Those that the caller sees something of */
    writes: number;
    /** Records and lists that they are of */
    records: number;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ChangeSetsListItem = ChangeSetsListAnswer["data"][number];

export interface ChangeSetsGetAnswer {
  change_set: {
    id: string;
    /** When it was begun */
    at: string;
    actor: {
      id: string;
      display: string | null;
    } | null;
    /** api, import, cli, job, undo, … */
    means: string;
    agent: string | null;
    token?: string | null;
    operation: string | null;
    /** Those that the caller sees something of */
    writes: number;
    /** Records and lists that they are of */
    records: number;
  };
}

export type ChangeSetsWritesQuery = RecordsHistoryQuery;

export interface ChangeSetsWritesAnswer {
  data: ({
    /** lists for a list */
    object: string;
    id: string;
    /** How it is called now; null for one that is gone */
    display: string | null;
    action: "create" | "update" | "delete" | "restore" | "unlink" | "purge";
    changes: ({
      field: string;
      before: unknown;
      after: unknown;
    } | {
      field: string;
      added: string[];
      removed: string[];
      changed?: string[];
      moved?: string[];
    })[];
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ChangeSetsWritesItem = ChangeSetsWritesAnswer["data"][number];

export interface ChangeSetsUndoBody {
  /** Its id, as the header Change-Set of the write named it */
  change_set: string;
}

export interface ChangeSetsUndoAnswer {
  action: "undone";
  /** That of the undo, which can be undone as well */
  change_set: string;
  /** Records and lists that something was put back of */
  undone: number;
  /** Records and lists that were left, or something of them */
  left_count: number;
  /** The first 50 */
  left: ({
    object: string;
    id: string;
    reason: "changed_since" | "not_allowed" | "in_trash" | "duplicate" | "does_not_fit";
    /** Absent where it is the whole record */
    fields?: string[];
    message?: string;
  })[];
}

export interface AuditListQuery {
  action?: "organization.created" | "user.created" | "user.changed" | "token.created" | "token.revoked" | "app.connected" | "app.disconnected" | "role.changed" | "model.changed" | "export" | "import" | "merge" | "unmerge" | "send" | "admin.denied" | "signin" | "signout" | "invitation.created" | "invitation.accepted" | "invitation.withdrawn" | "account.connected" | "account.removed" | "audit.broken";
  /** Id of a user: what this one did */
  actor?: string;
  /** A time: from then on */
  since?: string;
  /** A time: before it */
  until?: string;
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface AuditListAnswer {
  data: ({
    /** Its number: 1 is the first, none is left out */
    seq: number;
    at: string;
    action: string;
    /** Names, ids and counts, by action */
    subject: {
    };
    actor: {
      id: string;
      display: string | null;
    } | null;
    /** api, mcp, cli, system */
    means: string;
    agent: string | null;
    token: string | null;
    request_id: string | null;
    address: string | null;
    /** Its signature, which has in it that of the entry before */
    hash: string;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type AuditListItem = AuditListAnswer["data"][number];

export interface EventsListQuery {
  /** position of an earlier answer, or now; all from the oldest change on when absent */
  after?: string;
  /** Clamped to its range */
  limit?: number;
  /** Plural names of the only objects to follow, separated by commas */
  object?: string | readonly string[];
}

export interface EventsListAnswer {
  events: ({
    /** The same for the same change, in every read and for everybody */
    id: string;
    type: "record.created" | "record.updated" | "record.deleted" | "record.restored" | "record.removed" | "reset";
    object_name: string | null;
    record_id?: string;
    at?: string | null;
    actor?: {
      id: string;
      display: string | null;
    } | null;
    /** api, import, cli, job, undo, … */
    means?: string;
    agent?: string | null;
    change_set?: string | null;
    /** Of an update: the changed fields that the caller sees */
    fields?: string[];
    merged_into?: string;
    /** The record as it is now, in the form that lists have */
    record?: Record<string, unknown>;
  })[];
  /** From where to go on: the next `after` */
  position: string;
  /** Whether there may be more already */
  has_more: boolean;
}

export type EventsListItem = EventsListAnswer["events"][number];

export interface EventsStreamQuery {
  /** position of an earlier answer; now when absent */
  after?: string;
  /** Plural names of the only objects to follow, separated by commas */
  object?: string | readonly string[];
}

export interface EventsStreamEvent {
  /** The same for the same change, in every read and for everybody */
  id: string;
  type: "record.created" | "record.updated" | "record.deleted" | "record.restored" | "record.removed" | "reset";
  object_name: string | null;
  record_id?: string;
  at?: string | null;
  actor?: {
    id: string;
    display: string | null;
  } | null;
  /** api, import, cli, job, undo, … */
  means?: string;
  agent?: string | null;
  change_set?: string | null;
  /** Of an update: the changed fields that the caller sees */
  fields?: string[];
  merged_into?: string;
  /** The record as it is now, in the form that lists have */
  record?: Record<string, unknown>;
}

export interface RecordsImportBody {
  records: {
  }[];
  /** The file as text, or a list of records */
  data?: unknown;
  format?: "csv" | "json" | "jsonl" | "vcard";
  encoding?: "text" | "base64";
  /** Tells the format, where it is not given */
  file_name?: string;
  /** Ids of lists to add the records to */
  add_to_list_ids?: readonly string[];
  /** Name of a new list for the records (admin) */
  create_list_name?: string;
}

export interface RecordsImportAnswer {
  object_name: string;
  created: number;
  created_ids: string[];
  duplicates: number;
  failed: number;
  errors: {
    index: number;
    error: string;
  }[];
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export interface ImportsAnalyzeBody {
  /** Plural name of the object */
  object_name: string;
  /** The file as text, or a list of records */
  data: unknown;
  format?: "csv" | "json" | "jsonl" | "vcard";
  encoding?: "text" | "base64";
  /** Tells the format, where it is not given */
  file_name?: string;
  /** Detected from the file when absent */
  has_header?: boolean;
}

export interface ImportsAnalyzeAnswer {
  import_job_id: string;
  status: "analyzed" | "previewed" | "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "cancelled" | "expired";
  object_name: string;
  format: "csv" | "json" | "jsonl" | "vcard";
  source: string | null;
  rows: number;
  /** Rows that something has become of */
  done: number;
  columns: {
    column: string;
    /** A mapping entry */
    suggestion: unknown;
    confidence: number;
    sample_values: string[];
    /** The type of field that would hold its values */
    type: string;
    /** Rows that have a value */
    filled: number;
    /** What has to be said before it can go to a date */
    questions?: unknown[];
    /** A mapping entry that makes a field of it */
    could_be?: unknown;
    /** Options that the column names and its field has not */
    missing_options?: {
      label: string;
      /** Rows that name it */
      rows: number;
    }[];
  }[];
  target_fields: {
    name: string;
    label: string;
    type: string;
    required: boolean;
  }[];
  /** import_options by which the ids of the source tell records */
  suggested_options?: unknown;
  preview?: {
    preview_hash: string;
    rows_tried: number;
    created: number;
    updated: number;
    skipped: number;
    failed: number;
  };
  outcome?: {
    created: number;
    updated: number;
    skipped: number;
    failed: number;
    /** Cells whose fields stay empty, or have a part of them */
    warnings: number;
    /** Why rows failed */
    problems: {
      message: string;
      /** Rows */
      count: number;
      /** The message of the first of them */
      first: string;
      /** The first of them, from zero */
      rows: number[];
      /** Different values in them */
      values?: number;
      example?: string;
    }[];
    /** Why cells stay empty, and rows are left out */
    notes: {
      message: string;
      /** Rows */
      count: number;
      /** The message of the first of them */
      first: string;
      /** The first of them, from zero */
      rows: number[];
      /** Different values in them */
      values?: number;
      example?: string;
    }[];
    /** Records made for relations, by object */
    records_made: Record<string, number>;
    new_fields: string[];
  };
  /** Rows that became something else than was previewed */
  moved?: unknown[];
  /** Undo it to take the import back */
  change_set?: string;
  error: string | null;
  created_at: string;
  finished_at: string | null;
  expires_at: string | null;
  warnings: string[];
}

export interface ImportsListQuery {
  status?: "analyzed" | "previewed" | "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "cancelled" | "expired";
  /** Id of a user: that one’s alone */
  user?: string;
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface ImportsListAnswer {
  data: ({
    import_job_id: string;
    status: "analyzed" | "previewed" | "queued" | "running" | "completed" | "completed_with_errors" | "failed" | "cancelled" | "expired";
    object_name: string | null;
    file_name: string | null;
    format: "csv" | "json" | "jsonl" | "vcard";
    source: string | null;
    rows: number;
    /** Rows that something has become of */
    done: number;
    created: number;
    updated: number;
    skipped: number;
    failed: number;
    error: string | null;
    change_set: string | null;
    user: string;
    user_display: string | null;
    created_at: string;
    finished_at: string | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type ImportsListItem = ImportsListAnswer["data"][number];

export type ImportsGetAnswer = ImportsAnalyzeAnswer;

export interface ImportsPreviewBody {
  /** Columns that go elsewhere than is proposed */
  mapping?: ({
    /** Column of the file, or key of its records */
    column: string;
    action: "map" | "new_field" | "relation" | "ignore";
    /** Of map: a field, or a part of one, such as emails, phones:mobile, address.city, company_id.domain */
    field?: string;
    /** Of new_field: in snake_case */
    new_field_name?: string;
    /** Of new_field */
    new_field_label?: string;
    /** Of new_field: TEXT when absent */
    new_field_type?: string;
    /** Of new_field: no two records have one value */
    new_field_unique?: boolean;
    /** Labels of the options of a new SELECT */
    enum_options?: readonly string[];
    /** Of relation: whose records the column names */
    target_object?: string;
    /** Of relation: by which field they are found; what they are called, or their ids, when absent */
    lookup_field?: string;
    relation_type?: "BELONGS_TO_ONE" | "MANY_TO_MANY";
    /** Make the records that the column names and that are not there */
    create_missing?: boolean;
    /** Of map: add the options that the field lacks */
    add_options?: boolean;
    date_format?: "YMD" | "DMY" | "MDY";
    number_format?: "point" | "comma";
  })[];
  import_options?: {
    duplicate_strategy?: "create" | "update" | "skip";
    /** A row is a record that has its value of one of them */
    duplicate_fields?: readonly string[];
    /** Values of fields that a row leaves empty */
    default_values?: Record<string, unknown>;
    /** For all relations */
    create_missing?: boolean;
    /** For all columns */
    add_options?: boolean;
    bad_cells?: "empty" | "fail";
  };
}

export interface ImportsPreviewAnswer {
  /** Give it to execute, to do exactly this */
  preview_hash: string;
  rows_tried: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  /** Cells whose fields stay empty, or have a part of them */
  warnings: number;
  /** Why rows failed */
  problems: {
    message: string;
    /** Rows */
    count: number;
    /** The message of the first of them */
    first: string;
    /** The first of them, from zero */
    rows: number[];
    /** Different values in them */
    values?: number;
    example?: string;
  }[];
  /** Why cells stay empty, and rows are left out */
  notes: {
    message: string;
    /** Rows */
    count: number;
    /** The message of the first of them */
    first: string;
    /** The first of them, from zero */
    rows: number[];
    /** Different values in them */
    values?: number;
    example?: string;
  }[];
  /** Records made for relations, by object */
  records_made: Record<string, number>;
  new_fields: string[];
  missing_options: {
    column: string;
    field: string;
    /** Options that the column names and its field has not */
    options: {
      label: string;
      /** Rows that name it */
      rows: number;
    }[];
    /** Whether they are to be added */
    adds: boolean;
  }[];
  effective_mapping: unknown[];
  sample_rows: {
    index: number;
    fate: string;
    values: unknown;
  }[];
  /** The first records that would be changed */
  changes: {
    index: number;
    id: string;
    fields: Record<string, {
      before: unknown;
      after: unknown;
    }>;
  }[];
  column_diagnostics: {
    column: string;
    action: string;
    field?: string;
    filled: number;
    distinct: number;
  }[];
  duplicates: {
    /** Rows that are records already, or a row before them */
    existing: number;
    /** Rows whose value of a unique field is taken */
    refused: number;
  };
}

export interface ImportsExecuteBody {
  /** Columns that go elsewhere than is proposed */
  mapping?: ({
    /** Column of the file, or key of its records */
    column: string;
    action: "map" | "new_field" | "relation" | "ignore";
    /** Of map: a field, or a part of one, such as emails, phones:mobile, address.city, company_id.domain */
    field?: string;
    /** Of new_field: in snake_case */
    new_field_name?: string;
    /** Of new_field */
    new_field_label?: string;
    /** Of new_field: TEXT when absent */
    new_field_type?: string;
    /** Of new_field: no two records have one value */
    new_field_unique?: boolean;
    /** Labels of the options of a new SELECT */
    enum_options?: readonly string[];
    /** Of relation: whose records the column names */
    target_object?: string;
    /** Of relation: by which field they are found; what they are called, or their ids, when absent */
    lookup_field?: string;
    relation_type?: "BELONGS_TO_ONE" | "MANY_TO_MANY";
    /** Make the records that the column names and that are not there */
    create_missing?: boolean;
    /** Of map: add the options that the field lacks */
    add_options?: boolean;
    date_format?: "YMD" | "DMY" | "MDY";
    number_format?: "point" | "comma";
  })[];
  import_options?: {
    duplicate_strategy?: "create" | "update" | "skip";
    /** A row is a record that has its value of one of them */
    duplicate_fields?: readonly string[];
    /** Values of fields that a row leaves empty */
    default_values?: Record<string, unknown>;
    /** For all relations */
    create_missing?: boolean;
    /** For all columns */
    add_options?: boolean;
    bad_cells?: "empty" | "fail";
  };
  /** Do what that preview has shown, or nothing */
  preview_hash?: string;
  /** Ids of lists to add the records to */
  add_to_list_ids?: readonly string[];
  /** Name of a new list for the records (admin) */
  create_list_name?: string;
}

export interface ImportsExecuteAnswer {
  import_job_id: string;
  mode: "completed" | "queued";
  status: string;
  rows: number;
  change_set: string;
  created?: number;
  updated?: number;
  skipped?: number;
  failed?: number;
  /** Cells whose fields stay empty, or have a part of them */
  warnings?: number;
  /** Why rows failed */
  problems?: {
    message: string;
    /** Rows */
    count: number;
    /** The message of the first of them */
    first: string;
    /** The first of them, from zero */
    rows: number[];
    /** Different values in them */
    values?: number;
    example?: string;
  }[];
  /** Why cells stay empty, and rows are left out */
  notes?: {
    message: string;
    /** Rows */
    count: number;
    /** The message of the first of them */
    first: string;
    /** The first of them, from zero */
    rows: number[];
    /** Different values in them */
    values?: number;
    example?: string;
  }[];
  /** Records made for relations, by object */
  records_made?: Record<string, number>;
  new_fields?: string[];
  moved?: unknown[];
  /** Labels of the options made, by field */
  enum_options?: Record<string, string[]>;
  /** Fields whose links were made */
  many_to_many?: string[];
  lists_note?: string;
  lists?: ListOutcome[];
  created_list?: {
    id: string;
    name: string;
  };
  /** Why there is no new list */
  create_list_error?: string;
}

export type ImportsCancelAnswer = ImportsAnalyzeAnswer;

export interface RecordsExportQuery {
  format?: "json" | "csv" | "ndjson" | "xlsx";
  /** Comma-separated; all visible ones when absent */
  fields?: string | readonly string[];
  /** The field of a single condition */
  filter_field?: string;
  /** Its operator */
  filter_operator?: "equals" | "not_equals" | "contains" | "starts_with" | "ends_with" | "ilike" | "greater_than" | "less_than" | "greater_equal" | "less_equal" | "between" | "in" | "not_in" | "is_null" | "is_not_null" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "date_equals" | "date_before" | "date_after" | "date_between" | "date_today" | "date_this_week" | "date_this_month";
  /** Its value; several are separated by commas */
  filter_value?: string | readonly string[];
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** One key; in the order of ids when absent */
  sort_by?: string;
  sort_dir?: "asc" | "desc";
  /** Clamped to its range */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface RecordsExportAnswer {
  format: "json";
  records: Record<string, unknown>[];
  /** Records in this answer */
  total: number;
  /** Present where records are left out */
  nextCursor?: string;
  /** Present where it ends early: it would be too large */
  truncated?: boolean;
}

export type RecordsExportItem = RecordsExportAnswer["records"][number];

export interface EverythingSearchQuery {
  /** Required: words that all must occur, or a phone number in whatever form */
  query?: string;
  /** Clamped to its range */
  limit?: number;
  /** Records of each object to pass over */
  offset?: number;
  /** Plural name of the only object to search */
  object?: string;
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** Up to five keys */
  sort?: readonly SortKey[] | string;
}

export interface EverythingSearchAnswer {
  query: string;
  results: {
    objectName: string;
    objectLabel: string;
    /** All matches of the object */
    total: number;
    /** As lists show them */
    records: Record<string, unknown>[];
  }[];
  /** Records in this answer */
  total: number;
}

export interface RecordsAggregateQuery {
  /** What the function is of, also behind a relation (`company_id.employees`); COUNT without it counts records */
  field?: string;
  /** COUNT when absent */
  function?: string;
  /** A field, or up to 3 of them, comma-separated */
  group_by?: string | readonly string[];
  bucket?: "day" | "week" | "month" | "quarter" | "year";
  /** The field of a single condition */
  filter_field?: string;
  /** Its operator */
  filter_operator?: "equals" | "not_equals" | "contains" | "starts_with" | "ends_with" | "ilike" | "greater_than" | "less_than" | "greater_equal" | "less_equal" | "between" | "in" | "not_in" | "is_null" | "is_not_null" | "is_true" | "is_false" | "is_empty" | "is_not_empty" | "date_equals" | "date_before" | "date_after" | "date_between" | "date_today" | "date_this_week" | "date_this_month";
  /** Its value; several are separated by commas */
  filter_value?: string | readonly string[];
  /** A FilterGroup. */
  filters?: FilterGroup | string;
  /** Words that all must occur */
  search?: string;
}

export type RecordsAggregateAnswer = {
  object_name: string;
  field: string;
  function: string;
  value: number | string | null;
  /** The parts of a sum over several currencies */
  currencies?: Record<string, number>;
} | {
  object_name: string;
  field: string;
  function: string;
  /** A list where several are given */
  group_by: string | string[];
  bucket?: "day" | "week" | "month" | "quarter" | "year";
  results: ({
    /** A list where several are grouped by */
    group: unknown;
    /** Where groups are ids: what this one is called */
    display?: unknown;
    value: number | string | null;
    /** The parts of a sum over several currencies */
    currencies?: Record<string, number>;
  })[];
  /** Present where there are more groups */
  truncated?: boolean;
};

export interface RecordsDuplicatesBody {
  /** `merge`, `unmerge`; anything else looks for duplicates */
  action?: string;
  /** Plural name of the object */
  object_name: string;
  /** Detect: what is compared; addresses, numbers and names when absent */
  fields?: readonly string[];
  /** Clamped to its range */
  limit?: number;
  /** Detect: compare phone numbers in E.164 */
  normalize?: boolean;
  /** Merge: id of the record that stays */
  master_id?: string;
  /** Ids of the records that are merged, at most 100 */
  duplicate_ids?: readonly string[];
  merge_strategy?: "keep_master" | "fill_blanks";
  /** Merge: by field, the id of the record whose value the master gets */
  values?: Record<string, string>;
}

export type RecordsDuplicatesAnswer = {
  object_name: string;
  duplicate_groups: {
    records: unknown[];
    match_reason: string;
  }[];
  total_groups: number;
  records_scanned: number;
  /** Present where there are more records than were compared */
  truncated?: boolean;
} | {
  master_id: string;
  duplicates_deleted: number;
  updated_relations: number;
  strategy: "keep_master" | "fill_blanks";
  /** How many relations and links moved, by object and field; `lists` for places on lists */
  moved?: Record<string, number>;
  /** A dry run: the master as it would be */
  record?: unknown;
} | {
  master_id: string;
  duplicates_restored: number;
  updated_relations: number;
  /** How many relations and links moved, by object and field; `lists` for places on lists */
  moved: Record<string, number>;
  ambiguous: {
    object_name: string;
    record_id: string;
    field: string;
    reason: string;
  }[];
  total_ambiguous: number;
};

export interface WebhooksListAnswer {
  data: ({
    id: string;
    url: string;
    description: string | null;
    /** Empty: all */
    events: string[];
    /** Empty: all that its creator may see */
    objects: string[];
    /** paused: by somebody; disabled: by the service */
    state: "active" | "paused" | "disabled";
    reason: string | null;
    creator: {
      id: string;
      display: string | null;
    };
    pending: number | null;
    last_success_at: string | null;
    last_error: string | null;
    last_error_at: string | null;
    created_at: string;
    updated_at: string;
  })[];
  total: number;
}

export interface WebhooksCreateBody {
  /** Where to send to: https://, and http:// for hosts that KITH_PRIVATE_HOSTS of the service names */
  url: string;
  description?: string | null;
  /** Types of events; all when absent or empty */
  events?: ("record.created" | "record.updated" | "record.deleted" | "record.restored" | "record.removed" | "reset")[];
  /** Plural names of objects; all that its creator may see when absent or empty */
  objects?: readonly string[];
}

export interface WebhooksCreateAnswer {
  id: string;
  url: string;
  description: string | null;
  /** Empty: all */
  events: string[];
  /** Empty: all that its creator may see */
  objects: string[];
  /** paused: by somebody; disabled: by the service */
  state: "active" | "paused" | "disabled";
  reason: string | null;
  creator: {
    id: string;
    display: string | null;
  };
  pending: number | null;
  last_success_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
  created_at: string;
  updated_at: string;
  /** Signs deliveries; shown only once */
  secret: string;
}

export interface WebhooksGetAnswer {
  id: string;
  url: string;
  description: string | null;
  /** Empty: all */
  events: string[];
  /** Empty: all that its creator may see */
  objects: string[];
  /** paused: by somebody; disabled: by the service */
  state: "active" | "paused" | "disabled";
  reason: string | null;
  creator: {
    id: string;
    display: string | null;
  };
  pending: number | null;
  last_success_at: string | null;
  last_error: string | null;
  last_error_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhooksUpdateBody {
  /** Where to send to: https://, and http:// for hosts that KITH_PRIVATE_HOSTS of the service names */
  url?: string;
  description?: string | null;
  /** Types of events; all when absent or empty */
  events?: ("record.created" | "record.updated" | "record.deleted" | "record.restored" | "record.removed" | "reset")[];
  /** Plural names of objects; all that its creator may see when absent or empty */
  objects?: readonly string[];
  state?: "active" | "paused";
}

export type WebhooksUpdateAnswer = WebhooksGetAnswer;

export type WebhooksDeleteAnswer = RecordsDeleteAnswer;

export interface WebhooksRotateSecretAnswer {
  /** Signs deliveries; shown only once */
  secret: string;
  previous_valid_until: string;
}

export interface WebhooksTestAnswer {
  delivered: boolean;
  /** Of the answer, where there was one */
  status: number | null;
  error: string | null;
  event_id: string;
}

export interface WebhooksDeliveriesQuery {
  state?: "pending" | "delivered" | "failed" | "withheld";
  /** nextCursor of the page before */
  cursor?: string;
  /** Clamped to its range */
  limit?: number;
}

export interface WebhooksDeliveriesAnswer {
  data: ({
    id: string;
    /** The header webhook-id */
    event_id: string;
    event_type: string;
    object_name: string | null;
    record_id: string | null;
    /** failed: given up; withheld: its creator may not see it any more */
    state: "pending" | "delivered" | "failed" | "withheld";
    attempts: number;
    status: number | null;
    error: string | null;
    created_at: string;
    last_attempt_at: string | null;
    next_attempt_at: string | null;
    finished_at: string | null;
  })[];
  /** All that there are, on whatever page */
  total: number;
  /** Absent on the last page */
  nextCursor?: string;
  /** Present where the page holds fewer than its limit: the answer would be too large */
  truncated?: boolean;
}

export type WebhooksDeliveriesItem = WebhooksDeliveriesAnswer["data"][number];

export interface WebhooksReplayBody {
  delivery_ids?: readonly string[];
  /** In place of ids: all that were planned since that time, the oldest first */
  since?: string;
}

export interface WebhooksReplayAnswer {
  replayed: number;
  /** Whether there are more than 1,000 since that time */
  has_more: boolean;
}

/** Every operation of the service. */
export interface Operations<O extends Record<keyof O, ObjectTypes>> {
  readonly me: {
    /** The identity of the caller. `GET /me` */
    get(options?: ReadOptions): Answered<MeGetAnswer>;
    /** What the caller may do, per object and field. `GET /me/permissions` */
    permissions(options?: ReadOptions): Answered<MePermissionsAnswer>;
  };
  readonly workspace: {
    /** The caller's organization, and the display field of each object. `GET /workspace` */
    get(options?: ReadOptions): Answered<WorkspaceGetAnswer>;
    /** Change the organization's name, currency or time zone; absent keys stay unchanged. `PUT /workspace` */
    update(body?: WorkspaceUpdateBody, options?: WriteOptions & Trial): Answered<WorkspaceUpdateAnswer>;
  };
  readonly roles: {
    /** Roles of the workspace; their permissions are in the manifest. `GET /roles` */
    list(options?: ReadOptions): Answered<RolesListAnswer>;
  };
  readonly limits: {
    /** The remaining budgets of the caller's rate limits. `GET /limits` */
    list(options?: ReadOptions): Answered<LimitsListAnswer>;
  };
  readonly access: {
    /** Which rule of a role decides what a user may do with a record, or with a field of it. `GET /explain` */
    explain(query: AccessExplainQuery, options?: ReadOptions): Answered<AccessExplainAnswer>;
  };
  readonly users: {
    /** Workspace users, oldest first. `GET /users` */
    list(query?: UsersListQuery, options?: ReadOptions): Answered<UsersListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: UsersListQuery, options?: ReadOptions): Pages<UsersListItem, UsersListAnswer>;
  };
  readonly user: {
    /** Change a user's role or name, or deactivate the user; absent keys stay unchanged. `PUT /users/:id` */
    update(id: string, body?: UserUpdateBody, options?: WriteOptions & Trial): Answered<UserUpdateAnswer>;
  };
  readonly invitations: {
    /** Invitations that were not accepted, oldest first, including expired ones for a week. `GET /invitations` */
    list(options?: ReadOptions): Answered<InvitationsListAnswer>;
  };
  readonly invitation: {
    /** Invite a user by mail; the link works once, for 7 days. `POST /invitations` */
    create(body: InvitationCreateBody, options?: KeyOptions): Answered<InvitationCreateAnswer>;
    /** Withdraw an invitation: its link stops working. `DELETE /invitations/:id` */
    withdraw(id: string, options?: WriteOptions): Answered<InvitationWithdrawAnswer>;
  };
  readonly tokens: {
    /** The caller's tokens, newest first; admins see all of the organization's. `GET /tokens` */
    list(query?: TokensListQuery, options?: ReadOptions): Answered<TokensListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: TokensListQuery, options?: ReadOptions): Pages<TokensListItem, TokensListAnswer>;
  };
  readonly token: {
    /** Create a token that acts as the caller; its text is shown only once. `POST /tokens` */
    create(body: TokenCreateBody, options?: KeyOptions & Trial): Answered<TokenCreateAnswer>;
    /** Revoke a token of the caller, or any token as an admin; the next request with it gets 401. `DELETE /tokens/:id` */
    revoke(id: string, options?: WriteOptions & Trial): Answered<TokenRevokeAnswer>;
  };
  readonly connectedApps: {
    /** Apps that act for the caller, newest first; admins see all of the organization's. `GET /connected-apps` */
    list(query?: ConnectedAppsListQuery, options?: ReadOptions): Answered<ConnectedAppsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: ConnectedAppsListQuery, options?: ReadOptions): Pages<ConnectedAppsListItem, ConnectedAppsListAnswer>;
  };
  readonly connectedApp: {
    /** Disconnect an app of the caller, or of any user as an admin; its next request gets 401. `DELETE /connected-apps/:id` */
    disconnect(id: string, options?: WriteOptions & Trial): Answered<ConnectedAppDisconnectAnswer>;
  };
  readonly integrations: {
    /** State of the caller's connected accounts. `GET /integrations/status` */
    status(options?: ReadOptions): Answered<IntegrationsStatusAnswer>;
  };
  readonly accounts: {
    /** Connected accounts, oldest first: the caller's own, or all for an admin. `GET /accounts` */
    list(query?: AccountsListQuery, options?: ReadOptions): Answered<AccountsListAnswer>;
    /** Connect an account of a user after testing its servers; a known account is updated. `POST /accounts` */
    add(account: {
  provider: "imap";
  account_email: string;
  send_enabled?: boolean;
  imap?: {
    host: string;
    port: number;
    security: "tls" | "starttls" | "none";
    user: string;
    password?: string;
    xoauth2?: {
      client_id: string;
      client_secret?: string;
      refresh_token: string;
      token_url: string;
    };
  };
  smtp?: {
    host: string;
    port: number;
    security: "tls" | "starttls" | "none";
    user: string;
    password?: string;
    xoauth2?: {
      client_id: string;
      client_secret?: string;
      refresh_token: string;
      token_url: string;
    };
  };
  caldav?: {
    url: string;
    user: string;
    password?: string;
    xoauth2?: {
      client_id: string;
      client_secret?: string;
      refresh_token: string;
      token_url: string;
    };
  };
  folders?: string[];
} | {
  provider: "linkedin";
  account_email: string;
  base_url: string;
  account_id: string;
  api_key: string;
  webhook_secret: string;
} | {
  provider: "telegram";
  account_email: string;
  base_url?: string;
  bot_token: string;
  secret_token: string;
} | {
  provider: "whatsapp";
  account_email: string;
  base_url?: string;
  phone_number_id: string;
  access_token: string;
  app_secret: string;
  verify_token: string;
}, query?: AccountsAddQuery, options?: KeyOptions): Answered<AccountsAddAnswer>;
    /** Synchronise an account completely and answer with the counts; existing items are skipped. `POST /accounts/:id/sync` */
    sync(id: string, options?: KeyOptions): Answered<AccountsSyncAnswer>;
    /** Disconnect an account; its data stays unless it is purged. `DELETE /accounts/:id` */
    remove(id: string, query?: AccountsRemoveQuery, options?: WriteOptions & Trial): Answered<AccountsRemoveAnswer>;
  };
  readonly schema: {
    /** All objects with their fields. `GET /schema` */
    list(query?: SchemaListQuery, options?: ReadOptions): Answered<SchemaListAnswer>;
    /** One object with its fields. `GET /schema/:object` */
    get(object: ObjectName<O>, options?: ReadOptions): Answered<SchemaGetAnswer>;
  };
  readonly openapi: {
    /** The interface as an OpenAPI 3.1 document: what the caller may do, on which objects. `GET /openapi.json` */
    get(options?: ReadOptions): Answered<OpenapiGetAnswer>;
  };
  readonly manifest: {
    /** The workspace as a manifest. `GET /manifest` */
    pull(options?: ReadOptions): Answered<ManifestPullAnswer>;
    /** Apply a manifest to the workspace. `POST /manifest` */
    apply(manifest: Manifest, query?: ManifestApplyQuery, options?: KeyOptions): Answered<ManifestApplyAnswer>;
  };
  readonly records: {
    /** A page of records, filtered, searched and sorted. `GET /records/:object` */
    list<K extends ObjectName<O>>(object: K, query: RecordsListQuery & { group_by: string }, options?: ReadOptions): Answered<RecordsListGroups<O[K]>>;
    list<K extends ObjectName<O>>(object: K, query?: RecordsListQuery, options?: ReadOptions): Answered<RecordsListAnswer<O[K]>>;
    /** The same on all pages, one after the other. */
    listAll<K extends ObjectName<O>>(object: K, query?: Omit<RecordsListQuery, "group_by">, options?: ReadOptions): Pages<RecordsListItem<O[K]>, RecordsListAnswer<O[K]>>;
    /** One record with its displays, relations and lists. `GET /records/:object/:id` */
    get<K extends ObjectName<O>>(object: K, id: string, query?: RecordsGetQuery, options?: ReadOptions): Answered<RecordsGetAnswer<O[K]>>;
    /** History of a record, newest first: who changed it, when and how, with visible fields before and after. `GET /records/:object/:id/history` */
    history(object: ObjectName<O>, id: string, query?: RecordsHistoryQuery, options?: ReadOptions): Answered<RecordsHistoryAnswer>;
    /** The same on all pages, one after the other. */
    historyAll(object: ObjectName<O>, id: string, query?: RecordsHistoryQuery, options?: ReadOptions): Pages<RecordsHistoryItem, RecordsHistoryAnswer>;
    /** Create a record. `POST /records/:object` */
    create<K extends ObjectName<O>>(object: K, values: O[K]["create"], options?: KeyOptions & Trial): Answered<RecordsCreateAnswer<O[K]>>;
    /** Change the record that has the same value of a field, or create one. `PUT /records/:object` */
    upsert<K extends ObjectName<O>>(object: K, values: O[K]["update"], query?: RecordsUpsertQuery, options?: WriteOptions & Trial & IfMatch): Answered<RecordsUpsertAnswer<O[K]>>;
    /** Change fields of a record; absent ones stay unchanged. `PUT /records/:object/:id` */
    update<K extends ObjectName<O>>(object: K, id: string, values: O[K]["update"], options?: WriteOptions & Trial & IfMatch): Answered<RecordsUpdateAnswer<O[K]>>;
    /** Put a record into the trash. `DELETE /records/:object/:id` */
    delete(object: ObjectName<O>, id: string, options?: WriteOptions & Trial & IfMatch): Answered<RecordsDeleteAnswer>;
    /** Restore a record from the trash, within 30 days. `POST /records/:object/:id/restore` */
    restore<K extends ObjectName<O>>(object: K, id: string, options?: KeyOptions & Trial): Answered<RecordsRestoreAnswer<O[K]>>;
    /** Create up to 1,000 records; each succeeds or fails by itself. `POST /records/:object/batch/create` */
    batchCreate<K extends ObjectName<O>>(object: K, body: RecordsBatchCreateBody<O[K]>, options?: KeyOptions & Trial): Answered<RecordsBatchCreateAnswer<O[K]>>;
    /** Change or create up to 1,000 records by the value of a field; each succeeds or fails by itself. `POST /records/:object/batch/upsert` */
    batchUpsert<K extends ObjectName<O>>(object: K, body: RecordsBatchUpsertBody<O[K]>, options?: KeyOptions & Trial): Answered<RecordsBatchUpsertAnswer>;
    /** Create many records from rows of field values, with labels in place of ids. `POST /import/:object` */
    import(object: ObjectName<O>, body: RecordsImportBody, options?: KeyOptions & Trial): Answered<RecordsImportAnswer>;
    /** The same with a file as the body. */
    importFile(object: ObjectName<O>, file: string | Blob | ArrayBuffer | Uint8Array, query: Pick<RecordsImportBody, "file_name" | "create_list_name"> | undefined, options: KeyOptions & Trial & FileOptions): Answered<RecordsImportAnswer>;
    /** Records as JSON, CSV or a spreadsheet, with labels where ids are. `GET /export/:object` */
    export(object: ObjectName<O>, query?: RecordsExportQuery, options?: ReadOptions): Answered<RecordsExportAnswer>;
    /** The same on all pages, one after the other. */
    exportAll(object: ObjectName<O>, query?: RecordsExportQuery, options?: ReadOptions): Pages<RecordsExportItem, RecordsExportAnswer>;
    /** The same as a file, in the `format` that is asked for. */
    exportFile(object: ObjectName<O>, query?: RecordsExportQuery, options?: ReadOptions): Answered<Response>;
    /** Aggregate the records of an object, in total or by groups. `GET /aggregate/:object` */
    aggregate(object: ObjectName<O> | 'tasks' | 'notes', query?: RecordsAggregateQuery, options?: ReadOptions): Answered<RecordsAggregateAnswer>;
    /** Find possible duplicates, merge records, or revert a merge. `POST /duplicates` */
    duplicates(body: RecordsDuplicatesBody, options?: KeyOptions & Trial): Answered<RecordsDuplicatesAnswer>;
  };
  readonly bulk: {
    /** Change a field or relation of many records, or delete or restore them; each succeeds or fails by itself. `POST /bulk` */
    update(body: BulkUpdateBody, options?: KeyOptions & Trial): Answered<BulkUpdateAnswer>;
  };
  readonly jobs: {
    /** The caller's unfinished jobs, latest first. `GET /jobs` */
    list(query?: JobsListQuery, options?: ReadOptions): Answered<JobsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: JobsListQuery, options?: ReadOptions): Pages<JobsListItem, JobsListAnswer>;
    /** Progress and outcome of a job of the caller; admins see all jobs. `GET /jobs/:id` */
    get(id: string, options?: ReadOptions): Answered<JobsGetAnswer>;
    /** Cancel a job: its changes so far stay and can be undone. `POST /jobs/:id/cancel` */
    cancel(id: string, options?: KeyOptions & Trial): Answered<JobsCancelAnswer>;
  };
  readonly notes: {
    /** A page of notes: workspace notes and the caller's private ones. `GET /notes` */
    list(query?: NotesListQuery, options?: ReadOptions): Answered<NotesListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: NotesListQuery, options?: ReadOptions): Pages<NotesListItem, NotesListAnswer>;
    /** One note with the records that it is about. `GET /notes/:id` */
    get(id: string, options?: ReadOptions): Answered<NotesGetAnswer>;
    /** Create a note and notify the mentioned users. `POST /notes` */
    create(body: NotesCreateBody, options?: KeyOptions & Trial): Answered<NotesCreateAnswer>;
    /** Change a note; absent keys stay unchanged. `PUT /notes/:id` */
    update(id: string, body?: NotesUpdateBody, options?: WriteOptions & Trial & IfMatch): Answered<NotesUpdateAnswer>;
    /** Delete a note and its links. `DELETE /notes/:id` */
    delete(id: string, options?: WriteOptions & Trial & IfMatch): Answered<NotesDeleteAnswer>;
  };
  readonly tasks: {
    /** A page of tasks. `GET /tasks` */
    list(query?: TasksListQuery, options?: ReadOptions): Answered<TasksListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: TasksListQuery, options?: ReadOptions): Pages<TasksListItem, TasksListAnswer>;
    /** Counts of tasks: all, completed and due. `GET /tasks/stats` */
    stats(query?: TasksStatsQuery, options?: ReadOptions): Answered<TasksStatsAnswer>;
    /** One task, with the records that it is linked to. `GET /tasks/:id` */
    get(id: string, options?: ReadOptions): Answered<TasksGetAnswer>;
    /** Create a task; its assignee is notified. `POST /tasks` */
    create(body?: TasksCreateBody, options?: KeyOptions & Trial): Answered<TasksCreateAnswer>;
    /** Change a task; a new assignee is notified. `PUT /tasks/:id` */
    update(id: string, body?: TasksUpdateBody, options?: WriteOptions & Trial & IfMatch): Answered<TasksUpdateAnswer>;
    /** Complete or reopen a task; its assigner and creator are notified of the completion. `PUT /tasks/:id/complete` */
    complete(id: string, body?: TasksCompleteBody, options?: WriteOptions & Trial & IfMatch): Answered<TasksCompleteAnswer>;
    /** Delete a task, with its links. `DELETE /tasks/:id` */
    delete(id: string, options?: WriteOptions & Trial & IfMatch): Answered<TasksDeleteAnswer>;
  };
  readonly notifications: {
    /** Notifications of the caller, latest first. `GET /notifications` */
    list(query?: NotificationsListQuery, options?: ReadOptions): Answered<NotificationsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: NotificationsListQuery, options?: ReadOptions): Pages<NotificationsListItem, NotificationsListAnswer>;
    /** The caller’s new notifications, as server-sent events. `GET /notifications/stream` */
    stream(options?: StreamOptions): EventStream<NotificationsStreamEvent>;
    /** Mark all of the caller’s notifications as read. `PUT /notifications` */
    markAll(body: NotificationsMarkAllBody, options?: WriteOptions & Trial): Answered<NotificationsMarkAllAnswer>;
    /** Mark one of the caller’s notifications as read or unread. `PUT /notifications/:id` */
    mark(id: string, body: NotificationsMarkBody, options?: WriteOptions & Trial): Answered<NotificationsMarkAnswer>;
  };
  readonly pipelines: {
    /** All pipelines with their steps, and what each step asks for and sets. `GET /pipelines` */
    list(options?: ReadOptions): Answered<PipelinesListAnswer>;
    /** Move a record to another step of its pipeline. `PUT /pipelines/:object/:id/move` */
    move(object: ObjectName<O>, id: string, body?: PipelinesMoveBody, options?: WriteOptions & Trial & IfMatch): Answered<PipelinesMoveAnswer>;
    /** The steps that a record has left, latest first, and its total time at each step. `GET /pipelines/:object/:id/history` */
    history(object: ObjectName<O>, id: string, query?: PipelinesHistoryQuery, options?: ReadOptions): Answered<PipelinesHistoryAnswer>;
    /** The same on all pages, one after the other. */
    historyAll(object: ObjectName<O>, id: string, query?: PipelinesHistoryQuery, options?: ReadOptions): Pages<PipelinesHistoryItem, PipelinesHistoryAnswer>;
  };
  readonly activity: {
    /** Messages, tasks and notes around a record, in sections or as one timeline. `GET /activity/:object/:id` */
    record(object: ObjectName<O>, id: string, query?: ActivityRecordQuery, options?: ReadOptions): Answered<ActivityRecordAnswer>;
  };
  readonly inbox: {
    /** Conversations of the caller, latest first. `GET /inbox/threads` */
    threads(query?: InboxThreadsQuery, options?: ReadOptions): Answered<InboxThreadsAnswer>;
    /** The same on all pages, one after the other. */
    threadsAll(query?: InboxThreadsQuery, options?: ReadOptions): Pages<InboxThreadsItem, InboxThreadsAnswer>;
    /** A conversation of the caller with its messages, latest first. `GET /inbox/threads/:id` */
    thread(id: string, query?: InboxThreadQuery, options?: ReadOptions): Answered<InboxThreadAnswer>;
    /** Not supported: threads have no read state here. `PUT /inbox/threads/:id` */
    markRead(id: string, body?: InboxMarkReadBody, options?: WriteOptions & Trial): Answered<InboxMarkReadAnswer>;
    /** Mark an email thread of the caller in its mailbox. `POST /inbox/threads/:id/mark` */
    mark(id: string, body: InboxMarkBody, options?: KeyOptions): Answered<InboxMarkAnswer>;
    /** One message, as far as the caller may read it. `GET /interactions/:id` */
    interaction(id: string, options?: ReadOptions): Answered<InboxInteractionAnswer>;
  };
  readonly messages: {
    /** Preview a message exactly, with the token that sends it; nothing is sent. `POST /messages/preview` */
    preview(body: MessagesPreviewBody, options?: ReadOptions): Answered<MessagesPreviewAnswer>;
    /** Send a previewed message. `POST /messages/send` */
    send(body: MessagesSendBody, options?: KeyOptions): Answered<MessagesSendAnswer>;
  };
  readonly meetings: {
    /** Meetings that begin within a period, earliest first. `GET /meetings` */
    list(query?: MeetingsListQuery, options?: ReadOptions): Answered<MeetingsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: MeetingsListQuery, options?: ReadOptions): Pages<MeetingsListItem, MeetingsListAnswer>;
  };
  readonly lists: {
    /** Lists of records, by name. `GET /lists` */
    list(query?: ListsListQuery, options?: ReadOptions): Answered<ListsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: ListsListQuery, options?: ReadOptions): Pages<ListsListItem, ListsListAnswer>;
    /** Create a list, optionally with records. `POST /lists` */
    create(body: ListsCreateBody, options?: KeyOptions & Trial): Answered<ListsCreateAnswer>;
    /** One list. `GET /lists/:id` */
    get(id: string, options?: ReadOptions): Answered<ListsGetAnswer>;
    /** Change a list; absent keys stay unchanged. `PUT /lists/:id` */
    update(id: string, body?: ListsUpdateBody, options?: WriteOptions & Trial): Answered<ListsUpdateAnswer>;
    /** Delete a list and its entries; the records stay. `DELETE /lists/:id` */
    delete(id: string, options?: WriteOptions & Trial): Answered<ListsDeleteAnswer>;
  };
  readonly listEntries: {
    /** Records on a list that the caller may see, latest first. `GET /lists/:id/entries` */
    list(id: string, query?: ListEntriesListQuery, options?: ReadOptions): Answered<ListEntriesListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(id: string, query?: ListEntriesListQuery, options?: ReadOptions): Pages<ListEntriesListItem, ListEntriesListAnswer>;
    /** Add records to a list; those already on it stay unchanged. `POST /lists/:id/entries` */
    add(id: string, body: ListEntriesAddBody, options?: KeyOptions & Trial): Answered<ListEntriesAddAnswer>;
    /** Remove records from a list; the records stay unchanged. `POST /lists/:id/entries/remove` */
    remove(id: string, body: ListEntriesRemoveBody, options?: KeyOptions & Trial): Answered<ListEntriesRemoveAnswer>;
    /** Change the field values of a record on a list; absent fields stay unchanged. `PUT /lists/:id/entries/:entry_id` */
    update(id: string, entry_id: string, body: ListEntriesUpdateBody, options?: WriteOptions & Trial): Answered<ListEntriesUpdateAnswer>;
  };
  readonly dashboards: {
    /** Dashboards of the organization, by name. `GET /dashboards` */
    list(query?: DashboardsListQuery, options?: ReadOptions): Answered<DashboardsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: DashboardsListQuery, options?: ReadOptions): Pages<DashboardsListItem, DashboardsListAnswer>;
    /** Create a dashboard, optionally with charts. `POST /dashboards` */
    create(body: DashboardsCreateBody, options?: KeyOptions & Trial): Answered<DashboardsCreateAnswer>;
    /** A dashboard with its charts, without their data. `GET /dashboards/:id` */
    get(id: string, options?: ReadOptions): Answered<DashboardsGetAnswer>;
    /** Delete a dashboard: its owner or an admin. `DELETE /dashboards/:id` */
    delete(id: string, options?: WriteOptions & Trial): Answered<DashboardsDeleteAnswer>;
    /** The current data of a dashboard's charts. `GET /dashboards/:id/data` */
    compute(id: string, query?: DashboardsComputeQuery, options?: ReadOptions): Answered<DashboardsComputeAnswer>;
  };
  readonly charts: {
    /** Add a chart to a dashboard. `POST /dashboards/:id/charts` */
    create(id: string, body: ChartsCreateBody, options?: KeyOptions & Trial): Answered<ChartsCreateAnswer>;
    /** Remove a chart from a dashboard: its owner or an admin. `DELETE /dashboards/:id/charts/:chart_id` */
    delete(id: string, chart_id: string, options?: WriteOptions & Trial): Answered<ChartsDeleteAnswer>;
  };
  readonly views: {
    /** The caller's views and the shared ones, in their order. `GET /views` */
    list(query?: ViewsListQuery, options?: ReadOptions): Answered<ViewsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: ViewsListQuery, options?: ReadOptions): Pages<ViewsListItem, ViewsListAnswer>;
    /** Save the settings of a table or board as a view. `POST /views` */
    create(body: ViewsCreateBody, options?: KeyOptions & Trial): Answered<ViewsCreateAnswer>;
    /** One view. `GET /views/:id` */
    get(id: string, options?: ReadOptions): Answered<ViewsGetAnswer>;
    /** Change a view; absent keys stay unchanged. `PUT /views/:id` */
    update(id: string, body?: ViewsUpdateBody, options?: WriteOptions & Trial): Answered<ViewsUpdateAnswer>;
    /** Delete a view: its creator, or any admin if it is shared. `DELETE /views/:id` */
    delete(id: string, options?: WriteOptions & Trial): Answered<ViewsDeleteAnswer>;
  };
  readonly trash: {
    /** Records in the trash that the caller may view and delete, latest first. `GET /trash/:object` */
    list(object: ObjectName<O>, query?: TrashListQuery, options?: ReadOptions): Answered<TrashListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(object: ObjectName<O>, query?: TrashListQuery, options?: ReadOptions): Pages<TrashListItem, TrashListAnswer>;
    /** Delete a record in the trash for good. `DELETE /trash/:object/:id` */
    purge(object: ObjectName<O>, id: string, options?: WriteOptions & Trial): Answered<TrashPurgeAnswer>;
  };
  readonly changeSets: {
    /** Change sets of the caller, or of everybody for an admin, latest first. `GET /change-sets` */
    list(query?: ChangeSetsListQuery, options?: ReadOptions): Answered<ChangeSetsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: ChangeSetsListQuery, options?: ReadOptions): Pages<ChangeSetsListItem, ChangeSetsListAnswer>;
    /** One change set. `GET /change-sets/:id` */
    get(id: string, options?: ReadOptions): Answered<ChangeSetsGetAnswer>;
    /** What a change set wrote, in its order: records with their fields before and after, as far as the caller sees them. `GET /change-sets/:id/writes` */
    writes(id: string, query?: ChangeSetsWritesQuery, options?: ReadOptions): Answered<ChangeSetsWritesAnswer>;
    /** The same on all pages, one after the other. */
    writesAll(id: string, query?: ChangeSetsWritesQuery, options?: ReadOptions): Pages<ChangeSetsWritesItem, ChangeSetsWritesAnswer>;
    /** Undo the writes of a change set, except values that were changed since. `POST /undo` */
    undo(body: ChangeSetsUndoBody, options?: KeyOptions & Trial): Answered<ChangeSetsUndoAnswer>;
  };
  readonly audit: {
    /** The audit, latest first: tokens, roles, exports, imports, merges, messages, denials. `GET /audit` */
    list(query?: AuditListQuery, options?: ReadOptions): Answered<AuditListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: AuditListQuery, options?: ReadOptions): Pages<AuditListItem, AuditListAnswer>;
  };
  readonly events: {
    /** The change feed, in the order of commits. `GET /events` */
    list(query?: EventsListQuery, options?: ReadOptions): Answered<EventsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: EventsListQuery, options?: ReadOptions): Pages<EventsListItem, EventsListAnswer>;
    /** The change feed as server-sent events. `GET /events/stream` */
    stream(query?: EventsStreamQuery, options?: StreamOptions): EventStream<EventsStreamEvent>;
  };
  readonly imports: {
    /** Analyse a file and propose a mapping of its columns. `POST /import-jobs` */
    analyze(body: ImportsAnalyzeBody, options?: KeyOptions & Trial): Answered<ImportsAnalyzeAnswer>;
    /** The same with a file as the body. */
    analyzeFile(file: string | Blob | ArrayBuffer | Uint8Array, query: Pick<ImportsAnalyzeBody, "object_name" | "file_name" | "has_header">, options: KeyOptions & Trial & FileOptions): Answered<ImportsAnalyzeAnswer>;
    /** Imports of the last thirty days with their progress, latest first. `GET /import-jobs` */
    list(query?: ImportsListQuery, options?: ReadOptions): Answered<ImportsListAnswer>;
    /** The same on all pages, one after the other. */
    listAll(query?: ImportsListQuery, options?: ReadOptions): Pages<ImportsListItem, ImportsListAnswer>;
    /** Progress and outcome of an import. `GET /import-jobs/:id` */
    get(id: string, options?: ReadOptions): Answered<ImportsGetAnswer>;
    /** Preview an import row by row. `POST /import-jobs/:id/preview` */
    preview(id: string, body?: ImportsPreviewBody, options?: KeyOptions & Trial): Answered<ImportsPreviewAnswer>;
    /** Execute an import: at once, or as a job for more than 2,000 rows. `POST /import-jobs/:id/execute` */
    execute(id: string, body?: ImportsExecuteBody, options?: KeyOptions & Trial): Answered<ImportsExecuteAnswer>;
    /** Cancel an import: its rows so far stay and can be undone; the others are skipped. `POST /import-jobs/:id/cancel` */
    cancel(id: string, options?: KeyOptions & Trial): Answered<ImportsCancelAnswer>;
    /** The rejected rows of an import in the columns of their file, each with its reason. `GET /import-jobs/:id/failed-rows` */
    failedRows(id: string, options?: ReadOptions): Answered<Response>;
  };
  readonly everything: {
    /** Records of all objects that match a search, best first. `GET /search` */
    search(query?: EverythingSearchQuery, options?: ReadOptions): Answered<EverythingSearchAnswer>;
  };
  readonly webhooks: {
    /** Webhooks of the workspace, oldest first. `GET /webhooks` */
    list(options?: ReadOptions): Answered<WebhooksListAnswer>;
    /** Create a webhook that receives future events, as far as the caller may see them then. `POST /webhooks` */
    create(body: WebhooksCreateBody, options?: KeyOptions & Trial): Answered<WebhooksCreateAnswer>;
    /** One webhook. `GET /webhooks/:id` */
    get(id: string, options?: ReadOptions): Answered<WebhooksGetAnswer>;
    /** Change, pause or resume a webhook; absent keys stay unchanged. `PUT /webhooks/:id` */
    update(id: string, body?: WebhooksUpdateBody, options?: WriteOptions & Trial): Answered<WebhooksUpdateAnswer>;
    /** Delete a webhook: nothing more is sent. `DELETE /webhooks/:id` */
    delete(id: string, options?: WriteOptions & Trial): Answered<WebhooksDeleteAnswer>;
    /** Give a webhook a new secret; both sign for 24 hours. `POST /webhooks/:id/rotate-secret` */
    rotateSecret(id: string, options?: KeyOptions & Trial): Answered<WebhooksRotateSecretAnswer>;
    /** Send an event of type webhook.test to a webhook of the caller, once. `POST /webhooks/:id/test` */
    test(id: string, options?: KeyOptions): Answered<WebhooksTestAnswer>;
    /** Deliveries of a webhook of the caller, sent and pending, latest first. `GET /webhooks/:id/deliveries` */
    deliveries(id: string, query?: WebhooksDeliveriesQuery, options?: ReadOptions): Answered<WebhooksDeliveriesAnswer>;
    /** The same on all pages, one after the other. */
    deliveriesAll(id: string, query?: WebhooksDeliveriesQuery, options?: ReadOptions): Pages<WebhooksDeliveriesItem, WebhooksDeliveriesAnswer>;
    /** Replay deliveries of a webhook of the caller, with the same event ids. `POST /webhooks/:id/replay` */
    replay(id: string, body?: WebhooksReplayBody, options?: KeyOptions & Trial): Answered<WebhooksReplayAnswer>;
  };
}
