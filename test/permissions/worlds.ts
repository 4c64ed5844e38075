/** A second organization that is the first one over again, and what may differ between the two without a person seeing it. */
import type { FilterCondition, FilterGroup, PermissionEntry } from '../../src/model/model.ts';
import { createToken } from '../../src/provision/tokens.ts';
import type { Random } from '../query/random.ts';
import type { Client, TestKith, TestOrganization } from '../support/kith.ts';
import { judgeCreate, judgeUpdate, type Given } from './judge.ts';
import { fieldsOfCondition, layConditions } from './conditions.ts';
import { isHidden, isVisible, seenOf, type Memory, type Person, type Row } from './memory.ts';
import { randomBody } from './requests.ts';
import { mustWork, valuesOf, type Settled } from './settle.ts';
import type { Thing } from './workspace.ts';

export interface World {
  readonly organization: TestOrganization;
  readonly admin: Client;
  readonly client: Client;
}

/** A copy of the organization under another id: metadata, people and records are the same to the bit. */
export async function copyWorld(kith: TestKith, { organization, admin }: Settled, person: Person): Promise<World> {
  const copy = await kith.organization();
  await kith.database.database.transaction(copy.id, (tx) => tx.script(copying(organization, copy)));
  const { data } = mustWork(await admin.client.get('/users')).json;
  const clientOf = async (id: string) => {
    const { email } = data.find((user: { id: string }) => user.id === id);
    return kith.client((await createToken(kith.deps, copy.id, { email, name: 'copy' })).token);
  };
  return { organization: copy, admin: await clientOf(admin.id), client: await clientOf(person.id) };
}

/** Indexes keep their names: by them a violation is known. Tokens are the control schema's as well. */
function copying(from: TestOrganization, to: TestOrganization): string {
  return `
    create temporary table kept on commit drop as select id, data_key from ${to.schema}._organization;
    drop schema ${to.schema} cascade;
    create schema ${to.schema};
    do $$
    declare item record;
    begin
      for item in select tablename as name from pg_tables where schemaname = '${from.schema}' loop
        execute format('create table ${to.schema}.%1$I (like ${from.schema}.%1$I including defaults including identity including constraints)', item.name);
        if item.name <> '_tokens' then
          execute format('insert into ${to.schema}.%1$I overriding system value select * from ${from.schema}.%1$I', item.name);
        end if;
      end loop;
      for item in select indexdef as text from pg_indexes where schemaname = '${from.schema}' loop
        execute replace(item.text, '${from.schema}.', '${to.schema}.');
      end loop;
    end $$;
    select setval(pg_get_serial_sequence('${to.schema}._history', 'id'), (select max(id) from ${to.schema}._history));
    update ${to.schema}._organization o set id = kept.id, data_key = kept.data_key from kept;`;
}

/** What one world has and the other has not. */
export interface Unseen {
  readonly values: readonly UnseenValue[];
  /** Of records. */
  readonly ids: readonly string[];
}

export interface UnseenValue {
  readonly row: Row;
  readonly field: string;
  readonly text: string;
}

/** Changes what the person cannot see, through an admin of the copy, who sees everything meanwhile. */
export async function makeDiffer(
  kith: TestKith,
  random: Random,
  settled: Settled,
  world: World,
  person: Person,
): Promise<Unseen> {
  const memory: Memory = { ...settled.memory, rows: new Map(settled.memory.rows) };
  const admin: Person = { ...settled.admin, client: world.admin };
  const fixed = fixedFields(memory, person);
  await layConditions(kith, world.organization, new Map());
  const values: UnseenValue[] = [];
  for (const row of settled.memory.rows.values()) {
    values.push(...(await changeUnseen(random, memory, admin, person, row, fixed.get(row.thing))));
  }
  const ids: string[] = [];
  for (let tries = 0; tries < 30; tries++) ids.push(...(await addUnseen(random, memory, admin, person)));
  await keepStamps(kith, settled.organization, world.organization, memory);
  const script = memory.workspace.things.flatMap((thing) => otherOrigins(memory, person, thing, fixed.get(thing)));
  if (script.length > 0) await runIn(kith, world.organization, script);
  await layConditions(kith, world.organization, memory.conditions);
  return { values, ids };
}

