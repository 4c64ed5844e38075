/** Parses the `Authorization` header. Whether the token exists is not checked here. */
import { errors } from '../errors.ts';

const right = 'Authorization: Bearer svc_…';

/** Schemes of other services; anything else may be a secret and is not repeated in errors. */
const otherSchemes: ReadonlySet<string> = new Set([
  'token',
  'basic',
  'digest',
  'apikey',
  'api-key',
  'key',
  'jwt',
  'oauth',
]);

const opensQuotes = /^["'`“”‘’]/;
const closesQuotes = /["'`“”‘’]$/;

/** The `svc_…` token of the header. Throws UNAUTHORIZED. [spec: Authentication] */
export function bearerToken(authorization: string | undefined): string {
  const header = authorization?.trim() ?? '';
  const [scheme = '', ...rest] = header.split(' ');
  const token = rest.join(' ').trim();
  const problem = headerProblem(header, scheme, token) ?? tokenProblem(token);
  if (problem !== undefined) throw errors.unauthorized(`${problem}: ${right}`);
  return token;
}

function headerProblem(header: string, scheme: string, token: string): string | undefined {
  if (header === '') return 'The request has no Authorization header; an API token is needed';
  if (opensQuotes.test(header))
    return 'The Authorization header has quotation marks around it, which do not belong there';
  if (scheme.startsWith('svc_')) return 'The Authorization header lacks the word Bearer before the token';
  if (scheme.toLowerCase() !== 'bearer') {
    const given = otherSchemes.has(scheme.toLowerCase()) ? `, not with ${scheme}` : '';
    return `The Authorization header has to begin with Bearer${given}`;
  }
  return token === '' ? 'The Authorization header has no token after Bearer; perhaps a variable is not set' : undefined;
}

function tokenProblem(token: string): string | undefined {
  if (opensQuotes.test(token) || closesQuotes.test(token))
    return 'The API token has quotation marks around it, which do not belong there';
  if (/^bearer\s/i.test(token)) return 'The Authorization header has the word Bearer twice';
  if (/\s/.test(token)) return 'The API token has white space in it; it is one word';
  if (/^[${<%]/.test(token)) return 'The API token is the name of a variable, which was not filled in';
  if (!token.startsWith('svc_')) return 'API tokens begin with svc_, and this one does not';
  if (!/^svc_[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    return 'The API token is not whole, or has characters that no token has';
  return undefined;
}
