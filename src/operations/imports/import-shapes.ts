/** Inputs and outputs of the operations on imports. [spec: crm_import_records] */
import { Type } from 'typebox';
import { dateOrders } from '../../records/import/guessing/dates.ts';
import { decimalSigns } from '../../records/import/guessing/numbers.ts';
import { duplicateStrategies } from '../../records/import/handling.ts';
import { importStatuses } from '../../records/import/jobs/states.ts';
import { actions } from '../../records/import/mapping/entry.ts';
import { formats } from '../../records/import/reading/kind-of-file.ts';
import { Choice } from '../inputs.ts';
import { Id, ListAdditionsOut, Nullable, Time } from '../outputs.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

export const MappingEntryIn = Type.Object(
  {
    column: Type.String({ description: 'Column of the file, or key of its records' }),
    action: Choice(actions),
    field: text('Of map: a field, or a part of one, such as emails, phones:mobile, address.city, company_id.domain'),
    new_field_name: text('Of new_field: in snake_case'),
    new_field_label: text('Of new_field'),
    new_field_type: text('Of new_field: TEXT when absent'),
    new_field_unique: Type.Optional(Type.Boolean({ description: 'Of new_field: no two records have one value' })),
    enum_options: Type.Optional(Type.Array(Type.String(), { description: 'Labels of the options of a new SELECT' })),
    target_object: text('Of relation: whose records the column names'),
    lookup_field: text('Of relation: by which field they are found; what they are called, or their ids, when absent'),
    relation_type: Type.Optional(Choice(['BELONGS_TO_ONE', 'MANY_TO_MANY'])),
    create_missing: Type.Optional(
      Type.Boolean({ description: 'Make the records that the column names and that are not there' }),
    ),
    add_options: Type.Optional(Type.Boolean({ description: 'Of map: add the options that the field lacks' })),
    date_format: Type.Optional(Choice(dateOrders)),
    number_format: Type.Optional(Choice(decimalSigns)),
  },
  { additionalProperties: false },
);

export const ImportOptionsIn = Type.Object(
  {
    duplicate_strategy: Type.Optional(Choice(duplicateStrategies, 'create')),
    duplicate_fields: Type.Optional(
      Type.Array(Type.String(), { description: 'A row is a record that has its value of one of them' }),
    ),
    default_values: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Values of fields that a row leaves empty' }),
    ),
    create_missing: Type.Optional(Type.Boolean({ description: 'For all relations' })),
    add_options: Type.Optional(Type.Boolean({ description: 'For all columns' })),
    bad_cells: Type.Optional(Choice(['empty', 'fail'], 'empty')),
  },
  { additionalProperties: false },
);

/** The file in a JSON body. A body that is the file itself is converted to this. */
export const FileIn = {
  data: Type.Unknown({ description: 'The file as text, or a list of records' }),
  format: Type.Optional(Choice(formats)),
  encoding: Type.Optional(Choice(['text', 'base64'], 'text')),
  file_name: Type.Optional(Type.String({ description: 'Tells the format, where it is not given' })),
};

export const ImportId = Type.String({ description: 'Id of the import' });

const Counted = {
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
};

const ReasonOut = Type.Object({
  message: Type.String(),
  count: Type.Integer({ description: 'Rows' }),
  first: Type.String({ description: 'The message of the first of them' }),
  rows: Type.Array(Type.Integer(), { description: 'The first of them, from zero' }),
  values: Type.Optional(Type.Integer({ description: 'Different values in them' })),
  example: Type.Optional(Type.String()),
});

const MissingOptionsOut = Type.Array(
  Type.Object({ label: Type.String(), rows: Type.Integer({ description: 'Rows that name it' }) }),
  { description: 'Options that the column names and its field has not' },
);

