/** Reads a JSON document for a command, such as the settings of an account. */
import { errors, quoted } from '../errors.ts';
import { readGiven } from '../lib/given-file.ts';
import { parseJson, type Json } from '../lib/json.ts';
import { unreadable } from './unreadable.ts';

const maxBytes = 1024 * 1024;

/**
 * The JSON of the file, a pipe, or standard input for `-`. Throws VALIDATION_ERROR for invalid JSON, and an error with one
 * sentence if it cannot be read.
 */
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
