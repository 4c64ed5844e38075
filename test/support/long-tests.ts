/** Files that `npm test` leaves out, so that it ends within five minutes: most of their time goes into servers and processes that they start. */
export const longTests: readonly string[] = ['test/app/workers.test.ts'];
