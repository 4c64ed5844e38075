/** What the suite of conformance asks a server for: tools, resources and prompts by names of its own, over the server of the product. */
import {
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceNotFoundError,
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Offer } from '../../../src/mcp/server.ts';
import type { Visit } from '../../../src/mcp/visit.ts';

const image = {
  type: 'image' as const,
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};
const audio = {
  type: 'audio' as const,
  data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=',
  mimeType: 'audio/wav',
};
const text = (of: string) => ({ type: 'text' as const, text: of });
const resource = (uri: string, mimeType: string, of: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: of },
});
const done = (...content: CallToolResult['content']): CallToolResult => ({ content });

const states = createRequestStateCodec<{ round: number }>({ key: 'a-key-of-the-tests-that-is-long-enough' });

const answersIn = ({ mcpReq }: ServerContext): Record<string, unknown> => mcpReq.inputResponses ?? {};
const hasAnswer = (context: ServerContext, key: string) => {
  const answer = answersIn(context)[key];
  return typeof answer === 'object' && answer !== null;
};

const question = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const sample = (of: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(of) }], maxTokens: 100 });

type Result = CallToolResult | InputRequiredResult;
type Run = (context: ServerContext) => Result | Promise<Result>;

/** Asks until there is an answer by that key. */
const asksFor =
  (key: string, ask: () => ReturnType<typeof question>, finished = `Thank you for ${key}`): Run =>
  (context) =>
    hasAnswer(context, key) ? done(text(finished)) : inputRequired({ inputRequests: { [key]: ask() } });

async function stateOf(context: ServerContext): Promise<{ round: number } | undefined> {
  const state = context.mcpReq.requestState();
  if (typeof state !== 'string') return undefined;
  try {
    return await states.verify(state, context);
  } catch {
    throw new ProtocolError(-32_602, 'This state was changed');
  }
}

async function withState(context: ServerContext, rounds: number): Promise<Result> {
  const round = ((await stateOf(context))?.round ?? 0) + 1;
  if (round > rounds) return done(text('state-ok'));
  const key = `step${round}`;
  return inputRequired({
    inputRequests: { [key]: question(`Step ${round}`, 'answer') },
    requestState: await states.mint({ round }, context),
  });
}

const declared = (context: ServerContext) =>
  context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities' as never] as
    | Record<string, unknown>
    | undefined;

async function notes({ mcpReq }: ServerContext): Promise<Result> {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
    await mcpReq.log('info', data);
  return done(text('Logged'));
}

async function progresses({ mcpReq }: ServerContext): Promise<Result> {
  const { progressToken } = mcpReq._meta ?? {};
  for (const progress of progressToken === undefined ? [] : [0, 50, 100])
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: progressToken!, progress, total: 100 },
    });
  return done(text('Done'));
}

const tools: Readonly<Record<string, Run>> = {
  test_simple_text: () => done(text('This is a simple text response for testing.')),
  test_image_content: () => done(image),
  test_audio_content: () => done(audio),
  test_embedded_resource: () =>
    done(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    done(
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  test_tool_with_logging: notes,
  test_logging_tool: notes,
  test_tool_with_progress: progresses,
  test_missing_capability: (context) => {
    if (declared(context)?.['sampling'] === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return done(text('There'));
  },
  test_streaming_elicitation: (context) => asksFor('answer', () => question('Well?', 'answer'))(context),
  test_input_required_result_elicitation: asksFor('user_name', () => question('What is your name?', 'name'), 'Hello!'),
  test_input_required_result_sampling: asksFor('capital_question', () => sample('The capital of France?')),
  test_input_required_result_list_roots: asksFor('client_roots', () => inputRequired.listRoots()),
  test_input_required_result_multiple_inputs: async (context) =>
    Object.keys(answersIn(context)).length >= 3
      ? done(text('All there'))
      : inputRequired({
          inputRequests: {
            user_name: question('What is your name?', 'name'),
            greeting: sample('Greet somebody'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await states.mint({ round: 1 }, context),
        }),
  test_input_required_result_request_state: (context) => withState(context, 1),
  test_input_required_result_tampered_state: (context) => withState(context, 1),
  test_input_required_result_multi_round: (context) => withState(context, 2),
  test_input_required_result_capabilities: (context) => {
    const { sampling, elicitation } = declared(context) ?? {};
    return inputRequired({
      inputRequests: {
        ...(sampling !== undefined && { greeting: sample('Greet somebody') }),
        ...(elicitation !== undefined && { user_name: question('What is your name?', 'name') }),
      },
    });
  },
};

const resources: Readonly<Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: image.data },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
};

function read(uri: string) {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const found =
    id === undefined
      ? resources[uri]
      : {
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        };
  if (!found) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, ...found }] };
}

const says = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user' as const, content })),
});

const argument = (name: string) => ({ name, description: name, required: true });

const prompts = [
  { name: 'test_simple_prompt', description: 'Simple' },
  { name: 'test_prompt_with_arguments', description: 'Two', arguments: [argument('arg1'), argument('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'One', arguments: [argument('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'An image' },
  { name: 'test_input_required_result_prompt', description: 'Asks' },
];

function prompt(name: string, given: Record<string, string>, context: ServerContext) {
  switch (name) {
    case 'test_simple_prompt':
      return says(text('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return says(text(`Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`));
    case 'test_prompt_with_embedded_resource':
      return says(resource(given['resourceUri'] ?? '', 'text/plain', 'Embedded'), text('Please process it.'));
    case 'test_prompt_with_image':
      return says(image, text('Please analyze the image above.'));
    default:
      return hasAnswer(context, 'user_context')
        ? says(text('In context'))
        : inputRequired({ inputRequests: { user_context: question('What context?', 'context') } });
  }
}

export const conformanceOffer: Offer<Visit> = {
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
  answers: {
    'tools/list': () => ({
      tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
    }),
    'tools/call': ({ params }, context) => {
      const run = tools[params.name];
      if (!run) throw new ProtocolError(-32_602, `Unknown tool: ${params.name}`);
      return run(context);
    },
    'resources/list': () => ({
      resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
    }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
    }),
    'resources/read': ({ params }) => read(params.uri),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    'prompts/list': () => ({ prompts }),
    'prompts/get': ({ params }, context) => prompt(params.name, params.arguments ?? {}, context),
    'completion/complete': () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
  },
};
