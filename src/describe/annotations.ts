/** What operations say in their schemas to readers alone. Validation ignores these keywords; `inline.ts` and `places.ts` act on them. */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';

/** Which of an object's shapes stands for a part of a schema. */
export type RecordShape = 'read' | 'create' | 'update';

/** A value that the operation reads by itself, more leniently than a schema can say; it is described as `shown`. */
export function Lenient(shown: TSchema, description?: string) {
  return Type.Unknown({ shownAs: description === undefined ? shown : { ...shown, description } });
}

/** The keyword for a value that is described as `shown`, whatever validation makes of it. */
export function describedAs(shown: TSchema) {
  return { shownAs: shown };
}

/** The keyword for a value that a request gives in the header `name`; `places.ts` reads it. */
export function inHeader(name: string) {
  return { inHeader: name };
}

/** The keyword for an object's own shape: in place of the object that it is put into. */
export function shapedAs(recordShape: RecordShape) {
  return { recordShape };
}

/** A record of the object that the path names. */
export const RecordOut = Type.Unknown(shapedAs('read'));

/** One of the components that every document has. */
export function Component(name: 'FilterGroup' | 'SortKey' | 'FieldError' | 'ListOutcome' | 'Manifest'): TSchema {
  return Type.Unsafe({ $ref: componentRef(name) });
}

/** The reference to a schema of the document's components. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** JSON as the text of a query parameter. */
export function JsonTextOf(schema: TSchema): TSchema {
  return Type.Unsafe({ type: 'string', contentMediaType: 'application/json', contentSchema: schema });
}
