/** What messages say, at rest: sealed under the organization's data key, bound to the message alone, so that it outlasts a move and a restore. */
import type { Call, Vault } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';

/** The parts of a message that are sealed. [spec: Interaction (message)] */
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

/** Seals the contents of the message with this id; `text` is what its preview begins with, without HTML. */
export function sealContents(vault: Vault, id: string, body: Body, text: string): SealedContents {
  return {
    preview: vault.seal(previewOf(text), placeOf(id, 'preview')),
    body: vault.seal(JSON.stringify(body), placeOf(id, 'body')),
  };
}

/** Opens the body of the message. */
export function openBody(vault: Vault, id: string, sealed: string): Body {
  return JSON.parse(vault.open(sealed, placeOf(id, 'body'))) as Body;
}

/** Opens the preview of the message: plain text. */
export function openPreview(vault: Vault, id: string, sealed: string): string {
  return vault.open(sealed, placeOf(id, 'preview'));
}

/** Asks for the organization's data key, which `Call.vault` opens. */
export function storedDataKey(call: Call): Statement {
  return statement(selectDataKey(call), call.model.version);
}

/** The same within a transaction: what opens and seals what the organization keeps. */
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
