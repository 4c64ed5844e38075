/** Settings to paste into agents, in the format of each. */
import { fileURLToPath } from 'node:url';
import { agentsPath } from '../lib/url-paths.ts';

export const clientNames = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'project'] as const;

export type ClientName = (typeof clientNames)[number];

interface Snippet {
  readonly client: ClientName;
  readonly title: string;
  /** The settings file; null for a command or a URL. */
  readonly file: string | null;
  readonly text: string;
}

/** By its path, under this Node: a name would have npm look for a package of that name, and hand it the token. */
const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));

/** The settings for the service at `base`, of one client or all. */
export function snippetsFor(base: string, client: ClientName | undefined): readonly Snippet[] {
  const url = base + agentsPath;
  const all: readonly Snippet[] = [
    {
      client: 'claude-code',
      title: 'Claude Code: run this',
      file: null,
      text: `claude mcp add --transport http kith ${url} --header "Authorization: Bearer $KITH_TOKEN"`,
    },
    {
      client: 'project',
      title: 'Any agent that reads .mcp.json of a project',
      file: '.mcp.json',
      text: json({ mcpServers: { kith: { type: 'http', url, headers: bearer('${KITH_TOKEN}') } } }),
    },
    {
      client: 'claude-desktop',
      title: 'Claude Desktop: claude_desktop_config.json',
      file: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          kith: {
            command: process.execPath,
            args: [launcher, 'mcp', '--url', base],
            env: { KITH_TOKEN: 'svc_…' },
          },
        },
      }),
    },
    {
      client: 'cursor',
      title: 'Cursor: .cursor/mcp.json',
      file: '.cursor/mcp.json',
      text: json({ mcpServers: { kith: { url, headers: bearer('${env:KITH_TOKEN}') } } }),
    },
    {
      client: 'cursor',
      title: 'Cursor: or open this address',
      file: null,
      text: `cursor://anysphere.cursor-deeplink/mcp/install?name=kith&config=${encodeURIComponent(
        Buffer.from(JSON.stringify({ url, headers: bearer('${env:KITH_TOKEN}') })).toString('base64'),
      )}`,
    },
    {
      client: 'vscode',
      title: 'VS Code: .vscode/mcp.json',
      file: '.vscode/mcp.json',
      text: json({
        inputs: [{ type: 'promptString', id: 'kith-token', description: 'API token of Kith', password: true }],
        servers: { kith: { type: 'http', url, headers: bearer('${input:kith-token}') } },
      }),
    },
  ];
  return client === undefined ? all : all.filter((snippet) => snippet.client === client);
}

function bearer(token: string): object {
  return { Authorization: `Bearer ${token}` };
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
