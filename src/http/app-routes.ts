/** Routes of Kith's own programs outside REST. They need a caller and count against policies of their own. */
import type { Operation } from '../operations/door/operation.ts';
import type { Transcripts } from '../operations/conversations/transcripts.ts';
import type { Route } from './bind.ts';

/** Operations that only a complete service can make. */
export interface AppOperations {
  readonly agentStream: Operation;
  readonly transcripts: Transcripts;
}

const sessions = '/extension/sessions';

/** The routes, below `appPrefix`. */
export function appRoutes({ agentStream, transcripts: { start, stop, refresh } }: AppOperations): readonly Route[] {
  return [
    { method: 'POST', path: '/agent/stream', operation: agentStream, body: 'merged' },
    { method: 'POST', path: sessions, operation: start, body: 'merged' },
    { method: 'POST', path: `${sessions}/:meetingId/stop`, operation: stop, body: undefined },
    { method: 'POST', path: `${sessions}/:meetingId/refresh-ws`, operation: refresh, body: undefined },
  ];
}
