/** Endpoints of the authorization server, and the interfaces it protects. */
import { agentsPath, oauthPrefix, restPrefix } from '../lib/url-paths.ts';

export const authorizePath = '/oauth/authorize';
export const consentPath = '/oauth/consent';
export const registerPath = `${oauthPrefix}/register`;
export const tokenPath = `${oauthPrefix}/token`;
export const revokePath = `${oauthPrefix}/revoke`;

/** The only scope: to act as the person, by any interface. */
export const scope = 'mcp';

/** The interfaces that an app may request, in the spellings that apps use. */
export function resourcesOf(issuer: string): readonly string[] {
  return [`${issuer}${agentsPath}`, `${issuer}${restPrefix}`, `${issuer}/`, issuer];
}

/** The server metadata of RFC 8414. */
export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: issuer + authorizePath,
    token_endpoint: issuer + tokenPath,
    registration_endpoint: issuer + registerPath,
    revocation_endpoint: issuer + revokePath,
    scopes_supported: [scope],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs/oauth`,
  };
}

/** The metadata of RFC 9728 for the interface at `path`; '' is the whole service. */
export function resourceMetadata(issuer: string, path: string): object {
  return {
    resource: issuer + path,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Kith',
    resource_documentation: `${issuer}/docs/oauth`,
  };
}

/** The path of that document. */
export function resourceMetadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path}`;
}
