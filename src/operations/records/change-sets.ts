/** [decisions: Writing] Change sets: writes that belong together, with their author, origin, time and size. */
import { Type } from 'typebox';
import { errors, quoted } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { together, whole } from '../../lib/long-text.ts';
import { changeSetsPage } from '../../records/past/change-sets-page.ts';
import { writesPage } from '../../records/past/writes-page.ts';
import { Changes } from './history.ts';
import { Cursor, recordPage, timeIn } from '../inputs.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const Text = Nullable(Type.String());

const ChangeSet = Type.Object({
  id: Id,
  at: Type.String({ ...Time, description: 'When it was begun' }),
  actor: Nullable(Type.Object({ id: Id, display: Text })),
  means: Type.String({ description: 'api, import, cli, job, undo, …' }),
  agent: Text,
  token: Type.Optional(Text),
  operation: Text,
  writes: Type.Integer({ minimum: 0, description: 'Those that the caller sees something of' }),
  records: Type.Integer({ minimum: 0, description: 'Records and lists that they are of' }),
});

export const listChangeSets = defineOperation({
  id: 'changeSets.list',
  summary: 'Change sets of the caller, or of everybody for an admin, latest first',
  input: Type.Object(
    {
      limit: recordPage.input,
      cursor: Cursor,
      since: Type.Optional(Type.String({ description: 'A time; 30 days ago when absent' })),
      actor: Type.Optional(Type.String({ description: 'Id of a user: those of this one alone' })),
    },
    { additionalProperties: false },
  ),
  output: PageOf(ChangeSet),
  effect: 'read',
  cost: 'global',
  async run(call, { since, actor, ...input }) {
    if (actor !== undefined && !isUuid(actor))
      throw errors.validation(`actor must be the id of a user, not ${quoted(actor)}`);
    const limit = recordPage.of(call, input.limit);
    return pageText(
      await changeSetsPage(call, { since: timeIn(call, 'since', since), actor, limit, cursor: input.cursor }),
    );
  },
});

export const getChangeSet = defineOperation({
  id: 'changeSet.get',
  summary: 'One change set',
  input: Type.Object({ id: Type.String({ description: 'Id of the change set' }) }, { additionalProperties: false }),
  output: Type.Object({ change_set: ChangeSet }),
  effect: 'read',
  cost: 'global',
  async run(call, { id }) {
    if (!isUuid(id)) throw errors.changeSetNotFound(id);
    const { data, total } = await changeSetsPage(call, { id, limit: 1 });
    if (total === 0) throw errors.changeSetNotFound(id);
    return new JsonText(together('{"change_set":', whole(data).slice(1, -1), '}'));
  },
});

export const listWrites = defineOperation({
  id: 'changeSets.writes',
  summary:
    'What a change set wrote, in its order: records with their fields before and after, as far as the caller sees them',
  input: Type.Object(
    {
      id: Type.String({ description: 'Id of the change set' }),
      limit: recordPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(
    Type.Object({
      object: Type.String({ description: 'lists for a list' }),
      id: Id,
      display: Type.Union([Type.String(), Type.Null()], {
        description: 'How it is called now; null for one that is gone',
      }),
      action: Type.String({ enum: ['create', 'update', 'delete', 'restore', 'unlink', 'purge'] }),
      changes: Changes,
    }),
  ),
  effect: 'read',
  cost: 'global',
  async run(call, { id, ...input }) {
    if (!isUuid(id)) throw errors.changeSetNotFound(id);
    const limit = recordPage.of(call, input.limit);
    const page = await writesPage(call, { id: id.toLowerCase(), limit, cursor: input.cursor });
    if (page.total === 0) throw errors.changeSetNotFound(id);
    return pageText(page);
  },
});
