/** What Kith's own programs ask for beside REST: they take a caller, and count by policies of their own. */
import type { Operation } from '../operations/door/operation.ts';
import type { Transcripts } from '../operations/transcripts.ts';
import type { Route } from './bind.ts';

/** What they are made with, which only a whole service has. */
export interface AppOperations {
  readonly agentStream: Operation;
  readonly transcripts: Transcripts;
}

const sessions = '/extension/sessions';

/** Paths are below `appPrefix`. */
export function appRoutes({ agentStream, transcripts: { start, stop, refresh } }: AppOperations): readonly Route[] {
  return [
    { method: 'POST', path: '/agent/stream', operation: agentStream, body: 'merged' },
    { method: 'POST', path: sessions, operation: start, body: 'merged' },
    { method: 'POST', path: `${sessions}/:meetingId/stop`, operation: stop, body: undefined },
    { method: 'POST', path: `${sessions}/:meetingId/refresh-ws`, operation: refresh, body: undefined },
  ];
}
