/** The routes of /api/v1. Path parameters, query parameters and body keys are properties of the operation's input. */
import { restPrefix } from '../lib/url-paths.ts';
import { addAccount, listAccounts, removeAccount, syncAccount } from '../operations/conversations/accounts.ts';
import { recordActivity } from '../operations/tasks-and-notes/activity.ts';
import { aggregateRecords } from '../operations/records/aggregate.ts';
import { listAudit } from '../operations/people/audit.ts';
import { getChangeSet, listChangeSets, listWrites } from '../operations/records/change-sets.ts';
import { createRecords } from '../operations/records/batch.ts';
import { bulkUpdate } from '../operations/records/bulk.ts';
import { handleDuplicates } from '../operations/records/duplicates.ts';
import { followEvents, streamEvents } from '../operations/following/following.ts';
import {
  addDashboardChart,
  createDashboard,
  dashboardData,
  deleteDashboard,
  deleteDashboardChart,
  getDashboard,
  listDashboards,
} from '../operations/views/dashboards.ts';
import { explainAccess } from '../operations/records/explain.ts';
import { exportRecords } from '../operations/exports/export.ts';
import { importRecords } from '../operations/imports/import.ts';
import { listImports } from '../operations/imports/import-list.ts';
import {
  analyzeImport,
  cancelImport,
  executeImport,
  failedImportRows,
  getImport,
  previewImport,
} from '../operations/imports/import-jobs.ts';
import { recordHistory } from '../operations/records/history.ts';
import { getInteraction, getThread, listThreads, markThread } from '../operations/conversations/inbox.ts';
import { integrationStatus } from '../operations/conversations/integrations.ts';
import { createInvitation, listInvitations, withdrawInvitation } from '../operations/people/invitations.ts';
import { getMe, getMyPermissions } from '../operations/people/me.ts';
import { cancelJob, getJob } from '../operations/background/jobs.ts';
import { listJobs } from '../operations/background/own-jobs.ts';
import { listLimits } from '../operations/people/limits.ts';
import { addListEntries, listEntries, removeListEntries, updateListEntry } from '../operations/lists/list-entries.ts';
import { createList, deleteList, getList, listLists, updateList } from '../operations/lists/lists.ts';
import { findEvents } from '../operations/conversations/meetings.ts';
import { applyManifest, pullManifest } from '../operations/workspace/manifest.ts';
import { markEmail, previewMessage, sendMessage } from '../operations/conversations/messages.ts';
import type { Operation } from '../operations/door/operation.ts';
import { createNote, deleteNote, getNote, listNotes, updateNote } from '../operations/tasks-and-notes/notes.ts';
import { listPipelines, moveInPipeline, stepHistory } from '../operations/workspace/pipelines.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../operations/records/records.ts';
import { listRoles } from '../operations/people/roles.ts';
import { searchEverything } from '../operations/records/search.ts';
import { getReader } from '../operations/workspace/reader.ts';
import { getObjectSchema, listSchema } from '../operations/workspace/schema.ts';
import { listTrash, purgeRecord } from '../operations/records/trash.ts';
import { describeInterface } from '../operations/workspace/openapi.ts';
import {
  listNotifications,
  markAllNotifications,
  markNotification,
  streamNotifications,
} from '../operations/following/notifications.ts';
import {
  completeTask,
  createTask,
  deleteTask,
  getTask,
  listTasks,
  taskStats,
  updateTask,
} from '../operations/tasks-and-notes/tasks.ts';
import { disconnectApp, listConnectedApps } from '../operations/people/connected-apps.ts';
import { createToken, listTokens, revokeToken } from '../operations/people/tokens.ts';
import { undoChangeSet } from '../operations/records/undo.ts';
import { upsertRecord, upsertRecords } from '../operations/records/upsert.ts';
import { listUsers, updateUser } from '../operations/people/users.ts';
import { updateWorkspace } from '../operations/workspace/workspace-settings.ts';
import { createView, deleteView, getView, listViews, updateView } from '../operations/views/views.ts';
import { listDeliveries, replayDeliveries, testWebhook } from '../operations/webhooks/webhook-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../operations/webhooks/webhooks.ts';
import type { Method, Route } from './bind.ts';

