/** Related records in a record: labels and links, under the caller's policy. */
import type { FieldDef } from '../fields/field-def.ts';
import type { ReadScope } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { and, identifier, join, literal, sql, trusted, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { objectScope } from './object-scope.ts';
import { linkRows, scopeBeyond, tableOf, type ObjectScope } from './row-scope.ts';
import { visibleRow } from './where.ts';
import type { QueryContext } from './context.ts';

/** The most records that a record shows of those pointing at it. */
const mostRelated = 100;

/**
 * Characters of labels in all the record lists of a record: escaped, in any script, less than the limit of an answer.
 */
const mostOfLabels = 2_000_000;

const nothing = sql`null::text`;

/** A scope for reading the row with that alias in the caller's name; its reads are added to `reads`. */
export function readScope(
  context: QueryContext,
  object: ObjectDef,
  alias: string,
  reads?: Set<string>,
): ObjectScope & ReadScope {
  const scope = objectScope(context, object, alias, reads);
  return {
    ...scope,
    pipelines: context.model.pipelines,
    display: (objectName, id) => inParentheses(displayOf(scope, objectName, id)),
    userDisplay: (id) => inParentheses(userDisplayOf(scope, id)),
    links: (field) => linksOf(scope, field),
    related: (field) => relatedTo(scope, field),
  };
}

/** PostgreSQL's planning time grows with the square of the joins: 290 took seconds. */
const mostJoins = 8;

/**
 * As `readScope`, with the first labels of related records in `joins`, which belong behind the row in the FROM clause; reading the
 * labels adds to them. For many rows a join costs PostgreSQL half of what a subquery per row and label does.
 */
export function joiningReadScope(
  context: QueryContext,
  object: ObjectDef,
  alias: string,
): { readonly scope: ObjectScope & ReadScope; readonly joins: readonly Sql[] } {
  const scope = readScope(context, object, alias);
  const joins: Sql[] = [];
  const joined = (query: Sql | undefined) => {
    if (!query || joins.length === mostJoins) return inParentheses(query);
    const row = trusted(`${alias}_label${joins.length}`);
    joins.push(sql` left join lateral (${query}) ${row} (label) on true`);
    return sql`${row}.label`;
  };
  return {
    scope: {
      ...scope,
      display: (objectName, id) => joined(displayOf(scope, objectName, id)),
      userDisplay: (id) => joined(userDisplayOf(scope, id)),
    },
    joins,
  };
}

function inParentheses(query: Sql | undefined): Sql {
  return query ? sql`(${query})` : nothing;
}

function userDisplayOf({ alias, context }: ObjectScope, id: Sql): Sql {
  const user = trusted(`${alias}_user`);
  return sql`select ${user}.name from ${tableOf(context.model, '_users')} ${user} where ${user}.id = ${id}`;
}

/** The label of a record, or undefined where the role hides it. */
export function labelOf(scope: ObjectScope): Sql | undefined {
  const { object, context } = scope;
  const field = resolveAttribute(object, object.displayField);
  if (!field || !context.visibility.shows(object.name, field.name)) return undefined;
  return sql`(${scope.operand(field.name).value})::text`;
}

/**
 * Selects the label of the record `id`, shortened to `most` characters in a list; no row where the caller may not see it,
 * whether it exists or not. Undefined where the caller sees no label of that object.
 */
function displayOf(scope: ObjectScope, objectName: string, id: Sql, most?: Sql): Sql | undefined {
  const { model, visibility } = scope.context;
  const target = model.objects.get(objectName);
  if (!target || visibility.rows(objectName) === 'none') return undefined;
  const there = scopeBeyond(scope, target);
  const label = labelOf(there);
  if (!label) return undefined;
  return sql`select ${most ? cut(label, most) : label} from ${tableOf(model, target.table)} ${there.row}
    where ${there.row}.id = ${id} and ${visibleRow(there)}`;
}

/** Long labels end in an ellipsis. Lists are never shortened, since writing one back would remove what it lacks. */
function cut(label: Sql, most: Sql): Sql {
  return sql`(select case when length(l.label) > ${most} then left(l.label, ${most} - 1) || '…' else l.label end
    from (select ${label} as label offset 0) l)`;
}

/** The characters for labels of each record list of the object. */
function shareOfLabels({ fields }: ObjectDef): number {
  const lists = fields.filter(({ linkTable, relationConfig }) => linkTable ?? relationConfig?.inverseField);
  return Math.floor(mostOfLabels / Math.max(1, lists.length));
}

/** A link to a record that the caller may not see keeps its id, with a null label. */
function linksOf(scope: ObjectScope, field: FieldDef): Sql {
  const { link, from } = linkRows(scope, field);
  const share = trusted(String(shareOfLabels(scope.object)));
  const most = sql`(${share} / ${link}._links + 2)::int`;
  const target = field.relationConfig?.targetObjectName ?? '';
  const display = inParentheses(displayOf(scope, target, sql`${link}.target_id`, most));
  const junction = (field.junctionFields ?? []).flatMap((part) => {
    const columns = fieldType(part.type).columns(part);
    return columns.map(({ name }) => sql`${literal(name)}, ${link}.${identifier(name)}`);
  });
  const pairs = join([sql`'id', ${link}.target_id`, sql`'display', ${display}`, ...junction], ', ');
  return sql`(select json_agg(json_build_object(${pairs}) order by ${link}.position, ${link}.target_id)::text
    from (select ${link}.*, count(*) over () as _links ${from}) ${link})`;
}

/** The newest visible records whose relation leads to the row. */
function relatedTo(scope: ObjectScope, { relationConfig }: FieldDef): Sql {
  const { model, visibility } = scope.context;
  const target = model.objects.get(relationConfig?.targetObjectName ?? '');
  const inverse = target?.attributes.get(relationConfig?.inverseField ?? '');
  if (!target || !inverse || visibility.rows(target.name) === 'none') return nothing;
  const there = scopeBeyond(scope, target);
  const [id, object] = fieldType(inverse.type).columns(inverse);
  if (!id) return nothing;
  const leadsHere = [sql`${there.row}.${identifier(id.name)} = ${scope.row}.id`, visibleRow(there)];
  if (object) leadsHere.push(sql`${there.row}.${identifier(object.name)} = ${literal(scope.object.name)}`);
  // A role that does not see the time of creation gets the order of ids, which is about the same.
  const made = visibility.shows(target.name, 'created_at') ? sql`${there.row}.created_at` : sql`${there.row}.id`;
  const most = trusted(String(Math.floor(shareOfLabels(scope.object) / mostRelated) + 2));
  const label = labelOf(there);
  const newest = sql`${made} desc, ${there.row}.id desc`;
  return sql`(select json_agg(json_build_object('id', n.id, 'display', n.display) order by n.made desc, n.id desc)::text
    from (select ${there.row}.id, ${made} as made, ${label ? cut(label, most) : nothing} as display
      from ${tableOf(model, target.table)} ${there.row} where ${and(leadsHere)}
      order by ${newest} limit ${mostRelated}::int) n)`;
}
