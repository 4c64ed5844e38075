/** Messages about inputs, told to those who gave them as flags. */
import type { Command } from 'commander';
import { KithError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';

/** The message of `error` with the flags of `command` in place of the names that the inputs have inside: `--admin-name` for `adminName` or `admin_name`. */
export function messageInFlags(error: unknown, command: Command | undefined): string {
  const fieldErrors = error instanceof KithError ? (error.fieldErrors ?? []) : [];
  return fieldErrors.reduce((told, { field, message }) => {
    const option = command?.options.find((one) => one.attributeName() === inCamelCase(field));
    if (!option?.long || !message.startsWith(`${field} `)) return told;
    return told.replace(message, () => option.long + message.slice(field.length));
  }, messageOf(error));
}

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
