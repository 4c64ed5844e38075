/** [spec: crm_import_records] Imports a file with review. */
import type { Json, JsonObject } from '../lib/json.ts';
import {
  analyzeImport,
  cancelImport,
  executeImport,
  getImport,
  previewImport,
} from '../operations/imports/import-jobs.ts';
import { listImports } from '../operations/imports/import-list.ts';
import { anything, cursor, objectName, oneOf, text, texts, values, type ArgumentValues } from './arguments.ts';
import { defineTool, maxTokens, writes } from './define.ts';

const choice = ['mapping', 'import_options'];

/** JSON, unless declared as CSV or unless the text cannot be JSON. */
function file({ format, ...rest }: ArgumentValues) {
  return { ...rest, format: format ?? formatOf(rest['data']) };
}

function formatOf(data: Json | undefined): string {
  return typeof data !== 'string' || /^\s*[[{]/.test(data) ? 'json' : 'csv';
}

/** Drops a format that does not match the file. */
function adjustExample({ format, ...rest }: JsonObject): JsonObject {
  return format === formatOf(rest['data']) ? { ...rest, format } : rest;
}

export const importRecords = defineTool({
  name: 'crm_import_records',
  title: 'Import Records',
  description:
    'For admins. analyze proposes where columns go, preview tries it, execute does it, once the person has confirmed: more than 2,000 rows are queued, and status looks at them.',
  input: {
    object_name: objectName,
    data: { ...anything, description: 'JSON array or CSV, as text' },
    format: oneOf(['json', 'csv'], 'json'),
    import_job_id: text(),
    mapping: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          column: { type: 'string' },
          action: { enum: ['map', 'new_field', 'relation', 'ignore'] },
          field: { type: 'string', description: 'map' },
          new_field_name: { type: 'string' },
          new_field_label: { type: 'string' },
          new_field_type: { type: 'string' },
          new_field_unique: { type: 'boolean' },
          enum_options: { type: 'array' },
          target_object: { type: 'string', description: 'relation' },
          lookup_field: { type: 'string' },
          relation_type: { enum: ['BELONGS_TO_ONE', 'MANY_TO_MANY'] },
        },
      },
    },
    import_options: {
      ...values,
      properties: {
        duplicate_strategy: { enum: ['create', 'update', 'skip'] },
        duplicate_fields: { type: 'array' },
        default_values: { type: 'object' },
        add_options: { type: 'boolean', description: 'that fields lack' },
      },
    },
    add_to_list_ids: texts,
    create_list_name: text(),
    preview_hash: text('exactly that preview'),
    cursor,
    max_tokens: maxTokens,
  },
  output: { import_job_id: 'string', status: 'string', created: 'integer', failed: 'integer' },
  hints: writes,
  as: { import_job_id: 'id' },
  actions: {
    analyze: {
      operation: analyzeImport,
      needs: ['object_name', 'data'],
      takes: ['format'],
      input: file,
      adjustExample,
    },
    preview: { operation: previewImport, needs: ['import_job_id'], takes: choice },
    execute: {
      operation: executeImport,
      needs: ['import_job_id'],
      takes: [...choice, 'add_to_list_ids', 'create_list_name', 'preview_hash'],
      affects: ({ import_job_id: id = null }) => ({ operation: getImport, input: { id } }),
    },
    status: { operation: getImport, needs: ['import_job_id'] },
    list: { operation: listImports, takes: ['cursor'] },
    cancel: { operation: cancelImport, needs: ['import_job_id'] },
  },
});
