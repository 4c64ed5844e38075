/** Inputs and outputs of the operations on views. */
import { Type } from 'typebox';
import { Component, Lenient } from '../../describe/annotations.ts';
import { caps } from '../../model/caps.ts';
import { lastPosition } from '../../records/views/change-view.ts';
import { layouts } from '../../records/views/view.ts';
import { Choice } from '../inputs.ts';
import { narrowest, widest } from './view-parts.ts';
import { Id, Nullable, Time } from '../outputs.ts';

export const ViewId = Type.String({ description: 'Id of the view' });

const Column = Type.Object(
  {
    field: Type.String(),
    width: Type.Optional(Type.Integer({ minimum: narrowest, maximum: widest, description: 'Pixels' })),
  },
  { additionalProperties: false },
);

/** A field; null or an empty text for none. */
const fieldOrNone = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()], { description }));

/** The contents of a view; `partsGiven` reads them. */
export const ViewPartsIn = {
  layout: Type.Optional(Choice(layouts, 'table')),
  columns: Type.Optional(
    Lenient(
      Nullable(Type.Array(Type.Union([Column, Type.String()]), { maxItems: caps.columnsOfView })),
      'In their order, a name alone without a width; null for those that a table has by itself',
    ),
  ),
  filters: Type.Optional(
    Lenient(Nullable(Component('FilterGroup')), 'A FilterGroup, also as JSON text; null for none'),
  ),
  sort: Type.Optional(
    Lenient(Nullable(Type.Array(Component('SortKey'))), 'Up to five keys, also as JSON text; null for the usual order'),
  ),
  search: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
  group_by: fieldOrNone('The field whose values are the columns of a board, or groups of a table'),
  totals: fieldOrNone('The field that is summed up'),
};

export const ViewName = Type.String({ minLength: 1, maxLength: 200 });

export const IsShared = Type.Optional(Type.Boolean({ description: 'Whether all see it: for admins' }));

export const IsDraft = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Whether it is kept for an address alone: in no list, never changed, and read by all who know its id and see the object',
  }),
);

export const Position = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: lastPosition,
    description: 'Views stand in the order of these; behind the others when absent',
  }),
);

export const ViewOut = Type.Object({
  id: Id,
  object_name: Type.String(),
  layout: Choice(layouts),
  columns: Nullable(Type.Array(Column)),
  filters: Nullable(Component('FilterGroup')),
  sort: Type.Array(Component('SortKey')),
  search: Nullable(Type.String()),
  group_by: Nullable(Type.String()),
  totals: Nullable(Type.String()),
  is_partial: Type.Boolean({
    description:
      'Whether something is left out, of which a field is gone, not for the caller, or of another type by now',
  }),
  unavailable: Type.Array(Type.String(), { description: 'The fields of what is left out that the caller may know of' }),
  name: Type.String(),
  is_shared: Type.Boolean(),
  is_draft: Type.Boolean(),
  position: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Null for a draft' }),
  owner: Id,
  owner_display: Nullable(Type.String()),
  created_at: Time,
  updated_at: Time,
});
