/** Signing secrets of webhooks, encrypted with the organization's data key and bound to the webhook. */
import type { Call } from '../../access/call.ts';
import { KithError } from '../../errors.ts';
import type { Row } from '../../postgres/database.ts';
import { instant, sql, type Sql } from '../../postgres/sql.ts';
import { newSecret } from '../../webhooks/signature.ts';

/** A new secret in plain and encrypted form. */
export function sealedSecret(call: Call, dataKey: string, webhookId: string): { secret: string; sealed: string } {
  const secret = newSecret();
  return { secret, sealed: call.vault(dataKey).seal(secret, placeOf(webhookId)) };
}

/** Selects the row that `secretsIn` reads. */
export function selectSecrets({ now, workspace }: Call, webhookId: string): Sql {
  const time = instant(now);
  return sql`select o.data_key, w.secret, case when w.old_secret_until > ${time} then w.old_secret end
    from ${workspace.table('_webhooks')} w, ${workspace.table('_organization')} o where w.id = ${webhookId}::uuid`;
}

/** The signing secrets, newest first; empty if they can no longer be decrypted. Throws UNAVAILABLE. */
export function secretsIn(call: Call, webhookId: string, [dataKey, ...sealed]: Row = []): readonly string[] {
  try {
    const vault = call.vault(dataKey ?? '');
    return sealed.flatMap((text) => (text === null ? [] : [vault.open(text, placeOf(webhookId))]));
  } catch (error) {
    if (error instanceof KithError) throw error;
    return [];
  }
}

function placeOf(webhookId: string): string {
  return `_webhooks/${webhookId}/secret`;
}
