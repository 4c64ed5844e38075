/** What Kith's own programs ask for beside REST: they take a caller, and count by policies of their own. */
import type { Operation } from '../operations/door/operation.ts';
import type { Route } from './bind.ts';

/** Paths are below /api. `agentStream` is made with what only a whole service has. */
export function appRoutes(agentStream: Operation): readonly Route[] {
  return [{ method: 'POST', path: '/agent/stream', operation: agentStream, body: 'merged' }];
}
