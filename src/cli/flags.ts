/** Rewrites messages about inputs in terms of flags. */
import type { Command } from 'commander';
import { KithError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';

/** The error's message with the command's flags in place of input names: `--admin-name` for `adminName` or `admin_name`. */
export function messageInFlags(error: unknown, command: Command | undefined): string {
  const fieldErrors = error instanceof KithError ? (error.fieldErrors ?? []) : [];
  return fieldErrors.reduce((text, { field, message }) => {
    const option = command?.options.find((one) => one.attributeName() === inCamelCase(field));
    if (!option?.long || !message.startsWith(`${field} `)) return text;
    return text.replace(message, () => option.long + message.slice(field.length));
  }, messageOf(error));
}

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
