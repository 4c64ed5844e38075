/** [spec: Aggregate] */
import { Type } from 'typebox';
import { aggregate } from '../records/reading/aggregate.ts';
import { FilterInput, filtersOf } from './filter-input.ts';
import { ObjectName, Search } from './inputs.ts';
import { JsonText, defineRecordOperation } from './door/operation.ts';
import { Nullable, Truncated } from './outputs.ts';

const Asked = {
  object_name: Type.String(),
  field: Type.String(),
  function: Type.String({ examples: ['COUNT'] }),
};
const Value = {
  value: Type.Union([Type.Number({ examples: [42] }), Type.String({ description: 'A day or a time' }), Type.Null()]),
  currencies: Type.Optional(
    Type.Record(Type.String(), Type.Number(), { description: 'The parts of a sum over several currencies' }),
  ),
};

export const aggregateRecords = defineRecordOperation({
  id: 'records.aggregate',
  summary: 'A function over the records of an object, of all or by groups',
  input: Type.Object(
    {
      object: ObjectName,
      field: Type.Optional(Type.String({ description: 'What the function is of; COUNT without it counts records' })),
      function: Type.Optional(Type.String({ description: 'COUNT when absent' })),
      group_by: Type.Optional(Type.String()),
      ...FilterInput,
      search: Search,
    },
    { additionalProperties: false },
  ),
  output: Type.Union([
    Type.Object({ ...Asked, ...Value }),
    Type.Object({
      ...Asked,
      group_by: Type.String(),
      results: Type.Array(
        Type.Object({
          group: Type.Unknown({ examples: ['customer'] }),
          display: Type.Optional(
            Nullable(Type.String({ description: 'Where groups are ids: what this one is called' })),
          ),
          ...Value,
        }),
      ),
      truncated: Truncated,
    }),
  ]),
  needs: 'view',
  takesManaged: true,
  effect: 'read',
  cost: 'expensive',
  async run(call, input, object) {
    const wanted = input.function ?? 'COUNT';
    const { field, text } = await aggregate(call, object, {
      where: filtersOf(input),
      search: input.search,
      field: input.field,
      function: wanted,
      groupBy: input.group_by,
    });
    const grouped = input.group_by === undefined ? '' : `,"group_by":${JSON.stringify(input.group_by)}`;
    const head = `"object_name":"${object.name}","field":${JSON.stringify(field)},"function":"${wanted}"${grouped}`;
    return new JsonText(`{${head},${text}}`);
  },
});
