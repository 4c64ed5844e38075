/** Where the REST surface lies. */
export const restPrefix = '/api/v1';

/** Where programs ask for links to sign in. */
export const authPrefix = '/api/auth';

/** Where the reference page lies. */
export const referencePath = '/docs';

/** Where the documentation begins. */
export const documentsPath = '/docs/index';

/** Where agents connect. */
export const agentsPath = '/mcp';
