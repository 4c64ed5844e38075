/** How much HTML one request brings: to clean it takes longer than all else that is done with a record. */
import { errors } from '../../errors.ts';
import { fieldType } from '../../fields/registry.ts';
import { isObject, type Json } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';

/** Characters. Forty mails of 200 KB; at their worst, five seconds of work. */
const mostHtml = 8_000_000;

/** Throws VALIDATION_ERROR where the RICH_TEXT of all `rows` is more than one request may bring. */
export function refuseFloodOfHtml(object: ObjectDef, rows: readonly Json[]): void {
  const names = htmlFieldsOf(object);
  if (names.length === 0) return;
  let length = 0;
  for (const row of rows) {
    for (const name of names) length += isObject(row) ? textLength(row[name]) : 0;
  }
  if (length <= mostHtml) return;
  const most = mostHtml.toLocaleString('en');
  throw errors.validation(`The RICH_TEXT of one request may have at most ${most} characters in all: send it in parts`);
}

const htmlFields = new WeakMap<ObjectDef, readonly string[]>();

function htmlFieldsOf(object: ObjectDef): readonly string[] {
  let names = htmlFields.get(object);
  if (!names) {
    names = object.fields.filter(({ type }) => fieldType(type).isHtml).map(({ name }) => name);
    htmlFields.set(object, names);
  }
  return names;
}

function textLength(value: Json | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}