async function runIn(
  kith: TestKith,
  { id, schema }: TestOrganization,
  script: readonly ((schema: string) => string)[],
): Promise<void> {
  const text = script.map((line) => line(schema)).join(';');
  await kith.database.database.transaction(id, (tx) => tx.script(text));
}

/** Who made records, when, and who acted on them: other than in the first world where the person is not told. */
function otherOrigins(
  memory: Memory,
  person: Person,
  thing: Thing,
  fixed: ReadonlySet<string> | undefined,
): ((schema: string) => string)[] {
  const hides = (name: string) => isHidden(memory, person, thing, name);
  const entries = (schema: string) =>
    `object_id = (select o.id from ${schema}._objects o where o.name = '${thing.name}')`;
  const people = memory.people.map(({ id }) => `'${id}'`).join(', ');
  const somebody = (seed: string) =>
    `(array[${people}]::uuid[])[1 + abs(hashtext(${seed}::text)) % ${memory.people.length}]`;
  const early = (id: string) => `interval '1 second' * (1000 + abs(hashtext(${id}::text)) % 100000)`;
  const scripts: ((schema: string) => string)[] = [];
  if (hides('created_at')) {
    scripts.push(
      (schema) => `update ${schema}."${thing.name}" set created_at = created_at - ${early('id')}`,
      (schema) => `update ${schema}._history set at = at - ${early('record_id')}, change_set = gen_random_uuid()
        where action = 'create' and ${entries(schema)}`,
    );
  }
  if (hides('created_by') && !fixed?.has('created_by'))
    scripts.push((schema) => `update ${schema}."${thing.name}" set created_by = ${somebody('id')}`);
  if (hides('created_by') || hides('owner'))
    scripts.push(
      (
        schema,
      ) => `update ${schema}._history set actor_id = ${somebody('id')}, agent = 'other', change_set = gen_random_uuid()
        where ${entries(schema)}`,
    );
  return scripts;
}

/** Names of fields by object. */
export type FieldNames = ReadonlyMap<Thing, ReadonlySet<string>>;

/**
 * What stays the same although it may be hidden: what the person's rules lean on, what must be unique (a refused write
 * tells of that, and has to), parents, whose change clears children that may be visible, and steps, whose stamps may be.
 */
function fixedFields(memory: Memory, person: Person): FieldNames {
  const beyond = leanedOnBeyond(memory, person);
  const always = ['code', 'pipeline_id', 'pipeline_step_id'];
  const named = (thing: Thing) => {
    const own = rulesOf(person, thing).map(([field]) => field);
    const bound = thing.fields.flatMap(({ name, dependsOn }) => (dependsOn ? [name, dependsOn.parent] : []));
    const condition = memory.conditions.get(thing.name);
    const alone = condition ? fieldsOfCondition(condition).fields : [];
    return withInputs([...always, ...own, ...alone, ...bound, ...(beyond.get(thing) ?? [])]);
  };
  return new Map(memory.workspace.things.map((thing) => [thing, named(thing)]));
}

/**
 * What the person's rules look at through a relation: a change of it may bring other records into sight. Of an object that
 * others are seen through, whether there is a record.
 */
export function leanedOnBeyond({ workspace, conditions }: Memory, person: Person): FieldNames {
  const { things } = workspace;
  const paths = things.flatMap((thing) =>
    rulesOf(person, thing).flatMap(([name, path]) => {
      const target = thing.fields.find((field) => field.name === name)?.targets?.[0];
      return path === undefined ? [] : [{ target, path }];
    }),
  );
  return new Map(
    things.map((thing) => {
      const names = paths.filter(({ target }) => target === thing.name).map(({ path }) => path);
      const parents = thing.fields
        .filter(({ name }) => names.includes(name))
        .map(({ dependsOn }) => dependsOn?.parent ?? '');
      const isSeenThrough = things.some(({ name, fields }) => {
        const condition = conditions.get(name);
        const sights = condition ? fieldsOfCondition(condition).sights : [];
        return fields.some((field) => sights.includes(field.name) && field.targets?.includes(thing.name));
      });
      return [thing, withInputs([...names, ...parents, ...(isSeenThrough ? ['id'] : [])])];
    }),
  );
}

