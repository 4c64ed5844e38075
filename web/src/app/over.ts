/** What is open over the page. */
export type Over = 'palette' | 'keys' | undefined;
