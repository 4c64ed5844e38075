/** Schema keywords for documentation only. Validation ignores them; `inline.ts` and `places.ts` read them. */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';

/** A shape of an object's records. */
export type RecordShape = 'read' | 'create' | 'update';

/** A value that the operation parses itself, more leniently than a schema can say; documented as `shown`. */
export function Lenient(shown: TSchema, description?: string) {
  return Type.Unknown({ shownAs: description === undefined ? shown : { ...shown, description } });
}

/** The keyword to document a value as `shown`, whatever validation accepts. */
export function describedAs(shown: TSchema) {
  return { shownAs: shown };
}

/** The keyword for a value that a request sends in the header `name`; read by `places.ts`. */
export function inHeader(name: string) {
  return { inHeader: name };
}

/** The keyword to document a shape of the object's records in place of the annotated schema. */
export function shapedAs(recordShape: RecordShape) {
  return { recordShape };
}

/** A record of the object in the path. */
export const RecordOut = Type.Unknown(shapedAs('read'));

/** A reference to a component that every document has. */
export function Component(name: 'FilterGroup' | 'SortKey' | 'FieldError' | 'ListOutcome' | 'Manifest'): TSchema {
  return Type.Unsafe({ $ref: componentRef(name) });
}

/** The `$ref` to a component. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** JSON text in a query parameter. */
export function JsonTextOf(schema: TSchema): TSchema {
  return Type.Unsafe({ type: 'string', contentMediaType: 'application/json', contentSchema: schema });
}
