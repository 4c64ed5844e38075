/** Formats a log line for a terminal. */
import { styleText } from 'node:util';
import { isObject, parseJson, type Json, type JsonObject } from './json.ts';

const colours = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const;

/**
 * The time, the level, the message and the other keys of a JSON `line`; a stack gets its own lines. Control
 * characters are escaped. `stream` is the target, which decides on colours.
 */
export function readableLine(line: string, stream: NodeJS.WriteStream): string {
  const entry = parseJson(line);
  if (!isObject(entry)) return line;
  const { level, time, msg, error, ...others } = entry;
  const styled = (format: Parameters<typeof styleText>[0], text: string) => styleText(format, text, { stream });
  const label = Object.entries(colours).find(([name]) => name === level);
  const { stack, ...details }: JsonObject = isObject(error) ? error : error === undefined ? {} : { error };
  const fields = { ...others, ...details };
  const words = [
    styled('dim', new Date(String(time)).toTimeString().slice(0, 8)),
    styled(label?.[1] ?? 'dim', String(level).padEnd(5)),
    harmless(String(msg)),
    ...Object.entries(fields).map(([name, value]) => styled('dim', `${harmless(name)}=${shown(value)}`)),
  ];
  const frames = typeof stack === 'string' && stack !== '' ? stack.split('\n').map((frame) => `  ${frame.trim()}`) : [];
  return `${words.join(' ')}\n${frames.map((frame) => `${styled('dim', harmless(frame))}\n`).join('')}`;
}

/** Longer lists are shown by their length. */
const longestList = 60;

function shown(value: Json): string {
  if (Array.isArray(value) && JSON.stringify(value).length > longestList) return `(${value.length})`;
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : harmless(JSON.stringify(value));
}

// oxlint-disable-next-line no-control-regex -- these are the characters that steer a terminal
const steering = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function harmless(text: string): string {
  return text.replaceAll(steering, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
