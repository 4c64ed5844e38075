/** The command that creates the first organization and prints its token; it needs the service's settings. */
export const createFirst = 'npx kith org create --name Acme --admin-name Ada --admin-email ada@acme.test';
