/** Decodes texts in Windows code pages. */

const labels: ReadonlyMap<number, string> = new Map([
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1_200, 'utf-16le'],
  [10_000, 'macintosh'],
  [20_866, 'koi8-r'],
  [20_932, 'euc-jp'],
  [21_866, 'koi8-u'],
  [50_220, 'iso-2022-jp'],
  [50_221, 'iso-2022-jp'],
  [50_222, 'iso-2022-jp'],
  [51_932, 'euc-jp'],
  [51_949, 'euc-kr'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);

/** The code page of western Europe and America. */
export const defaultCodePage = 1_252;

/** Decodes the bytes; an unknown code page counts as the default one. */
export function textIn(codePage: number | undefined, bytes: Uint8Array): string {
  return new TextDecoder(labelOf(codePage ?? defaultCodePage)).decode(bytes);
}

function labelOf(codePage: number): string {
  if (codePage >= 1_250 && codePage <= 1_258) return `windows-${codePage}`;
  if (codePage === 28_598 || codePage === 38_598) return 'iso-8859-8-i';
  if (codePage > 28_591 && codePage <= 28_606 && codePage !== 28_602) return `iso-8859-${codePage - 28_590}`;
  return labels.get(codePage) ?? `windows-${defaultCodePage}`;
}

/** Code pages by font character set, as RTF numbers them. */
const byCharset: ReadonlyMap<number, number> = new Map([
  [0, 1_252],
  [77, 10_000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1_253],
  [162, 1_254],
  [163, 1_258],
  [177, 1_255],
  [178, 1_256],
  [186, 1_257],
  [204, 1_251],
  [222, 874],
  [238, 1_250],
]);

/** The code page of a font character set; undefined for an unknown one. */
export function codePageOfCharset(charset: number): number | undefined {
  return byCharset.get(charset);
}
