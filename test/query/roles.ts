/** Random roles over the world, conditions of its objects that no role lifts, and what somebody sees of it by the model in memory. */
import type { FilterCondition, FilterGroup, Model, RowCondition } from '../../src/model/model.ts';
import type { QueryContext, Visibility } from '../../src/query/context.ts';
import { matches } from './oracle.ts';
import { randomGroup } from './queries.ts';
import type { Random } from './random.ts';
import { companyFields, me, now, thingFields, timeZone, type Stored, type World } from './world.ts';

/** Who asks, in both languages. */
export interface Role {
  readonly rule: 'all' | FilterGroup;
  readonly companyRule: 'all' | 'none' | FilterGroup;
  readonly hidden: ReadonlySet<string>;
  /** By object. */
  readonly conditions: Readonly<Record<string, RowCondition>>;
}

export function randomRole(random: Random, world: World): Role {
  const conditions = randomConditions(random);
  if (random.chance(0.4)) return { rule: 'all', companyRule: 'all', hidden: new Set(), conditions };
  const none = new Set<string>();
  const companyRule: FilterGroup = { type: 'OR', conditions: [{ field: 'size', operator: 'less_than', value: 3 }] };
  return {
    rule: random.chance(0.5)
      ? 'all'
      : { type: 'OR', conditions: [randomGroup(random, world, none), randomGroup(random, world, none)] },
    companyRule: random.pick(['all', companyRule] as const),
    hidden: new Set(random.some(['secret', 'note', 'size', 'emails', 'phase'], 3)),
    conditions,
  };
}

const mine: FilterCondition = { field: 'owner', operator: 'equals', value: '$me' };

function randomConditions(random: Random): Record<string, RowCondition> {
  const things = random.pick<RowCondition>([
    { type: 'OR', conditions: [mine, { field: 'color', operator: 'equals', value: 'red' }] },
    { type: 'OR', conditions: [mine, { sees: 'company_id' }] },
    { type: 'AND', conditions: [{ sees: 'people' }, { type: 'OR', conditions: [mine, { sees: 'company_id' }] }] },
    { type: 'OR', conditions: [mine, { field: 'company_id.size', operator: 'equals', value: 1 }] },
  ]);
  const companies: RowCondition = { type: 'OR', conditions: [{ field: 'size', operator: 'in', value: '1,2' }] };
  return { ...(random.chance(0.7) && { things }), ...(random.chance(0.4) && { companies }) };
}

/** In whose name the role's queries run. */
export function contextOf(role: Role, { model }: World): QueryContext {
  const objects: Model['objects'] = new Map(
    [...model.objects].map(([name, object]) => {
      const condition = role.conditions[name];
      return [name, condition ? { ...object, condition } : object];
    }),
  );
  return { model: { ...model, objects }, visibility: visibilityOf(role), me, now, timeZone };
}

function visibilityOf(role: Role): Visibility {
  return {
    rows: (name) => (name === 'things' ? role.rule : role.companyRule),
    shows: (name, field) => name !== 'things' || !role.hidden.has(field),
  };
}

/** What the model in memory says a role sees. */
export function seenBy(role: Role, world: World) {
  const byId = new Map(world.companies.map((company) => [company.id, company]));
  const any = (id: unknown) => byId.get(String(id));
  const alive = (id: unknown) => {
    const company = any(id);
    return company && !company.deleted && meets(role, 'companies', company) ? company : undefined;
  };
  const visible = (id: unknown) => {
    const company = alive(id);
    if (!company || role.companyRule === 'all') return company;
    return role.companyRule !== 'none' && matches(role.companyRule, company, companyFields, any) ? company : undefined;
  };
  /** Paths see what the caller may see; links are there whatever they lead to. */
  const callers = (group: FilterGroup, row: Stored) => matches(group, row, thingFields, visible);
  const things = world.things.filter(
    (thing) =>
      !thing.deleted &&
      meets(role, 'things', thing, { alive, visible }) &&
      (role.rule === 'all' || matches(role.rule, thing, thingFields, alive)),
  );
  return { things, callers, visible, alive };
}

type Look = (id: unknown) => Stored | undefined;

/** Whether the object's own condition admits the row. */
function meets(
  { conditions }: Role,
  objectName: string,
  row: Stored,
  { alive, visible }: { alive: Look; visible: Look } = { alive: () => undefined, visible: () => undefined },
): boolean {
  const fields = objectName === 'things' ? thingFields : companyFields;
  const holds = ({ type, conditions: parts }: RowCondition): boolean => {
    const test = (part: RowCondition['conditions'][number]): boolean => {
      if ('conditions' in part) return holds(part);
      if ('sees' in part) return [row.values[part.sees] ?? []].flat().some((id) => visible(id) !== undefined);
      const bound = part.value === '$me' ? { ...part, value: me } : part;
      return matches({ type: 'AND', conditions: [bound] }, row, fields, alive);
    };
    return type === 'AND' ? parts.every(test) : parts.some(test);
  };
  const condition = conditions[objectName];
  return condition === undefined || holds(condition);
}
