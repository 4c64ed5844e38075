/** Conversations and meetings from a file, some lines at a time. [contract: Ingest] */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { KithError } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { sql, statement } from '../postgres/sql.ts';
import { cleanMessage } from '../records/conversations/clean-message.ts';
import { ingest, type Batch, type Ingested, type NewInteraction } from '../records/conversations/ingest.ts';
import {
  readLine,
  type EventLine,
  type IntegrationLine,
  type InteractionLine,
} from '../records/conversations/ingest-lines.ts';
import { internalObject } from '../records/reading/named.ts';
import { halving, refusedByDatabase } from '../records/writing/in-halves.ts';
import { askAfterImport, manyInLot } from './background/after-import.ts';
import { defineOperation } from './door/operation.ts';

/** Lines of one call. */
const mostLines = 1_000;

const Count = Type.Integer({ minimum: 0 });

export const ingestLines = defineOperation({
  id: 'conversations.ingest',
  summary: 'Bring in accounts, messages and meetings; what is there already is skipped',
  input: Type.Object(
    {
      lines: Type.Array(Type.Object({ line: Type.Integer({ minimum: 1 }), value: Type.Unknown() }), {
        maxItems: mostLines,
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    integrations: Count,
    threads: Count,
    interactions: Count,
    events: Count,
    skipped: Type.Integer({ minimum: 0, description: 'Lines that say what is known already' }),
    errors: Type.Array(Type.Object({ line: Type.Integer(), code: Type.String(), message: Type.String() })),
  }),
  effect: 'write',
  cost: 'bulk',
  adminOnly: 'Bringing in conversations',
  async run(call, input) {
    const refusals = new Map<string, KithError>();
    const given = await readLines(call, input.lines as readonly UnreadLine[], refusals);
    const done = { integrations: 0, threads: 0, interactions: 0, events: 0 };
    // A transaction each: halves in one would lock threads in another order than other batches do.
    await halving(call, given, refusals, refusedByDatabase, async (lines) => {
      const part = await call.part((now) =>
        ingest(now, batchOf(lines), async (tx, came) => {
          await askForStatistics(now, tx, came);
          now.audit(tx, 'import', { conversations: { ...came } });
        }),
      );
      for (const name of ['integrations', 'threads', 'interactions', 'events'] as const) done[name] += part[name];
    });
    const taken = done.integrations + done.interactions + done.events;
    const refused = [...refusals].map(([line, { code, message }]) => ({ line: Number(line), code, message }));
    return { ...done, skipped: input.lines.length - refused.length - taken, errors: refused };
  },
});

interface UnreadLine {
  readonly line: number;
  readonly value: Json;
}

interface GivenLine {
  /** Its number. */
  readonly id: string;
  readonly read: IntegrationLine | EventLine | NewInteraction;
}

/** Last of the transaction: lots that come at once ask for the same jobs. */
async function askForStatistics(call: Call, tx: WorkspaceTransaction, came: Ingested): Promise<void> {
  for (const name of ['interactions', 'events'] as const)
    if (came[name] >= manyInLot) await askAfterImport(call, tx, internalObject(call, name));
}

/** What the lines say; why some of them say nothing is added to `refusals`. */
async function readLines(
  call: Call,
  lines: readonly UnreadLine[],
  refusals: Map<string, KithError>,
): Promise<readonly GivenLine[]> {
  const users = await usersByEmail(
    call,
    lines.map(({ value }) => value),
  );
  const reader = { userOf: (email: string) => users.get(email.toLowerCase()), timeZone: call.model.timeZone };
  const given: GivenLine[] = [];
  for (const { line, value } of lines) {
    if (sliceIsOver()) await nextSlice();
    try {
      const read = readLine(value, reader);
      given.push({ id: String(line), read: read.kind === 'interaction' ? await withPlainText(call, read) : read });
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      refusals.set(String(line), error);
    }
  }
  return given;
}

function batchOf(lines: readonly GivenLine[]): Batch {
  const read = lines.map((line) => line.read);
  return {
    integrations: read.filter((line) => line.kind === 'integration'),
    interactions: read.filter((line) => line.kind === 'interaction'),
    events: read.filter((line) => line.kind === 'event'),
  };
}

/** Ids by address in lower case, of the users that lines speak of. */
async function usersByEmail({ workspace, model }: Call, lines: readonly Json[]): Promise<ReadonlyMap<string, string>> {
  const emails = new Set(lines.flatMap((line) => emailIn(line) ?? []));
  const [found] = await workspace.read(
    statement(
      sql`select lower(email), id from ${workspace.table('_users')} where lower(email) = any(${[...emails]}::text[])`,
      model.version,
    ),
  );
  return new Map((found?.rows ?? []).map(([email, id]) => [email ?? '', id ?? '']));
}

function emailIn(line: Json): string | undefined {
  const user = typeof line === 'object' && line !== null && 'user' in line ? line.user : undefined;
  return typeof user === 'string' && !user.includes('\0') ? user.trim().toLowerCase() : undefined;
}

async function withPlainText(call: Call, line: InteractionLine): Promise<NewInteraction> {
  if (line.html === null) return { ...line, plain: line.text ?? '' };
  const { html, text } = await cleanMessage(call, 'content_html', line.html);
  return { ...line, html, plain: line.text ?? text };
}
