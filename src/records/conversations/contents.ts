/**
 * The contents of messages at rest: sealed with the organization's data key and bound to the message's id alone, so
 * that they survive a move and a restore.
 */
import type { Call, Vault } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';

/** The sealed parts of a message. [spec: Interaction (message)] */
export interface Body {
  readonly content_text: string | null;
  readonly content_html: string | null;
}

export interface SealedContents {
  readonly preview: string;
  readonly body: string;
}

/** Characters of a preview. [spec: Page and size limits] */
const longestPreview = 200;

/** Seals the contents of the message with this id; `text`, without HTML, becomes its preview. */
export function sealContents(vault: Vault, id: string, body: Body, text: string): SealedContents {
  return {
    preview: vault.seal(previewOf(text), placeOf(id, 'preview')),
    body: vault.seal(JSON.stringify(body), placeOf(id, 'body')),
  };
}

/** Opens the message's body. */
export function openBody(vault: Vault, id: string, sealed: string): Body {
  return JSON.parse(vault.open(sealed, placeOf(id, 'body'))) as Body;
}

/** Opens the message's preview: plain text. */
export function openPreview(vault: Vault, id: string, sealed: string): string {
  return vault.open(sealed, placeOf(id, 'preview'));
}

/** Reads the organization's data key, for `Call.vault`. */
export function storedDataKey(call: Call): Statement {
  return statement(selectDataKey(call), call.model.version);
}

/** A vault with the organization's data key, read in the transaction. */
export async function vaultIn(call: Call, tx: WorkspaceTransaction): Promise<Vault> {
  const { rows } = await tx.run(storedDataKey(call));
  return call.vault(rows[0]?.[0] ?? '');
}

/** Selects the organization's data key. */
export function selectDataKey({ workspace }: Call): Sql {
  return sql`select data_key from ${workspace.table('_organization')}`;
}

/** The beginning of a text in one line. */
export function previewOf(text: string): string {
  const line = text
    .slice(0, 4 * longestPreview)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longestPreview ? `${line.slice(0, longestPreview - 1).toWellFormed()}…` : line.toWellFormed();
}

function placeOf(id: string, field: 'preview' | 'body'): string {
  return `_interaction_contents/${id}/${field}`;
}
