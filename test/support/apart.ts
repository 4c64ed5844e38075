/**
 * Files that have a process of their own: they put something else in the place of a module, measure memory or how long the event
 * loop is held, or run commands that take the process for theirs. All others share processes, one after another.
 */
export const apart: readonly string[] = [
  'test/app/deadlines.test.ts',
  'test/app/event-loop-workspace.test.ts',
  'test/app/event-loop.test.ts',
  'test/app/memory.test.ts',
  'test/app/refused.test.ts',
  'test/app/releases-in-turn.test.ts',
  'test/channels/*.test.ts',
  'test/cli/*.test.ts',
  'test/describe/outdated-document.test.ts',
  'test/fields/html-aside.test.ts',
  'test/http/sockets.test.ts',
  'test/http/static-file.test.ts',
  'test/model/memory.test.ts',
  'test/query/compiled-memory.test.ts',
  'test/records/import-time.test.ts',
  'test/speed/remembered.test.ts',
  'test/transfer/all.test.ts',
];
