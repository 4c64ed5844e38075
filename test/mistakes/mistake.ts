/** A mistake that people make, and its answer as a text to read. */
import type { Client, Reply } from '../support/kith.ts';
import type { Stage } from './stage.ts';

export interface Mistake {
  /** What somebody did: `asks for a page by its number`. */
  readonly who: string;
  /** `GET /records/contacts?page=2`; below /api/v1 unless it begins with `//`. */
  readonly send: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  /** Without it, the admin. */
  readonly as?: 'rep';
}

/** The chapter as it is reviewed: each mistake, what was sent, and the answer. Texts of the stage stand for its ids. */
export async function chapter(stage: Stage, mistakes: readonly Mistake[]): Promise<string> {
  const parts: string[] = [];
  for (const mistake of mistakes) parts.push(await told(stage, mistake));
  return parts.join('\n');
}

async function told(stage: Stage, mistake: Mistake): Promise<string> {
  const reply = await sent(stage, mistake);
  const lines = [`# ${mistake.who}`, decodeURIComponent(mistake.send)];
  for (const [name, value] of Object.entries(mistake.headers ?? {})) lines.push(`${name}: ${value}`);
  if (mistake.body !== undefined) lines.push(shortened(bodyText(mistake.body)));
  return stage.named(`${[...lines, ...answer(reply)].join('\n')}\n`);
}

function sent(stage: Stage, { send, headers = {}, body, as }: Mistake): Promise<Reply> {
  const client: Client = as === 'rep' ? stage.rep : stage.admin;
  const space = send.indexOf(' ');
  const path = stage.filled(send.slice(space + 1));
  const init: RequestInit = { method: send.slice(0, space), headers: { ...headers } };
  if (body !== undefined) {
    init.body = stage.filled(bodyText(body));
    init.headers = { 'content-type': 'application/json', ...headers };
  }
  return client.send(path.startsWith('//') ? path.slice(1) : `/api/v1${path}`, init);
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The indented part of an entry: status and code, then whatever helps. */
function answer({ status, json, text, headers }: Reply): string[] {
  const warning = headers.get('warning');
  if (warning !== null) return [`    ${status}, with the Warning`, `    ${warning.replace(/^299 - /, '')}`];
  const rows: { index: number; error: string }[] = json?.errors ?? [];
  if (rows.length > 0)
    return [`    ${status}, with errors`, ...rows.map(({ index, error }) => `    ${index}: ${error}`)];
  const code: unknown = json?.code;
  if (typeof code !== 'string') return [`    ${status} ${shortened(text)}`];
  const lines = [`    ${status} ${code}`, `    ${json.message}`];
  const fields: { field: string; message: string }[] = json.field_errors ?? [];
  for (const { field, message } of fields) if (!json.message.includes(message)) lines.push(`    ${field}: ${message}`);
  const values: string[] | undefined = json.available_values;
  if (values) lines.push(`    [${shortened(values.join(', '))}]`);
  return lines;
}

/** Long bodies and lists are cut: what is reviewed is the sentence. */
function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
