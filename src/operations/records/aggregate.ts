/** [spec: Aggregate] Aggregates over the records that the caller may see. */
import { Type } from 'typebox';
import { bucketNames } from '../../fields/date-buckets.ts';
import { errors } from '../../errors.ts';
import { aggregate } from '../../records/reading/aggregate.ts';
import { FilterInput, filtersOf } from './filter-input.ts';
import { Choice, namesIn, ObjectName, Search } from '../inputs.ts';
import { JsonText, defineRecordOperation } from '../door/operation.ts';
import { Truncated } from '../outputs.ts';

/** The most fields to group by. */
const mostFields = 3;

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
  summary: 'Aggregate the records of an object, in total or by groups',
  input: Type.Object(
    {
      object: ObjectName,
      field: Type.Optional(
        Type.String({
          description:
            'What the function is of, also behind a relation (`company_id.employees`); COUNT without it counts records',
        }),
      ),
      function: Type.Optional(Type.String({ description: 'COUNT when absent' })),
      group_by: Type.Optional(Type.String({ description: `A field, or up to ${mostFields} of them, comma-separated` })),
      bucket: Type.Optional(Choice(bucketNames)),
      ...FilterInput,
      search: Search,
    },
    { additionalProperties: false },
  ),
  output: Type.Union([
    Type.Object({ ...Asked, ...Value }),
    Type.Object({
      ...Asked,
      group_by: Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'A list where several are given',
      }),
      bucket: Type.Optional(Choice(bucketNames)),
      results: Type.Array(
        Type.Object({
          group: Type.Unknown({ description: 'A list where several are grouped by', examples: ['customer'] }),
          display: Type.Optional(
            Type.Unknown({ description: 'Where groups are ids: what this one is called', examples: ['Globex'] }),
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
    const groupBy = input.group_by === undefined ? [] : (namesIn(input.group_by) ?? ['']);
    if (groupBy.length > mostFields) throw errors.validation(`group_by takes at most ${mostFields} fields`);
    const { field, text } = await aggregate(call, object, {
      where: filtersOf(input),
      search: input.search,
      field: input.field,
      function: wanted,
      groupBy,
      bucket: input.bucket,
    });
    const [first, ...more] = groupBy;
    const bucket = input.bucket === undefined ? '' : `,"bucket":"${input.bucket}"`;
    const names = more.length > 0 ? groupBy : first;
    const grouped = names === undefined ? '' : `,"group_by":${JSON.stringify(names)}${bucket}`;
    const head = `"object_name":"${object.name}","field":${JSON.stringify(field)},"function":"${wanted}"${grouped}`;
    return new JsonText(`{${head},${text}}`);
  },
});
