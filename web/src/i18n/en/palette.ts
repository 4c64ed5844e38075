/** The palette. */
export const palette = {
  title: 'Search or do',
  actions: 'Actions',
  nothing: (text: string) => `Nothing found for “${text}”.`,
  create: (what: string) => `New ${what}`,
  recentChanges: 'Your recent changes',
  begunNew: 'New ',
  open: (what: string) => `Open ${what}`,
};

/** The key sheet. */
export const keySheet = {
  title: 'Keys',
  everywhere: 'Everywhere',
  thisPage: 'On this page',
  singleLetters: 'Single letters are keys',
  singleLettersHint: 'Switched off, only combinations with Ctrl or ⌘ are.',
};
