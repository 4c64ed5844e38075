/** The audit log of the organization. */
import { Type } from 'typebox';
import { auditActions } from '../../audit/event.ts';
import { errors, quoted } from '../../errors.ts';
import { datetimeMember, member, numberMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { isUuid } from '../../lib/id.ts';
import { sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { userReading } from '../../records/reading/user-reading.ts';
import { Choice, Cursor, recordPage, timeIn } from '../inputs.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const Text = Nullable(Type.String());

const AuditEntry = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'Its number: 1 is the first, none is left out' }),
  at: Time,
  action: Type.String({ examples: ['token.created'] }),
  subject: Type.Object({}, { additionalProperties: true, description: 'Names, ids and counts, by action' }),
  actor: Nullable(Type.Object({ id: Id, display: Text })),
  means: Type.String({ description: 'api, mcp, cli, system' }),
  agent: Text,
  token: Text,
  request_id: Text,
  address: Nullable(Type.String({ description: "The client's; of IPv6 its network" })),
  hash: Type.String({ description: 'Its signature, which has in it that of the entry before' }),
});

const latestFirst = { ...descendingBy(sql`a.seq`, 'bigint'), isCounter: true } as const;

const entry = selectionOf([
  reading(sql`a.seq`, numberMember('seq')),
  reading(sql`a.at`, datetimeMember('at')),
  reading(sql`a.action`, textMember('action')),
  // The JSON as it was signed.
  reading(
    sql`a.subject`,
    member('subject', (text) => text),
  ),
  userReading('actor'),
  reading(sql`a.means`, textMember('means')),
  reading(sql`a.agent`, textMember('agent')),
  reading(sql`k.name`, textMember('token')),
  reading(sql`a.request`, textMember('request_id')),
  reading(sql`a.address`, textMember('address')),
  reading(sql`a.hash`, quotedMember('hash')),
]);

export const listAudit = defineOperation({
  id: 'audit.list',
  summary: 'The audit, latest first: tokens, roles, exports, imports, merges, messages, denials',
  input: Type.Object(
    {
      action: Type.Optional(Choice(auditActions)),
      actor: Type.Optional(Type.String({ description: 'Id of a user: what this one did' })),
      since: Type.Optional(Type.String({ description: 'A time: from then on' })),
      until: Type.Optional(Type.String({ description: 'A time: before it' })),
      limit: recordPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(AuditEntry),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Reading the audit',
  async run(call, { action, actor, since, until, ...input }) {
    const { workspace } = call;
    if (actor !== undefined && !isUuid(actor))
      throw errors.validation(`actor must be the id of a user, not ${quoted(actor)}`);
    const [from, to] = [timeIn(call, 'since', since), timeIn(call, 'until', until)];
    const plan = planPage(
      call,
      {
        rows: { row: sql`a`, table: workspace.table('_audit'), from: sql`${workspace.table('_audit')} a` },
        visible: sql`true`, // only for admins, who may see all of it
        filters: [
          ...(action === undefined ? [] : [sql`a.action = ${action}`]),
          ...(actor === undefined ? [] : [sql`a.actor_id = ${actor}::uuid`]),
          ...(from === undefined ? [] : [sql`a.at >= ${from}::timestamptz`]),
          ...(to === undefined ? [] : [sql`a.at < ${to}::timestamptz`]),
        ],
        order: latestFirst,
        identity: ['audit', action ?? null, actor ?? null, from ?? null, to ?? null],
        selection: entry,
        beside: sql` left join ${workspace.table('_users')} u on u.id = a.actor_id
          left join ${workspace.table('_tokens')} k on k.id = a.token_id`,
      },
      { limit: recordPage.of(call, input.limit), cursor: input.cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});
