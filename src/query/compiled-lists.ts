/** Caches compiled lists: whoever asks the same again, perhaps every few seconds, compiles nothing. */
import { bytesOfText } from '../lib/lru.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Unsent } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import type { ListKeys } from './known-list.ts';
import type { PageShape } from './paging.ts';
import { timelessMemory, whenForgotten, type Watch } from './timeless.ts';

/** A list for whatever is known of it, except that its plan follows the known total. */
export interface CompiledList {
  readonly keys: ListKeys;
  readonly page: Unsent;
  /** Tells whether what is known holds; for lists whose text can be known. */
  readonly check: Unsent | undefined;
  readonly shape: PageShape;
  readonly findsText: boolean;
  /** Whether a scan of the sort's index fills the page, although the search index could find the rows. */
  readonly isSequential: boolean;
  readonly isMaterialized: boolean;
  readonly isBounded: boolean;
}

/** The texts of statements by their names: lists that differ in their values share them. */
const texts = new OwnedLru<string, string>({
  name: 'list_texts',
  maxBytes: 8 * 1024 * 1024,
  maxOwnerBytes: 2 * 1024 * 1024,
  bytesOf: (name, text) => bytesOfText(name) + bytesOfText(text),
});

whenForgotten((organizationId) => texts.forget(organizationId));

const lists = timelessMemory<CompiledList>('lists');

/** Longer requests, such as those with lists of ids, are not kept. */
const longestRequest = 2_000;

/** What was compiled for the request. */
export function recallList(context: QueryContext, object: ObjectDef, request: string): CompiledList | undefined {
  const list = lists.recall(context, object, request);
  const page = list && withText(context, list.page);
  const check = list?.check && withText(context, list.check);
  // Compiled again where a text was dropped.
  return page && (check ?? !list.check) ? { ...list, page, check } : undefined;
}

/** Keeps what was compiled for the request, about `bytes` beside its texts; `watch` observed its compilation. */
export function rememberList(
  context: QueryContext,
  object: ObjectDef,
  request: string,
  list: CompiledList,
  bytes: number,
  watch: Watch,
): void {
  if (request.length > longestRequest) return;
  const kept = { ...list, page: keepText(context, list.page), check: list.check && keepText(context, list.check) };
  lists.remember(context, object, request, kept, bytes, watch);
}

function keepText({ model }: QueryContext, { name = '', text, valuesOf }: Unsent): Unsent {
  if (texts.get(model.organizationId, name) === undefined) texts.set(model.organizationId, name, text);
  return { name, text: '', valuesOf };
}

function withText({ model }: QueryContext, { name = '', valuesOf }: Unsent): Unsent | undefined {
  const text = texts.get(model.organizationId, name);
  return text === undefined ? undefined : { name, text, valuesOf };
}
