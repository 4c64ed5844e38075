/** The operations on records and on the workspace, each by REST and by its tool. */
import { contacts, get, pair, post, type Pair } from './pair.ts';

const filters = { type: 'AND', conditions: [{ field: 'last_name', operator: 'equals', value: 'Berg' }] };
const file = { data: 'first_name\nWilma\n', format: 'csv' };

export const ofRecords: readonly Pair[] = [
  pair(
    'me.get',
    get(() => '/me'),
    'crm_get_schema',
    () => ({ action: 'me' }),
  ),
  pair(
    'me.permissions',
    get(() => '/me/permissions'),
    'crm_get_schema',
    () => ({ action: 'permissions' }),
  ),
  pair(
    'users.list',
    get(() => '/users'),
    'crm_get_schema',
    () => ({ action: 'users' }),
  ),
  pair(
    'integrations.status',
    get(() => '/integrations/status'),
    'crm_get_schema',
    () => ({ action: 'integrations' }),
  ),
  pair(
    'schema.list',
    get(() => '/schema', { brief: true }),
    'crm_get_schema',
    () => ({}),
  ),
  pair(
    'schema.get',
    get(() => '/schema/contacts'),
    'crm_get_schema',
    () => contacts,
  ),
  pair(
    'pipelines.list',
    get(() => '/pipelines'),
    'crm_get_schema',
    () => ({ action: 'pipelines' }),
  ),
  pair(
    'records.list',
    get(() => '/records/contacts', { filters }),
    'crm_find_records',
    () => ({ ...contacts, filters }),
  ),
  pair(
    'records.get',
    get(({ anna }) => `/records/contacts/${anna}`),
    'crm_find_records',
    ({ anna }) => ({
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'everything.search',
    get(() => '/search', { query: 'berg', limit: 20 }),
    'crm_global_search',
    () => ({ query: 'berg' }),
  ),
  pair(
    'records.aggregate',
    get(() => '/aggregate/contacts', { field: 'id', function: 'COUNT', group_by: 'last_name' }),
    'crm_aggregate_records',
    () => ({ ...contacts, field: 'id', function: 'COUNT', group_by: 'last_name' }),
  ),
  pair(
    'records.export',
    get(() => '/export/contacts', { limit: 500 }),
    'crm_export_records',
    () => contacts,
  ),
  pair(
    'records.create',
    post('/records/contacts', () => ({ first_name: 'Zoe' })),
    'crm_save_record',
    () => ({
      action: 'create',
      ...contacts,
      values: { first_name: 'Zoe' },
    }),
  ),
  pair(
    'records.update',
    (client, { anna }) => client.put(`/records/contacts/${anna}`, { job_title: 'CEO' }),
    'crm_save_record',
    ({ anna }) => ({ action: 'update', ...contacts, record_id: anna, values: { job_title: 'CEO' } }),
  ),
  pair(
    'records.delete',
    (client, { hers }) => client.delete(`/records/contacts/${hers}`),
    'crm_save_record',
    ({ his }) => ({ action: 'delete', ...contacts, record_id: his }),
  ),
  pair(
    'records.restore',
    (client, { hers }) => client.post(`/records/contacts/${hers}/restore`),
    'crm_save_record',
    ({ his }) => ({ action: 'restore', ...contacts, record_id: his }),
  ),
  pair(
    'pipelines.move',
    (client, { deal }) => client.put(`/pipelines/opportunities/${deal}/move`, { pipeline_step_id: 'Qualified' }),
    'crm_save_record',
    ({ deal }) => ({ action: 'move', object_name: 'opportunities', record_id: deal, pipeline_step_id: 'Qualified' }),
  ),
  pair(
    'pipelines.history',
    get(({ deal }) => `/pipelines/opportunities/${deal}/history`),
    'crm_undo',
    ({ deal }) => ({
      action: 'steps',
      object_name: 'opportunities',
      record_id: deal,
    }),
  ),
  pair(
    'records.history',
    get(({ anna }) => `/records/contacts/${anna}/history`),
    'crm_undo',
    ({ anna }) => ({
      action: 'history',
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'trash.list',
    get(() => '/trash/contacts'),
    'crm_undo',
    () => ({ action: 'trash', ...contacts }),
  ),
  pair(
    'changeSets.list',
    get(() => '/change-sets'),
    'crm_undo',
    () => ({ action: 'list' }),
  ),
  pair(
    'changeSet.undo',
    post('/undo', ({ gone }) => ({ change_set: gone })),
    'crm_undo',
    ({ gone }) => ({
      action: 'undo',
      change_set: gone,
    }),
  ),
  pair(
    'bulk.update',
    post('/bulk', ({ anna }) => ({
      action: 'update_field',
      ...contacts,
      field_name: 'job_title',
      field_value: 'CEO',
      record_ids: [anna],
    })),
    'crm_bulk',
    ({ anna }) => ({
      action: 'update_field',
      ...contacts,
      field_name: 'job_title',
      field_value: 'CEO',
      record_ids: [anna],
    }),
  ),
  pair(
    'records.batchCreate',
    post('/records/contacts/batch/create', () => ({ records: [{ first_name: 'Yan' }] })),
    'crm_bulk',
    () => ({ action: 'create', ...contacts, records: [{ first_name: 'Yan' }] }),
  ),
  pair(
    'records.batchUpsert',
    (client) =>
      client.post('/records/contacts/batch/upsert', { match: 'emails', records: [{ emails: 'anna@x.test' }] }),
    'crm_bulk',
    () => ({ action: 'upsert', ...contacts, match: 'emails', records: [{ emails: 'anna@x.test' }] }),
  ),
  pair(
    'jobs.get',
    get(({ gone }) => `/jobs/${gone}`),
    'crm_bulk',
    ({ gone }) => ({ action: 'status', job_id: gone }),
  ),
  pair(
    'jobs.cancel',
    (client, { gone }) => client.post(`/jobs/${gone}/cancel`),
    'crm_bulk',
    ({ gone }) => ({ action: 'cancel', job_id: gone }),
  ),
  pair(
    'records.duplicates',
    post('/duplicates', () => contacts),
    'crm_duplicates',
    () => ({ action: 'detect', ...contacts }),
  ),
  pair(
    'imports.analyze',
    post('/import-jobs', () => ({ ...contacts, ...file })),
    'crm_import_records',
    () => ({
      action: 'analyze',
      ...contacts,
      ...file,
    }),
  ),
  ...(['preview', 'execute', 'cancel'] as const).map((action) =>
    pair(
      `imports.${action}`,
      (client, { gone }) => client.post(`/import-jobs/${gone}/${action}`, {}),
      'crm_import_records',
      ({ gone }) => ({ action, import_job_id: gone }),
    ),
  ),
  pair(
    'imports.list',
    get(() => '/import-jobs', { limit: 20 }),
    'crm_import_records',
    () => ({ action: 'list' }),
  ),
  pair(
    'imports.get',
    get(({ gone }) => `/import-jobs/${gone}`),
    'crm_import_records',
    ({ gone }) => ({
      action: 'status',
      import_job_id: gone,
    }),
  ),
];
