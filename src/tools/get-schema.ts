/** [decisions: Tools] What an agent needs first: objects and fields, pipelines, users, and its own rights. */
import { integrationStatus } from '../operations/conversations/integrations.ts';
import { getMe, getMyPermissions } from '../operations/people/me.ts';
import { listPipelines } from '../operations/workspace/pipelines.ts';
import { getObjectSchema, listSchema } from '../operations/workspace/schema.ts';
import { listUsers } from '../operations/people/users.ts';
import { cursor, objectName, text, texts, whole } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';

export const getSchema = defineTool({
  name: 'crm_get_schema',
  title: 'Get Schema',
  description: 'The objects with the types of their fields; with object_name, one in full, with its options.',
  input: {
    object_name: objectName,
    search: text('users'),
    cursor,
    limit: whole(100, 500),
    fields: texts,
    max_tokens: maxTokens,
  },
  output: { objects: 'any', fields: 'array', pipelines: 'array', data: 'array' },
  hints: reads,
  defaultAction: ({ object_name: name = null }) => (name === null || name === '' ? 'objects' : 'object'),
  as: { object_name: 'object' },
  actions: {
    objects: { operation: listSchema, defaults: { brief: true }, rows: ['objects'] },
    object: { operation: getObjectSchema, needs: ['object_name'], rows: ['fields'], rowName: 'name' },
    pipelines: { operation: listPipelines, rows: ['pipelines'] },
    users: { operation: listUsers, takes: ['search', 'cursor', 'limit'], rows: ['data'] },
    me: { operation: getMe },
    permissions: { operation: getMyPermissions },
    integrations: { operation: integrationStatus, rows: ['integrations'] },
  },
});
