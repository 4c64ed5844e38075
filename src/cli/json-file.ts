/** A document that a command reads, such as how to connect an account. */
import { errors, quoted } from '../errors.ts';
import { readGiven } from '../lib/given-file.ts';
import { parseJson, type Json } from '../lib/json.ts';
import { unreadable } from './unreadable.ts';

const maxBytes = 1024 * 1024;

/** What the file, a pipe, or standard input for `-` holds. Throws VALIDATION_ERROR for what is no JSON, and one sentence where it cannot be read. */
export async function readJsonFile(path: string, signal: AbortSignal): Promise<Json> {
  const tooLong = `${quoted(path)} is longer than such a document is`;
  const content = await readGiven(path, { maxBytes, tooLong, signal }).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return parseJson(content.toString());
  } catch (error) {
    throw errors.validation(`${quoted(path)} is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
