/** A spreadsheet file (.xlsx) with one sheet and its metadata. */
import { zip } from './zip.ts';

/** Its media type. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Characters of a sheet's name. */
const longestName = 31;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const form = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const types = `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${form}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${form}.worksheet+xml"/></Types>`;

function relation(kind: string, target: string): string {
  return `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/${kind}" Target="${target}"/></Relationships>`;
}

/** Streams the file; `name` is an object's name, and `sheet` the pieces of its XML. */
export function workbook(name: string, sheet: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const book = `${declaration}<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="${name.slice(0, longestName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  return zip([
    { name: '[Content_Types].xml', content: [types] },
    { name: '_rels/.rels', content: [relation('officeDocument', 'xl/workbook.xml')] },
    { name: 'xl/workbook.xml', content: [book] },
    { name: 'xl/_rels/workbook.xml.rels', content: [relation('worksheet', 'worksheets/sheet1.xml')] },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ]);
}
