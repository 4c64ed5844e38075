/**
 * A client that knows what the definitions of the tools say, and what it was answered: it sends no argument that they do not
 * list, and no id that it has not read. What it sends and reads is counted.
 */
import type { Tool } from '@modelcontextprotocol/client';
import { Compile, type Validator } from 'typebox/compile';
import { connectAgent } from '../mcp/agent.ts';
import { tokensOf } from '../mcp/tokens.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
export type Told = any;

export interface Player {
  /** What the tool answers, or the body of its refusal. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Told>;
  /** The same as JSON of a resource. */
  read(uri: string): Promise<Told>;
  /** Begins a task that has these words: what was read before is forgotten. */
  begin(words: string): void;
  readonly calls: number;
  /** Of all that was sent and read since. */
  readonly tokens: number;
  close(): Promise<void>;
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export async function connectPlayer(url: string, token: string, person?: () => 'accept' | 'decline'): Promise<Player> {
  const { client, close } = await connectAgent(url, token, 'current', 'player', person);
  const { tools } = await client.listTools();
  const validators = new Map(tools.map((tool) => [tool.name, { tool, takes: Compile(tool.inputSchema as object) }]));
  let [calls, tokens, known] = [0, 0, ''];
  const took = (sent: string, read: string) => {
    calls++;
    tokens += tokensOf(sent) + tokensOf(read);
    known += read;
  };
  return {
    async call(name, args = {}) {
      const sent = JSON.stringify(args);
      const found = validators.get(name);
      if (!found) throw new Error(`No tool ${name} is listed`);
      refuseUnlisted(found.tool, found.takes, args);
      for (const [id] of sent.matchAll(uuids)) if (!known.includes(id)) throw new Error(`${id} was never told`);
      const { content, structuredContent } = await client.callTool({ name, arguments: args });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      took(`${name} ${sent}`, texts.join('\n'));
      return structuredContent;
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const text = contents.map((one) => ('text' in one ? one.text : '')).join('\n');
      took(uri, text);
      return JSON.parse(text);
    },
    begin(words) {
      [calls, tokens, known] = [0, 0, words];
    },
    get calls() {
      return calls;
    },
    get tokens() {
      return tokens;
    },
    close,
  };
}

function refuseUnlisted({ name, inputSchema }: Tool, takes: Validator, args: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(args).filter((key) => !Object.hasOwn(inputSchema.properties ?? {}, key));
  if (unknown.length > 0) throw new Error(`${name} lists no ${unknown.join(', ')}`);
  if (!takes.Check(args)) throw new Error(`${name} says that it does not take ${JSON.stringify(args)}`);
}
