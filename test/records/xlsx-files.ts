/** Spreadsheets as a program opens them: by the directory at the archive's end, and the rows of the sheet. */
import { crc32, inflateRawSync } from 'node:zlib';

/** The files of an archive. Throws where a sum or a length is another than is told. */
export function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, bytes] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset));
    const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(start, start + (packed ?? 0)));
    if (content.length !== bytes || crc32(content) !== crc) throw new Error(`${name} is not what the archive says`);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength + extra + comment;
  }
  if (at !== end) throw new Error('The directory ends before its end');
  return files;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The rows of the only sheet: texts, and numbers as they are written; an empty cell is null. */
export function sheetOf(archive: Buffer): (string | { readonly number: string } | null)[][] {
  const xml = unzipped(archive).get('xl/worksheets/sheet1.xml') ?? '';
  return [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, cells = ''], index) => {
    if (Number(number) !== index + 1) throw new Error(`Row ${number} is the ${index + 1}th`);
    const row: (string | { number: string } | null)[] = [];
    for (const [, letters = '', text, digits] of cells.matchAll(
      /<c r="([A-Z]+)\d+"(?: t="inlineStr"><is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>|><v>([^<]*)<\/v>)<\/c>/g,
    )) {
      const at = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      while (row.length < at) row.push(null);
      row.push(text === undefined ? { number: digits ?? '' } : plain(text));
    }
    return row;
  });
}

function plain(text: string): string {
  return text
    .replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? '')
    .replaceAll(/_x([\dA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
