/** Files for the tests of imports: the shared ones, where they are beside the project, and texts. */
import { createReadStream, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyze, type Analysis } from '../../src/records/import/analysis.ts';
import { plansOf } from '../../src/records/import/mapping/effective.ts';
import { RowMaker, type MadeRow } from '../../src/records/import/mapping/row-maker.ts';
import type { Format } from '../../src/records/import/reading/kind-of-file.ts';
import type { TableRow } from '../../src/records/import/reading/table.ts';
import { sourceNamed } from '../../src/records/import/sources/sources.ts';
import { importableFields } from '../../src/records/csv/columns.ts';
import { builtInModel } from './built-in-model.ts';
import { pieces } from './csv-files.ts';

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** The path of a shared file; undefined where there is none. */
export function sharedFile(path: string): string | undefined {
  const whole = `${shared}${path}`;
  return existsSync(whole) ? whole : undefined;
}

/** A built-in object. */
function builtIn(name: string) {
  const object = builtInModel.objects.get(name);
  if (!object) throw new Error(`There is no ${name}`);
  return object;
}

export interface Read {
  readonly analysis: Analysis;
  readonly rows: readonly TableRow[];
  /** Each row as its columns are proposed to go. */
  made(): MadeRow[];
}

/** A file as an import into the object reads it: a path, or a text. */
export async function read(
  objectName: string,
  file:
    | { readonly path: string }
    | { readonly text: string | Uint8Array; readonly name?: string; readonly format?: Format },
): Promise<Read> {
  const object = builtIn(objectName);
  const fields = importableFields(object);
  const bytes = 'path' in file ? createReadStream(file.path) : pieces(Buffer.from(file.text));
  const fileName = 'path' in file ? file.path : (file.name ?? '-');
  const format = 'format' in file && file.format ? { format: file.format } : {};
  const { analysis, rows } = await analyze(bytes, object, fields, () => false, { fileName, ...format });
  return {
    analysis,
    rows,
    made() {
      const mapping = analysis.proposals.map(({ suggestion }) => suggestion);
      const maker = new RowMaker(
        object,
        analysis.columns,
        plansOf(analysis, mapping, fields),
        sourceNamed(analysis.source),
      );
      return rows.map((row) => ('problem' in row ? row : maker.make(row.cells)));
    },
  };
}

/** The proposed places, by column; '' for one that is left out. */
export function placesOf({ proposals }: Analysis): Record<string, string> {
  return Object.fromEntries(proposals.map(({ column, suggestion }) => [column, suggestion.field ?? '']));
}
