/** The treatment of the master's blank fields in a merge: kept or filled. [spec: Duplicates] */
export type Strategy = 'keep_master' | 'fill_blanks';