const ColumnOut = Type.Object({
  column: Type.String(),
  suggestion: Type.Unknown({ description: 'A mapping entry' }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  sample_values: Type.Array(Type.String()),
  type: Type.String({ description: 'The type of field that would hold its values' }),
  filled: Type.Integer({ description: 'Rows that have a value' }),
  questions: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'What has to be said before it can go to a date' }),
  ),
  could_be: Type.Optional(Type.Unknown({ description: 'A mapping entry that makes a field of it' })),
  missing_options: Type.Optional(MissingOptionsOut),
});

const OutcomeOut = {
  ...Counted,
  warnings: Type.Integer({ description: 'Cells whose fields stay empty, or have a part of them' }),
  problems: Type.Array(ReasonOut, { description: 'Why rows failed' }),
  notes: Type.Array(ReasonOut, { description: 'Why cells stay empty, and rows are left out' }),
  records_made: Type.Record(Type.String(), Type.Integer(), { description: 'Records made for relations, by object' }),
  new_fields: Type.Array(Type.String()),
};

export const PreviewOut = Type.Object({
  preview_hash: Type.String({ description: 'Give it to execute, to do exactly this' }),
  rows_tried: Type.Integer(),
  ...OutcomeOut,
  missing_options: Type.Array(
    Type.Object({
      column: Type.String(),
      field: Type.String(),
      options: MissingOptionsOut,
      adds: Type.Boolean({ description: 'Whether they are to be added' }),
    }),
  ),
  effective_mapping: Type.Array(Type.Unknown()),
  sample_rows: Type.Array(Type.Object({ index: Type.Integer(), fate: Type.String(), values: Type.Unknown() })),
  changes: Type.Array(
    Type.Object({
      index: Type.Integer(),
      id: Id,
      fields: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() })),
    }),
    { description: 'The first records that would be changed' },
  ),
  column_diagnostics: Type.Array(
    Type.Object({
      column: Type.String(),
      action: Type.String(),
      field: Type.Optional(Type.String()),
      filled: Type.Integer(),
      distinct: Type.Integer(),
    }),
  ),
  duplicates: Type.Object({
    existing: Type.Integer({ description: 'Rows that are records already, or a row before them' }),
    refused: Type.Integer({ description: 'Rows whose value of a unique field is taken' }),
  }),
});

/** The output of an import's status. */
export const ImportOut = Type.Object({
  import_job_id: Id,
  status: Type.String({ enum: [...importStatuses] }),
  object_name: Type.String(),
  format: Type.String({ enum: [...formats] }),
  source: Nullable(Type.String({ description: 'The program that the file comes from' })),
  rows: Type.Integer(),
  done: Type.Integer({ description: 'Rows that something has become of' }),
  columns: Type.Array(ColumnOut),
  target_fields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      type: Type.String(),
      required: Type.Boolean(),
    }),
  ),
  suggested_options: Type.Optional(
    Type.Unknown({ description: 'import_options by which the ids of the source tell records' }),
  ),
  preview: Type.Optional(Type.Object({ preview_hash: Type.String(), rows_tried: Type.Integer(), ...Counted })),
  outcome: Type.Optional(Type.Object(OutcomeOut)),
  moved: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'Rows that became something else than was previewed' }),
  ),
  change_set: Type.Optional(Type.String({ description: 'Undo it to take the import back' })),
  error: Nullable(Type.String()),
  created_at: Time,
  finished_at: Nullable(Time),
  expires_at: Nullable(Time),
  warnings: Type.Array(Type.String()),
});

export const ExecuteOut = Type.Object({
  import_job_id: Id,
  mode: Type.String({ enum: ['completed', 'queued'] }),
  status: Type.String(),
  rows: Type.Integer(),
  change_set: Id,
  ...Object.fromEntries(Object.entries(OutcomeOut).map(([name, schema]) => [name, Type.Optional(schema)])),
  moved: Type.Optional(Type.Array(Type.Unknown())),
  enum_options: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Labels of the options made, by field' }),
  ),
  many_to_many: Type.Optional(Type.Array(Type.String(), { description: 'Fields whose links were made' })),
  lists_note: Type.Optional(Type.String()),
  ...ListAdditionsOut,
});
