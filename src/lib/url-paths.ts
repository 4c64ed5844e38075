/** The URL paths of the service. */
export const restPrefix = '/api/v1';

/** Sign-in. */
export const authPrefix = '/api/auth';

/** APIs of the service's own programs beside REST, each below a segment. */
export const appPrefix = '/api';
export const appParts = ['agent', 'extension'] as const;

/** The API reference page. */
export const referencePath = '/docs';

/** The start page of the documentation. */
export const documentsPath = '/docs/index';

/** The start page of the web application. */
export const appHome = '/home';

/** The MCP endpoint. */
export const agentsPath = '/mcp';

/** OAuth registration and tokens. */
export const oauthPrefix = '/api/oauth';

/** Hooks called by account providers. */
export const hooksPrefix = '/api/hooks';

/** The hook path of one account. */
export function hookPath(provider: string, integrationId: string): string {
  return `${hooksPrefix}/${provider}/${integrationId}`;
}
