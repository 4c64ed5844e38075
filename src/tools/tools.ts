/** The tools, in the order in which agents see them. */
import { aggregateRecords } from './aggregate-records.ts';
import { bulk } from './bulk.ts';
import { createList } from './create-list.ts';
import { duplicates } from './duplicates.ts';
import { exportRecords } from './export-records.ts';
import { findActivity } from './find-activity.ts';
import { findEvents } from './find-events.ts';
import { findRecords } from './find-records.ts';
import { getSchema } from './get-schema.ts';
import { globalSearch } from './global-search.ts';
import { importRecords } from './import-records.ts';
import { inbox } from './inbox.ts';
import { manageDashboards } from './manage-dashboards.ts';
import { manageLists } from './manage-lists.ts';
import { manageNotes } from './manage-notes.ts';
import { manageTasks } from './manage-tasks.ts';
import { markEmail } from './mark-email.ts';
import { saveRecord } from './save-record.ts';
import { sendMessage } from './send-message.ts';
import { taskStats } from './task-stats.ts';
import type { Tool } from './tool.ts';
import { undo } from './undo.ts';

export const tools: readonly Tool[] = [
  getSchema,
  findRecords,
  globalSearch,
  aggregateRecords,
  manageDashboards,
  saveRecord,
  bulk,
  manageTasks,
  taskStats,
  manageNotes,
  findActivity,
  findEvents,
  inbox,
  sendMessage,
  markEmail,
  manageLists,
  createList,
  exportRecords,
  importRecords,
  duplicates,
  undo,
];
