/** What a merge does with the blank fields of its master: they stay, or are filled. [spec: Duplicates] */
export type Strategy = 'keep_master' | 'fill_blanks';
