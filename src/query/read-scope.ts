/** What a record shows of other records, under the caller's policy: labels and links. */
import type { FieldDef } from '../fields/field-def.ts';
import type { ReadScope } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { identifier, join, literal, sql, trusted, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { linkedRows, objectScope, scopeBeyond, tableOf, type ObjectScope } from './row-scope.ts';
import { compileRule, visibleRow } from './where.ts';
import type { QueryContext } from './context.ts';

const nothing = sql`null::text`;

/** A scope for the row that the statement calls `alias`, to read it in the caller's name. */
export function readScope(context: QueryContext, object: ObjectDef, alias: string): ObjectScope & ReadScope {
  const scope = objectScope(context, object, alias);
  const { model, visibility } = context;
  return {
    ...scope,
    pipelines: model.pipelines,
    display(objectName, id) {
      const target = model.objects.get(objectName);
      if (!target || visibility.rows(objectName) === 'none') return nothing;
      const there = scopeBeyond(scope, target);
      const label = labelOf(there);
      if (!label) return nothing;
      return sql`(select ${label} from ${tableOf(model, target.name)} ${there.row}
        where ${there.row}.id = ${id} and ${visibleRow(there)})`;
    },
    userDisplay: (id) => {
      const user = trusted(`${alias}_user`);
      return sql`(select ${user}.name from ${tableOf(model, '_users')} ${user} where ${user}.id = ${id})`;
    },
    links: (field) => linksOf(scope, field),
  };
}

/** The text that names a record, or undefined where the role hides it. */
function labelOf(scope: ObjectScope): Sql | undefined {
  const { object, context } = scope;
  const field = resolveAttribute(object, object.displayField);
  if (!field || !context.visibility.shows(object.name, field.name)) return undefined;
  return sql`(${scope.operand(field.name).value})::text`;
}

/** A link to a record that the caller may not see keeps its id; its label is null. */
function linksOf(scope: ObjectScope, field: FieldDef): Sql {
  const { link, target, from } = linkedRows(scope, field);
  const label = labelOf(target) ?? nothing;
  const rule = scope.context.visibility.rows(target.object.name);
  const display = rule === 'all' ? label : sql`case when ${compileRule(rule, target)} then ${label} end`;
  const junction = (field.junctionFields ?? []).flatMap((part) => {
    const columns = fieldType(part.type).columns(part);
    return columns.map(({ name }) => sql`${literal(name)}, ${link}.${identifier(name)}`);
  });
  const pairs = join([sql`'id', ${target.row}.id`, sql`'display', ${display}`, ...junction], ', ');
  return sql`(select json_agg(json_build_object(${pairs}) order by ${link}.position, ${target.row}.id)::text ${from})`;
}
