/** Words why a file cannot be read. */
import { errors, KithError, quoted } from '../errors.ts';
import { systemFailure } from '../lib/system-failure.ts';
import { codeOf } from '../lib/thrown.ts';

/** The error to throw: NOT_FOUND, VALIDATION_ERROR for a directory, or another one with the system's reason. */
export function unreadable(path: string, error: unknown): Error {
  if (error instanceof KithError) return error;
  const code = codeOf(error);
  if (code === 'ENOENT') return errors.notFound(`There is no file ${quoted(path)}`);
  if (code === 'EISDIR') return errors.validation(`${quoted(path)} is a directory`);
  if (code === 'EACCES') return errors.permissionDenied(`The file ${quoted(path)} may not be read`);
  const reason = systemFailure(error, quoted(path));
  if (reason !== undefined) return errors.invalidOperation(reason);
  return error instanceof Error ? error : new Error(String(error));
}