function withInputs(names: readonly string[]): Set<string> {
  const computed = names.includes('summary') || names.includes('deep');
  return new Set([...names, ...(computed ? ['name', 'code'] : [])]);
}

function rulesOf({ role }: Person, { name }: Thing): [field: string, path: string | undefined][] {
  return ['*', name].flatMap((entry) => namesIn(role?.permissions[entry]));
}

/** The fields and paths that an entry's rules speak of. */
function namesIn({ view, update, delete: remove }: PermissionEntry = {}): [field: string, path: string | undefined][] {
  const inGroup = (group: FilterGroup): [string, string | undefined][] =>
    group.conditions.flatMap((part: FilterGroup | FilterCondition) => {
      if ('conditions' in part) return inGroup(part);
      const [field = '', path] = part.field.split('.');
      return [[field, path] as [string, string | undefined]];
    });
  const own: [string, undefined][] = [
    ['owner', undefined],
    ['created_by', undefined],
  ];
  return [view, update, remove].flatMap((rule) =>
    typeof rule === 'object' ? inGroup(rule) : rule === 'own' ? own : [],
  );
}

function seeingAll(memory: Memory): Memory {
  return { ...memory, conditions: new Map() };
}

async function changeUnseen(
  random: Random,
  memory: Memory,
  admin: Person,
  person: Person,
  row: Row,
  fixed: ReadonlySet<string> | undefined,
): Promise<UnseenValue[]> {
  if (row.deleted) return [];
  const { thing, id } = row;
  const unseen = !isVisible(memory, person, row);
  const hidden = ({ name }: Given) => unseen || isHidden(memory, person, thing, name);
  const wide = Array.from({ length: 8 }, () => randomBody(random, seeingAll(memory), admin, thing, row)).flat();
  const body = new Map(
    wide.filter((given) => hidden(given) && !fixed?.has(given.name)).map((given) => [given.name, given]),
  );
  const given = [...body.values()];
  const { next } = judgeUpdate(seeingAll(memory), admin, row, given);
  if (!next || given.length === 0) return [];
  mustWork(await admin.client.put(`/records/${thing.name}/${id}`, valuesOf(given)));
  memory.rows.set(id, next);
  return given.flatMap(({ name, value }) =>
    typeof value?.seen === 'string' && value.seen !== '' ? [{ row: next, field: name, text: value.seen }] : [],
  );
}

/** A new record out of the person's sight, now and then straight into the trash; its id. */
async function addUnseen(random: Random, memory: Memory, admin: Person, person: Person): Promise<string[]> {
  const thing: Thing = random.pick(memory.workspace.things);
  const body = randomBody(random, seeingAll(memory), admin, thing).filter(({ name }) => name !== 'code');
  const { next } = judgeCreate(seeingAll(memory), admin, thing, body);
  const trashed = random.chance(0.3);
  if (!next || seenOf(next, 'code') !== null || isVisible(memory, person, next)) return [];
  const { id } = mustWork(await admin.client.post(`/records/${thing.name}`, valuesOf(body))).json;
  if (trashed) mustWork(await admin.client.delete(`/records/${thing.name}/${id}`));
  memory.rows.set(id, { ...next, id, createdAt: new Date(0).toISOString(), deleted: trashed });
  return [id];
}

/** The admin's changes leave no trace in when a record was changed. */
async function keepStamps(kith: TestKith, from: TestOrganization, to: TestOrganization, memory: Memory): Promise<void> {
  for (const { name } of memory.workspace.things) {
    const script = `update ${to.schema}."${name}" b set updated_at = a.updated_at from ${from.schema}."${name}" a where a.id = b.id`;
    await kith.database.database.transaction(to.id, (tx) => tx.script(script));
  }
}
