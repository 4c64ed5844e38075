/** The mapping of a file as text, and questions about it on the terminal. */
import { shortList } from '../lib/short-list.ts';
import type { Analysis } from '../records/import/analysis.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import type { MissingOptions } from '../records/import/mapping/missing-options.ts';
import { unlinked, type Proposal } from '../records/import/mapping/propose.ts';
import { sourceNamed } from '../records/import/sources/sources.ts';
import { ask } from './ask.ts';
import type { ImportOptions } from './import-settings.ts';
import { soMany } from '../lib/so-many.ts';

/** The confidence from which a proposal needs no question. */
const sure = 0.9;

/** The lines of mapped columns, such as `E-mail 1 - Value → emails`. */
export function linesOfMapping({ source, rows }: Analysis, mapping: readonly MappingEntry[]): string[] {
  const known = sourceNamed(source);
  const widest = Math.max(0, ...mapping.map(({ column }) => Math.min(40, column.length)));
  const lines = mapping.flatMap(({ column, action, field, new_field_name: made, new_field_type: type = 'TEXT' }) => {
    if (action === 'ignore') return [];
    return [`${column.padEnd(widest)} → ${field ?? `${made ?? ''}, a new field (${type})`}`];
  });
  return [`${soMany(rows, 'row')}${known ? ` from ${known.label}` : ''}`, ...lines];
}

/** Lines about fields, options and links that could be created, with the flag for each. */
export function linesOfOffers(
  { proposals }: Analysis,
  mapping: readonly MappingEntry[],
  missing: readonly MissingOptions[],
): string[] {
  const { ids, others } = offersOf(proposals, mapping);
  return [
    ...ids.map(({ column, couldBe }) => `${column} could be kept as ${couldBe?.new_field_name}: --keep-ids`),
    ...(others.length > 0
      ? [
          `New fields could be made of ${shortList(
            others.map(({ column }) => column),
            mostListed,
          )}: --new-fields`,
        ]
      : []),
    ...linesOfMissing(missing),
    ...unlinked(proposals),
  ];
}

/** Lines about missing options: `industry has no option Tea (3 rows), Coffee (1 row): --add-options`. */
export function linesOfMissing(missing: readonly MissingOptions[]): string[] {
  return missing.flatMap((one) => (one.adds ? [] : [`${lackOf(one)}: --add-options`]));
}

function lackOf({ field, options }: MissingOptions): string {
  const named = options.map(({ label, rows }) => `${label} (${soMany(rows, 'row')})`);
  return `${field.name} has no option ${shortList(named, mostListed)}`;
}

const mostListed = 10;

/** Unmapped columns that could become fields: those of ids, and the others. */
function offersOf(proposals: readonly Proposal[], mapping: readonly MappingEntry[]) {
  const ignored = new Set(mapping.flatMap(({ column, action }) => (action === 'ignore' ? [column] : [])));
  const offered = proposals.filter(({ column, couldBe }) => couldBe && ignored.has(column));
  const isId = ({ couldBe }: Proposal) => couldBe?.new_field_unique === true;
  return { ids: offered.filter(isId), others: offered.filter((one) => !isId(one)) };
}

/** The options with the answers of the terminal on what to create; flags and the mapping are not asked about. */
export async function withAnswers(
  options: ImportOptions,
  { proposals }: Analysis,
  mapping: readonly MappingEntry[],
  missing: readonly MissingOptions[],
  interruption: AbortSignal,
): Promise<ImportOptions> {
  const { ids, others } = offersOf(
    proposals.filter(({ column }) => !options.map.has(column)),
    mapping,
  );
  const answers: { keepIds?: true; newField?: Map<string, string>; addOptions?: true } = {};
  for (const { column, couldBe } of ids) {
    const question = `Keep ${column} as ${couldBe?.new_field_name}, so that other files link by it and this one can come again?`;
    if (await agreesTo(question, interruption)) answers.keepIds = true;
  }
  if (others.length > 0) {
    const named = others.map(
      ({ column, couldBe }) => `${column} (${couldBe?.new_field_name}, ${couldBe?.new_field_type})`,
    );
    if (await agreesTo(`Make new fields of ${shortList(named, mostListed)}?`, interruption))
      answers.newField = new Map([...others.map(({ column }) => [column, ''] as const), ...(options.newField ?? [])]);
  }
  const lacks = missing.filter(({ adds }) => !adds);
  if (lacks.length > 0) {
    const lines = lacks.map((one) => `${lackOf(one)}\n`).join('');
    if (await agreesTo(`${lines}Add ${lacks.length === 1 ? 'it' : 'them'}?`, interruption)) answers.addOptions = true;
  }
  return { ...options, ...answers };
}

/** Asks about uncertain mappings on the terminal; true if there are none. */
export async function agrees(
  analysis: Analysis,
  mapping: readonly MappingEntry[],
  object: string,
  interruption: AbortSignal,
): Promise<boolean> {
  const unsure = new Set(
    analysis.proposals.flatMap(({ column, confidence, isNamed }) => (confidence < sure && !isNamed ? [column] : [])),
  );
  if (!mapping.some(({ column, action }) => action !== 'ignore' && unsure.has(column))) return true;
  const lines = linesOfMapping(analysis, mapping).join('\n');
  return agreesTo(`${lines}\nImport into ${object}?`, interruption);
}

async function agreesTo(question: string, interruption: AbortSignal): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `, interruption)).trim());
}
