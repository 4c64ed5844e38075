/** [contract: Ingest] A line that the database refuses, though Kith found nothing wrong with it, keeps none of the others out. */
import { expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

useStage(async () => {
  const odd = sql`alter table ${table('_interactions')} add constraint odd check (subject <> 'odd') not valid`;
  await run(kith, organization, odd);
});

it('is named alone, of many that come at once; and comes in when it is sent again and taken', async () => {
  const user = await emailOf(admin);
  const refused = new Set([7, 8, 311, 500]);
  const event = { kind: 'event', user, external_id: 'e', title: 'Demo', start_time: '2026-10-01T09:00:00Z' };
  const lines = [
    event,
    ...Array.from({ length: 499 }, (_, at) =>
      messageLine(user, `m-${at}`, {
        external_thread_id: `t-${at % 50}`,
        ...(refused.has(at + 2) && { subject: 'odd' }),
      }),
    ),
  ];
  const answer = await ingest(kith, organization, lines);
  expect(answer).toMatchObject({ threads: 50, interactions: 495, events: 1, skipped: 0, failed: 4 });
  expect(answer.errors).toEqual(
    [...refused].map((line) => ({
      line,
      code: 'WRITE_FAILED',
      message: expect.not.stringMatching(/constraint|check/),
    })),
  );
  await run(kith, organization, sql`alter table ${table('_interactions')} drop constraint odd`);
  expect(await ingest(kith, organization, lines)).toMatchObject({ interactions: 4, skipped: 496, failed: 0 });
  const { json } = await admin.get('/inbox/threads', { limit: 1 });
  expect(json.total).toBe(50);
});
