/** What Kith offers over MCP: tools, resources, prompts and instructions. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { tools } from '../tools/tools.ts';
import { callTool } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { getPrompt, promptList } from './prompts.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import type { Offer } from './server.ts';
import type { Visit } from './visit.ts';

/** The tools in their order, as listed. */
export const listedTools = tools.map(({ name, title, description, input, output, annotations }) => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations,
})) as unknown as ListedTool[];

/** The offer. It never changes while the service runs, so there are no change notifications. */
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
