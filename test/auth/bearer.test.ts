import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../src/auth/bearer.ts';

const token = 'svc_aaa.bbb-_.ccc';

describe('an Authorization header', () => {
  it.each([[`Bearer ${token}`], [`bearer ${token}`], [`BEARER   ${token} `]])('%s is read', (header) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([
    [undefined, 'The request has no Authorization header; an API token is needed'],
    ['', 'The request has no Authorization header; an API token is needed'],
    ['Bearer', 'The Authorization header has no token after Bearer; perhaps a variable is not set'],
    ['Bearer  ', 'The Authorization header has no token after Bearer; perhaps a variable is not set'],
    [token, 'The Authorization header lacks the word Bearer before the token'],
    [`Token ${token}`, 'The Authorization header has to begin with Bearer, not with Token'],
    [`Basic c3Zj`, 'The Authorization header has to begin with Bearer, not with Basic'],
    ['hunter2', 'The Authorization header has to begin with Bearer'],
    [`"Bearer ${token}"`, 'The Authorization header has quotation marks around it, which do not belong there'],
    [`Bearer "${token}"`, 'The API token has quotation marks around it, which do not belong there'],
    [`Bearer ${token}'`, 'The API token has quotation marks around it, which do not belong there'],
    [`Bearer Bearer ${token}`, 'The Authorization header has the word Bearer twice'],
    ['Bearer svc_aaa. bbb.ccc', 'The API token has white space in it; it is one word'],
    [`Bearer\t${token}`, 'The Authorization header has to begin with Bearer'],
    ['Bearer hunter2', 'API tokens begin with svc_, and this one does not'],
    ['Bearer $KITH_TOKEN', 'The API token is the name of a variable, which was not filled in'],
    ['Bearer svc_', 'The API token is not whole, or has characters that no token has'],
    ['Bearer svc_…', 'The API token is not whole, or has characters that no token has'],
    ['Bearer svc_aaa.bbb', 'The API token is not whole, or has characters that no token has'],
  ])('%s: %s', (header, problem) => {
    expect(() => bearerToken(header)).toThrow(
      expect.objectContaining({ code: 'UNAUTHORIZED', message: `${problem}: Authorization: Bearer svc_…` }),
    );
  });
});
