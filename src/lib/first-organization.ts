/** The command that makes the first organization, and prints its token; it needs the settings of the service. */
export const createFirst = 'npx kith org create --name Acme --admin-name Ada --admin-email ada@acme.test';
