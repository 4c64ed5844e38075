/** What messages say, at rest: sealed under the organization's data key, bound to the message alone, so that it outlasts a move and a restore. */
import { open, seal } from '../../auth/seal.ts';
import type { Keyring } from '../../auth/keys.ts';
import type { Call } from '../../access/call.ts';
import { sql, statement, type Statement } from '../../postgres/sql.ts';

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

/** Seals the contents of the message with this id; `text` is what they say without HTML. */
export function sealContents(key: Keyring, id: string, body: Body, text: string): SealedContents {
  return {
    preview: sealText(key, previewOf(text), placeOf(id, 'preview')),
    body: sealText(key, JSON.stringify(body), placeOf(id, 'body')),
  };
}

/** Opens the body of the message. */
export function openBody(key: Keyring, id: string, sealed: string): Body {
  return JSON.parse(open(key, sealed, placeOf(id, 'body')).toString()) as Body;
}

/** Opens the preview of the message: plain text. */
export function openPreview(key: Keyring, id: string, sealed: string): string {
  return open(key, sealed, placeOf(id, 'preview')).toString();
}

/** Asks for the organization's data key, which `Call.dataKey` opens. */
export function storedDataKey({ workspace, model }: Call): Statement {
  return statement(sql`select data_key from ${workspace.table('_organization')}`, model.version);
}

/** The beginning of a text in one line. */
export function previewOf(text: string): string {
  const line = text
    .slice(0, 4 * longestPreview)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longestPreview ? `${line.slice(0, longestPreview - 1).toWellFormed()}…` : line.toWellFormed();
}

function sealText(key: Keyring, text: string, place: string): string {
  return seal(key, Buffer.from(text), place);
}

function placeOf(id: string, field: 'preview' | 'body'): string {
  return `_interaction_contents/${id}/${field}`;
}
