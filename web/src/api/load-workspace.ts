/** Loads the workspace when the application starts. */
import { whenIdle } from '../app/later.ts';
import { beginAhead } from './ahead.ts';
import { kith, speakFor } from './kith.ts';
import type { ObjectShape, User, Workspace } from './workspace.ts';

/** The position of the feed of changes before anything else was requested. */
let feed: Promise<string | undefined> | undefined;

/** The feed's position before the page had any data; undefined if it could not be read. */
export async function feedAtStart(): Promise<string | undefined> {
  return feed;
}

/** Requests all parts at once. */
export async function loadWorkspace(): Promise<Workspace> {
  feed ??= kith.events.list({ after: 'now', limit: 1 }).then(
    ({ position }) => position,
    () => undefined,
  );
  const [me, reader, permissions, schema, { pipelines }, users] = await Promise.all([
    kith.me.get(),
    kith.workspace.get(),
    kith.me.permissions(),
    kith.schema.list(),
    kith.pipelines.list(),
    everyone(),
  ]);
  speakFor(me.workspaceUserId);
  whenIdle(beginAhead(me.workspaceUserId));
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

/** Users loaded with the workspace; the names of further ones come with the records that refer to them. */
const mostUsers = 1_000;

async function everyone(): Promise<User[]> {
  const users: User[] = [];
  for await (const user of kith.users.listAll({ limit: 100 })) {
    users.push(user);
    if (users.length >= mostUsers) break;
  }
  return users;
}
