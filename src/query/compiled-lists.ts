/** Caches compiled lists: a person who asks the same again, perhaps every few seconds, has nothing compiled. */
import { bytesOfText } from '../lib/lru.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Template } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import type { ListKeys } from './list-keys.ts';
import type { PageShape } from './paging.ts';
import { selectRecord } from './selection.ts';
import { timelessMemory, whenForgotten, type Watch } from './timeless.ts';

/** A list compiled for any memory; only `isScanned` follows the known total. */
export interface CompiledList {
  readonly keys: ListKeys;
  readonly page: Template;
  /** Tells whether what is known holds; for lists whose text can be known. */
  readonly check: Template | undefined;
  readonly selection: PageShape['selection'];
  readonly shape: Omit<PageShape, 'selection'>;
  /** Whether what is known may hold after writes. */
  readonly outlasts: boolean;
  readonly findsText: boolean;
  /** Whether a scan of the sort's index fills the page, although the search index could find the rows. */
  readonly isScanned: boolean;
  readonly isMaterialized: boolean;
  readonly isBounded: boolean;
}

/** A list without the texts of its statements, and without a selection that is kept elsewhere. */
type Kept = Omit<CompiledList, 'selection'> & { readonly selection: CompiledList['selection'] | undefined };

/** The texts of statements by their names: lists that differ in their values share them. */
const texts = new OwnedLru<string, string>({
  name: 'list_texts',
  maxBytes: 8 * 1024 * 1024,
  maxOwnerBytes: 2 * 1024 * 1024,
  bytesOf: (name, text) => bytesOfText(name) + bytesOfText(text),
});

whenForgotten((organizationId) => texts.forget(organizationId));

const lists = timelessMemory<Kept>('lists');

/** Longer keys, such as those with lists of ids, are not kept. */
const longestKey = 2_000;

/** What was compiled under `key`, for the row `alias`. */
export function recallList(
  context: QueryContext,
  object: ObjectDef,
  key: string,
  alias: string,
): CompiledList | undefined {
  const list = lists.recall(context, object, key);
  const page = list && withText(context, list.page);
  const check = list?.check && withText(context, list.check);
  // Compiled again where a text was dropped.
  if (!page || (list.check && !check)) return undefined;
  return { ...list, page, check, selection: list.selection ?? selectRecord(object, context, alias, 'read') };
}

/** A compiled list, and what decides how it is kept. */
export interface Compilation {
  readonly list: CompiledList;
  /** Whether the selection is of some fields: that of all that the caller sees is kept elsewhere. */
  readonly hasOwnSelection: boolean;
  /** About its bytes beside the texts of its statements. */
  readonly bytes: number;
  /** What observed its compilation. */
  readonly watching: Watch;
}

/** Keeps what was compiled under `key`. */
export function rememberList(
  context: QueryContext,
  object: ObjectDef,
  key: string,
  { list, hasOwnSelection, bytes, watching }: Compilation,
): void {
  if (key.length > longestKey) return;
  const kept = {
    ...list,
    page: keepText(context, list.page),
    check: list.check && keepText(context, list.check),
    selection: hasOwnSelection ? list.selection : undefined,
  };
  lists.remember(context, object, key, kept, bytes, watching);
}

function keepText({ model }: QueryContext, { name, text, valuesOf }: Template): Template {
  if (name === undefined) throw new Error('A statement without a name is not kept');
  if (texts.get(model.organizationId, name) === undefined) texts.set(model.organizationId, name, text);
  return { name, text: '', valuesOf };
}

function withText({ model }: QueryContext, { name, valuesOf }: Template): Template | undefined {
  const text = name === undefined ? undefined : texts.get(model.organizationId, name);
  return text === undefined ? undefined : { name, text, valuesOf };
}