const asValues = { under: 'values' };

export const routes: readonly Route[] = [
  on('GET', '/me', getMe),
  on('GET', '/me/permissions', getMyPermissions),
  on('GET', '/workspace', getReader),
  on('PUT', '/workspace', updateWorkspace, 'merged'),
  on('GET', '/roles', listRoles),
  on('GET', '/limits', listLimits),
  on('GET', '/explain', explainAccess),
  on('GET', '/users', listUsers),
  on('PUT', '/users/:id', updateUser, 'merged'),
  on('GET', '/invitations', listInvitations),
  on('POST', '/invitations', createInvitation, 'merged'),
  on('DELETE', '/invitations/:id', withdrawInvitation),
  on('GET', '/tokens', listTokens),
  on('POST', '/tokens', createToken, 'merged'),
  on('DELETE', '/tokens/:id', revokeToken),
  on('GET', '/connected-apps', listConnectedApps),
  on('DELETE', '/connected-apps/:id', disconnectApp),
  on('GET', '/integrations/status', integrationStatus),
  on('GET', '/accounts', listAccounts),
  on('POST', '/accounts', addAccount, { under: 'account' }),
  on('POST', '/accounts/:id/sync', syncAccount),
  on('DELETE', '/accounts/:id', removeAccount),

  on('GET', '/schema', listSchema),
  on('GET', '/schema/:object', getObjectSchema),
  on(
    'GET',
    '/openapi.json',
    describeInterface(restPrefix, () => routes),
  ),

  on('GET', '/manifest', pullManifest),
  on('POST', '/manifest', applyManifest, { under: 'manifest' }),

  on('GET', '/records/:object', listRecords),
  on('GET', '/records/:object/:id', getRecord),
  on('GET', '/records/:object/:id/history', recordHistory),
  on('POST', '/records/:object', createRecord, asValues),
  on('PUT', '/records/:object', upsertRecord, asValues),
  on('PUT', '/records/:object/:id', updateRecord, asValues),
  on('PATCH', '/records/:object/:id', updateRecord, asValues),
  on('DELETE', '/records/:object/:id', deleteRecord),
  on('POST', '/records/:object/:id/restore', restoreRecord),
  on('POST', '/records/:object/batch/create', createRecords, 'merged'),
  on('POST', '/records/:object/batch/upsert', upsertRecords, 'merged'),

  on('POST', '/bulk', bulkUpdate, 'merged'),
  on('GET', '/jobs', listJobs),
  on('GET', '/jobs/:id', getJob),
  on('POST', '/jobs/:id/cancel', cancelJob),

  on('GET', '/notes', listNotes),
  on('GET', '/notes/:id', getNote),
  on('POST', '/notes', createNote, 'merged'),
  on('PUT', '/notes/:id', updateNote, 'merged'),
  on('DELETE', '/notes/:id', deleteNote),

  on('GET', '/tasks', listTasks),
  on('GET', '/tasks/stats', taskStats),
  on('GET', '/tasks/:id', getTask),
  on('POST', '/tasks', createTask, 'merged'),
  on('PUT', '/tasks/:id', updateTask, 'merged'),
  on('PUT', '/tasks/:id/complete', completeTask, 'merged'),
  on('DELETE', '/tasks/:id', deleteTask),

  on('GET', '/notifications', listNotifications),
  on('GET', '/notifications/stream', streamNotifications),
  on('PUT', '/notifications', markAllNotifications, 'merged'),
  on('PUT', '/notifications/:id', markNotification, 'merged'),

  on('GET', '/pipelines', listPipelines),
  on('PUT', '/pipelines/:object/:id/move', moveInPipeline, 'merged'),
  on('GET', '/pipelines/:object/:id/history', stepHistory),

  on('GET', '/activity/:object/:id', recordActivity),

  on('GET', '/inbox/threads', listThreads),
  on('GET', '/inbox/threads/:id', getThread),
  on('PUT', '/inbox/threads/:id', markThread, 'merged'),
  on('POST', '/inbox/threads/:id/mark', markEmail, 'merged'),
  on('POST', '/messages/preview', previewMessage, 'merged'),
  on('POST', '/messages/send', sendMessage, 'merged'),
  on('GET', '/interactions/:id', getInteraction),
  on('GET', '/meetings', findEvents),

  on('GET', '/lists', listLists),
  on('POST', '/lists', createList, 'merged'),
  on('GET', '/lists/:id', getList),
  on('PUT', '/lists/:id', updateList, 'merged'),
  on('DELETE', '/lists/:id', deleteList),
  on('GET', '/lists/:id/entries', listEntries),
  on('POST', '/lists/:id/entries', addListEntries, 'merged'),
  on('DELETE', '/lists/:id/entries', removeListEntries, 'merged'),
  on('POST', '/lists/:id/entries/remove', removeListEntries, 'merged'),
  on('PUT', '/lists/:id/entries/:entry_id', updateListEntry, 'merged'),

  on('GET', '/dashboards', listDashboards),
  on('POST', '/dashboards', createDashboard, 'merged'),
  on('GET', '/dashboards/:id', getDashboard),
  on('DELETE', '/dashboards/:id', deleteDashboard),
  on('GET', '/dashboards/:id/data', dashboardData),
  on('POST', '/dashboards/:id/charts', addDashboardChart, 'merged'),
  on('DELETE', '/dashboards/:id/charts/:chart_id', deleteDashboardChart),

  on('GET', '/views', listViews),
  on('POST', '/views', createView, 'merged'),
  on('GET', '/views/:id', getView),
  on('PUT', '/views/:id', updateView, 'merged'),
  on('DELETE', '/views/:id', deleteView),

  on('GET', '/trash/:object', listTrash),
  on('DELETE', '/trash/:object/:id', purgeRecord),

  on('GET', '/change-sets', listChangeSets),
  on('GET', '/change-sets/:id', getChangeSet),
  on('GET', '/change-sets/:id/writes', listWrites),
  on('POST', '/undo', undoChangeSet, 'merged'),
  on('GET', '/audit', listAudit),

  on('GET', '/events', followEvents),
  on('GET', '/events/stream', streamEvents),

  on('POST', '/import/:object', importRecords, 'merged'),
  on('POST', '/import-jobs', analyzeImport, 'merged'),
  on('GET', '/import-jobs', listImports),
  on('GET', '/import-jobs/:id', getImport),
  on('POST', '/import-jobs/:id/preview', previewImport, 'merged'),
  on('POST', '/import-jobs/:id/execute', executeImport, 'merged'),
  on('POST', '/import-jobs/:id/cancel', cancelImport),
  on('GET', '/import-jobs/:id/failed-rows', failedImportRows),
  on('GET', '/export/:object', exportRecords),

  on('GET', '/search', searchEverything),
  on('GET', '/aggregate/:object', aggregateRecords),

  on('POST', '/duplicates', handleDuplicates, 'merged'),

  on('GET', '/webhooks', listWebhooks),
  on('POST', '/webhooks', createWebhook, 'merged'),
  on('GET', '/webhooks/:id', getWebhook),
  on('PUT', '/webhooks/:id', updateWebhook, 'merged'),
  on('DELETE', '/webhooks/:id', deleteWebhook),
  on('POST', '/webhooks/:id/rotate-secret', rotateWebhookSecret),
  on('POST', '/webhooks/:id/test', testWebhook),
  on('GET', '/webhooks/:id/deliveries', listDeliveries),
  on('POST', '/webhooks/:id/replay', replayDeliveries, 'merged'),
];

function on(method: Method, path: string, operation: Operation, body?: Route['body']): Route {
  return { method, path, operation, body };
}
