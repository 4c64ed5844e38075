/** Values of fields. */
export const values = {
  yes: 'Yes',
  no: 'No',
  notSeen: 'Not to be seen',
  stars: (n: number) => `${n} of 5`,
  primary: 'primary',
  all: (label: string, text: string) => `${label}: ${text}`,
};
