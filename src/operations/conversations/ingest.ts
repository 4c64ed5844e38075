/** Ingests conversations and meetings from a file, in batches of lines. [contract: Ingest] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { cleanMessage } from '../../records/conversations/clean-message.ts';
import { ingest, type Batch, type Ingested, type NewInteraction } from '../../records/conversations/ingest.ts';
import {
  readLine,
  type EventLine,
  type IntegrationLine,
  type InteractionLine,
} from '../../records/conversations/ingest-lines.ts';
import { internalObject } from '../../records/reading/named.ts';
import { halving, refusedByDatabase } from '../../records/writing/in-halves.ts';
import { askAfterImport, manyInLot } from '../background/after-import.ts';
import { defineOperation } from '../door/operation.ts';

/** The most lines per call. */
const mostLines = 1_000;

const Count = Type.Integer({ minimum: 0 });

export const ingestLines = defineOperation({
  id: 'conversations.ingest',
  summary: 'Import accounts, messages and meetings; existing ones are skipped',
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
    // One transaction per half: together they would lock threads in another order than other batches and could deadlock.
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
  /** The line number. */
  readonly id: string;
  readonly read: IntegrationLine | EventLine | NewInteraction;
}

/** Called last in the transaction, since concurrent batches enqueue the same jobs. */
async function askForStatistics(call: Call, tx: WorkspaceTransaction, came: Ingested): Promise<void> {
  for (const name of ['interactions', 'events'] as const)
    if (came[name] >= manyInLot) await askAfterImport(call, tx, internalObject(call, name));
}

/** Parses the lines; the reasons for rejected lines are added to `refusals`. */
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

/** User ids by lower-case address, for the users that the lines name. */
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
