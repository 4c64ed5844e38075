/** The routes of /api/auth, used before there is a token or session. Each has a budget of its own. */
import { requestMagicLink, requestSignup, verifyInvitation, verifyToken } from '../operations/people/sign-in.ts';
import type { Route } from './bind.ts';

/** The routes, below `authPrefix`. */
export const authRoutes: readonly Route[] = [
  { method: 'POST', path: '/magic-link', operation: requestMagicLink, body: 'merged' },
  { method: 'POST', path: '/signup', operation: requestSignup, body: 'merged' },
  { method: 'GET', path: '/verify-token', operation: verifyToken, body: undefined },
  { method: 'POST', path: '/invite/verify', operation: verifyInvitation, body: 'merged' },
];
