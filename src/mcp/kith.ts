/** What Kith offers agents: its tools, some resources, prompts, and what to know before. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { tools } from '../tools/tools.ts';
import { callTool } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { getPrompt, promptList } from './prompts.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import type { Offer } from './server.ts';
import type { Visit } from './visit.ts';

/** In their order, as clients are told of them. */
export const listedTools = tools.map(({ name, title, description, input, output, annotations }) => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations,
})) as unknown as ListedTool[];

/** Nothing of it changes while the service runs: so nobody is told of changes. */
export const kithOffer: Offer<Visit> = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions,
  answers: {
    'tools/list': () => ({ tools: listedTools }),
    'tools/call': ({ params }, context, visit) => callTool(tools, params, context, visit),
    'resources/list': () => ({ resources }),
    'resources/templates/list': () => ({ resourceTemplates }),
    'resources/read': ({ params }, context, visit) => readResource(params.uri, context, visit),
    'prompts/list': () => ({ prompts: promptList }),
    'prompts/get': ({ params }) => getPrompt(params.name, params.arguments),
  },
};
