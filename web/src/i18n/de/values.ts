/** Values of fields. */
export const values = {
  yes: 'Ja',
  no: 'Nein',
  notSeen: 'Nicht einsehbar',
  stars: (n: number) => `${n} von 5`,
  primary: 'bevorzugt',
  all: (label: string, text: string) => `${label}: ${text}`,
};
