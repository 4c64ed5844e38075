/** Schemas that outputs share. */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Component, RecordOut } from '../describe/annotations.ts';

export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time' });
export const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

/** A page of a list. */
export const PageOf = (item: TSchema) =>
  Type.Object({
    data: Type.Array(item),
    total: Type.Integer({ minimum: 0, description: 'All that there are, on whatever page' }),
    nextCursor: Type.Optional(
      Type.String({ description: 'Absent on the last page', examples: ['eyJrIjpbIjIwMjYiXX0'] }),
    ),
    truncated: Type.Optional(
      Type.Boolean({ description: 'Present where the page holds fewer than its limit: the answer would be too large' }),
    ),
  });

/** A list with `group_by`. [spec: Records] */
export const GroupsOf = (item: TSchema) =>
  Type.Object({
    object_name: Type.String(),
    group_by: Type.String(),
    limit_per_group: Type.Integer(),
    groups: Type.Record(Type.String(), Type.Array(item), { description: 'By the value of the field' }),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'All that there are in each group' }),
    labels: Type.Optional(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: 'Where groups are ids: what they are called, null where that is not to be seen',
      }),
    ),
    truncated: Truncated,
    truncated_groups: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Groups that show fewer records than asked for: the answer would be too large',
      }),
    ),
  });

export const Truncated = Type.Optional(Type.Boolean({ description: 'Present where there are more groups' }));

/** The outcome of the lists that a write named. */
export const ListAdditionsOut = {
  lists: Type.Optional(Type.Array(Component('ListOutcome'))),
  created_list: Type.Optional(Type.Object({ id: Id, name: Type.String() })),
  create_list_error: Type.Optional(Type.String({ description: 'Why there is no new list' })),
};

/** A changed record; absent if the caller can no longer see it. */
export const Changed = (action: string) =>
  Type.Object({
    id: Id,
    action: Type.String({ enum: [action] }),
    record: Type.Optional(RecordOut),
    ...ListAdditionsOut,
  });
