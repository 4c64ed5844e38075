/** Limits the HTML of one request: sanitizing it takes longer than all other work on a record. */
import { errors } from '../../errors.ts';
import { fieldType } from '../../fields/registry.ts';
import { isObject, type Json } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';

/** Characters: forty mails of 200 KB, at worst five seconds of work. */
const mostHtml = 8_000_000;

/** Throws VALIDATION_ERROR where the RICH_TEXT values of all `rows` exceed the limit of one request. */
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
