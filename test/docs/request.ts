/** A request as pages write it, and its answer as they show it. */
import { pageUrl } from './volatile.ts';

/**
 * The command that sends it as the user of `KITH_TOKEN`; shell variables stand for ids. A request is a line such as
 * `GET /api/v1/me`, headers if there are any, and after an empty line a body in JSON.
 */
export function curlOf(request: string): string {
  const [head = '', ...body] = request.trimEnd().split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [, method, path] = /^([A-Z]+) (\/\S+)$/.exec(line) ?? [];
  if (method === undefined) throw new Error(`Not the first line of a request: ${line}`);
  // What the shell would read as more than a letter; the signs of variables stay.
  const json = body.join('\n\n').replaceAll(/[\\`]/g, String.raw`\$&`);
  const sent = json === '' ? headers : ['Content-Type: application/json', ...headers];
  const options = ['-g', '--oauth2-bearer "$KITH_TOKEN"', `-X ${method}`];
  options.push(...sent.map((header) => `-H '${header}'`));
  if (json !== '') options.push('--data-binary @-');
  const command = `curl ${options.join(' ')} "${pageUrl}${path}"`;
  return json === '' ? `${command}\n` : `${command} <<END_OF_BODY\n${json}\nEND_OF_BODY\n`;
}

const widest = 120;

/** JSON in lines that a page has room for; every number keeps its digits. Other text stays as it is. */
export function laidOut(answer: string): string {
  let value: unknown;
  try {
    value = JSON.parse(answer, (_, part: unknown, { source }: { source: string }) =>
      typeof part === 'number' ? new Digits(source) : part,
    );
  } catch {
    return answer;
  }
  return `${lines(value, 0, 0)}\n`;
}

class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `used` is how much of the first line is taken, its indent and what ends it. */
function lines(value: unknown, indent: number, used: number): string {
  const short = onOneLine(value);
  if (indent + used + short.length <= widest) return short;
  if (typeof value !== 'object' || value === null || value instanceof Digits) return short;
  const isList = Array.isArray(value);
  const inner = ' '.repeat(indent + 2);
  const parts = Object.entries(value).map(([key, part]) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    return inner + name + lines(part, indent + 2, name.length + 1);
  });
  return `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${' '.repeat(indent)}${isList ? ']' : '}'}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
