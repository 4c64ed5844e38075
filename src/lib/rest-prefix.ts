/** Where the REST surface lies. */
export const restPrefix = '/api/v1';

/** Where programs ask for links to sign in. */
export const authPrefix = '/api/auth';

/** Where the service's own programs ask for what is beside REST, each below a part of it. */
export const appPrefix = '/api';
export const appParts = ['agent', 'extension'] as const;

/** Where the reference page lies. */
export const referencePath = '/docs';

/** Where the documentation begins. */
export const documentsPath = '/docs/index';

/** Where the web application begins. */
export const appHome = '/home';

/** Where agents connect. */
export const agentsPath = '/mcp';

/** Where apps register and get their tokens. */
export const oauthPrefix = '/api/oauth';

/** Where providers of accounts call in. */
export const hooksPrefix = '/api/hooks';

/** Where the provider of an account calls in for it. */
export function hookPath(provider: string, integrationId: string): string {
  return `${hooksPrefix}/${provider}/${integrationId}`;
}
