/** What is open over the page. */
export type Over = 'palette' | 'new' | 'keys' | undefined;
