/** All of /api/auth: what comes before a token or a session. None takes a token; each has a budget of its own. */
import { requestMagicLink, requestSignup, verifyInvitation, verifyToken } from '../operations/sign-in.ts';
import type { Route } from './bind.ts';

/** Paths are below `authPrefix`. */
export const authRoutes: readonly Route[] = [
  { method: 'POST', path: '/magic-link', operation: requestMagicLink, body: 'merged' },
  { method: 'POST', path: '/signup', operation: requestSignup, body: 'merged' },
  { method: 'GET', path: '/verify-token', operation: verifyToken, body: undefined },
  { method: 'POST', path: '/invite/verify', operation: verifyInvitation, body: 'merged' },
];
