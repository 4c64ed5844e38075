/** What goes wrong with tokens and roles. */
import type { Mistake } from './mistake.ts';

export const signingIn: readonly Mistake[] = [
  { who: 'sends no token', send: 'GET /me', headers: { authorization: '' } },
  { who: 'sends the token without Bearer', send: 'GET /me', headers: { authorization: 'svc_abc' } },
  { who: 'writes Token for Bearer', send: 'GET /me', headers: { authorization: 'Token svc_abc' } },
  { who: 'uses Basic', send: 'GET /me', headers: { authorization: 'Basic YWRhOnNlY3JldA==' } },
  { who: 'forgets the variable: Bearer and nothing', send: 'GET /me', headers: { authorization: 'Bearer ' } },
  { who: 'leaves the variable unfilled', send: 'GET /me', headers: { authorization: 'Bearer $KITH_TOKEN' } },
  { who: 'copies the ellipsis of the docs', send: 'GET /me', headers: { authorization: 'Bearer svc_...' } },
  { who: 'copies the token with its quotes', send: 'GET /me', headers: { authorization: 'Bearer "svc_abc.def"' } },
  { who: 'writes Bearer with a colon', send: 'GET /me', headers: { authorization: 'Bearer: svc_abc' } },
  { who: 'writes Bearer twice', send: 'GET /me', headers: { authorization: 'Bearer Bearer svc_abc' } },
  { who: 'sends the key of another service', send: 'GET /me', headers: { authorization: 'Bearer sk_live_51H' } },
  { who: 'sends a token that is cut', send: 'GET /me', headers: { authorization: 'Bearer svc_eyJhbGciOiJFUzI1NiJ9' } },
  { who: 'puts the token in the address', send: 'GET /me?access_token=svc_abc', headers: { authorization: '' } },
  { who: 'sends X-API-Key', send: 'GET /me', headers: { authorization: '', 'x-api-key': 'svc_abc' } },
  { who: 'imports as a sales rep', send: 'POST /import/contacts', body: { records: [{}] }, as: 'rep' },
  { who: 'exports as a sales rep', send: 'GET /export/contacts', as: 'rep' },
  { who: 'applies a manifest as a sales rep', send: 'POST /manifest', body: { objects: [] }, as: 'rep' },
  { who: 'deletes what the role may only see', send: 'DELETE /records/companies/{globex}', as: 'rep' },
  { who: 'creates what the role may not', send: 'POST /records/companies', body: { name: 'Initech' }, as: 'rep' },
  {
    who: 'writes a field that the role may only read',
    send: 'PUT /records/companies/{globex}',
    body: { annual_revenue: 1 },
    as: 'rep',
  },
  { who: 'sorts by a field that is hidden', send: 'GET /records/companies?sort_by=employees', as: 'rep' },
  { who: 'reads the record of a colleague', send: 'GET /records/contacts/{ada}', as: 'rep' },
  { who: 'reads an object that is hidden', send: 'GET /records/opportunities', as: 'rep' },
  { who: 'empties the trash as a sales rep', send: 'DELETE /trash/contacts/{bob}', as: 'rep' },
];
