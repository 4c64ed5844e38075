/** What is open above the page. */
export type Over = 'palette' | 'new' | 'keys' | undefined;
