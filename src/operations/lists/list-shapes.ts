/** Inputs and outputs of the operations on lists. [decisions: Shapes the specification does not show] */
import { Type } from 'typebox';
import { caps } from '../../model/caps.ts';
import { entryFieldTypes } from '../../query/entry-fields.ts';
import { Choice } from '../inputs.ts';
import { Id, Nullable, Time } from '../outputs.ts';

/** Bounded, since each object adds a condition to reads of entries. */
const mostObjects = 50;
const mostFields = 50;
/** The most records per request. */
const mostRecords = 1_000;

export const ListId = Type.String({ description: 'Id of the list' });

const Option = Type.Object(
  {
    value: Type.String({ minLength: 1, maxLength: 200 }),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    color: Type.Optional(Nullable(Type.String({ maxLength: 50 }))),
  },
  { additionalProperties: false },
);

const Field = Type.Object(
  {
    id: Type.Optional(Id),
    name: Type.String(),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    type: Choice(entryFieldTypes),
    isRequired: Type.Optional(Type.Boolean()),
    options: Type.Optional(
      Type.Union([Type.Array(Option, { minItems: 1, maxItems: caps.optionsOfField }), Type.Null()]),
    ),
    defaultValue: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

export const Fields = Type.Optional(
  Type.Array(Field, {
    maxItems: mostFields,
    description: 'All fields of the entries: one with the id, or the name, of one that is there is that one',
  }),
);

export const ObjectTypes = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: mostObjects,
  description: 'Plural names of the objects whose records it takes',
});

const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

export const ListTexts = { description: text(10_000), icon_name: text(200), color: text(50) };

export const ListName = Type.String({ maxLength: 200 });

export const ObjectType = Type.String({ description: 'Plural name of the object of the records' });

/** One record or several; `recordIdsOf` reads both. */
export const RecordIds = {
  record_id: Type.Optional(Type.String({ description: 'Id of a record' })),
  record_ids: Type.Optional(
    Type.Array(Type.String(), { maxItems: mostRecords, description: 'Ids of records, instead of record_id' }),
  ),
};

export const EntryFields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by the names of the fields of the list',
});

const FieldOut = Type.Object({
  id: Id,
  name: Type.String(),
  label: Type.String(),
  type: Type.String({ enum: [...entryFieldTypes] }),
  isRequired: Type.Boolean(),
  options: Nullable(
    Type.Array(Type.Object({ value: Type.String(), label: Type.String(), color: Type.Optional(Type.String()) })),
  ),
  defaultValue: Type.Unknown(),
});

const list = {
  id: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  icon_name: Nullable(Type.String()),
  color: Nullable(Type.String()),
  object_types: Type.Array(Type.String()),
  fields: Type.Array(FieldOut),
  entry_count: Type.Integer({ description: 'Entries that the caller may see' }),
  created_by: Nullable(Id),
  created_by_display: Nullable(Type.String()),
  created_at: Time,
  updated_at: Time,
};

export const ListOut = Type.Object(list);

const added = {
  added: Type.Integer(),
  skipped_already_in_list: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Optional(
    Type.Array(Type.Object({ record_id: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'The first 50 that failed',
    }),
  ),
};

export const AddedOut = Type.Object({ list_id: Id, ...added });

/** A new list, with the outcome of the records to add. */
export const CreatedListOut = Type.Object({
  ...list,
  added: Type.Optional(added.added),
  skipped_already_in_list: Type.Optional(added.skipped_already_in_list),
  failed: Type.Optional(added.failed),
  errors: added.errors,
});

export const EntryOut = Type.Object({
  entry_id: Id,
  record_id: Id,
  object_type: Type.String(),
  record: Type.Object({ display: Nullable(Type.String()), image: Type.Null() }),
  entry_fields: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
});
