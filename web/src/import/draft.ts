/** Choices for an import that have not been sent yet; stored in this browser, they survive a reload. */
import { useState } from 'react';
import type { ImportsPreviewBody } from '../../../client/index.js';
import { remember, remembered } from '../app/remembered.ts';
import type { Job } from './read-file.ts';

export type Entry = NonNullable<ImportsPreviewBody['mapping']>[number];
export type Options = NonNullable<ImportsPreviewBody['import_options']>;

export interface Draft {
  /** Columns whose target differs from the proposal. */
  readonly changed: Readonly<Record<string, Entry>>;
  readonly options: Options;
  /** The name of a new list for the created records. */
  readonly list?: string;
}

export interface Drafting {
  readonly draft: Draft;
  /** The current entry of the column. */
  entryOf(column: Job['columns'][number]): Entry;
  change(entry: Entry): void;
  choose(options: Options): void;
  nameList(name: string | undefined): void;
}

/** The choices for this import, and functions that change them. */
export function useDraft(job: Job): Drafting {
  const key = `kith-import-choices-${job.import_job_id}`;
  const [draft, setDraft] = useState<Draft>(() => storedAt(key) ?? { changed: {}, options: firstOptions(job) });
  const keep = (next: Draft) => {
    remember(key, JSON.stringify(next));
    setDraft(next);
  };
  return {
    draft,
    entryOf: ({ column, suggestion }) => draft.changed[column] ?? (suggestion as Entry),
    change: (entry) => keep({ ...draft, changed: { ...draft.changed, [entry.column]: entry } }),
    choose: (options) => keep({ ...draft, options }),
    nameList: (list) => keep({ changed: draft.changed, options: draft.options, ...(list !== undefined && { list }) }),
  };
}

/** The request body of the choices. */
export function bodyOf({ changed, options }: Draft): ImportsPreviewBody {
  const { duplicate_strategy: strategy = 'create', duplicate_fields: by, ...others } = options;
  return {
    mapping: Object.values(changed),
    import_options: {
      ...others,
      duplicate_strategy: strategy,
      ...(strategy !== 'create' && by !== undefined && { duplicate_fields: by }),
    },
  };
}

/** Fields that can match rows with existing records. */
export function keyFields(job: Job): readonly string[] {
  const used = new Set(job.columns.map(({ suggestion }) => ((suggestion as Entry).field ?? '').split(/[.:]/)[0] ?? ''));
  const able = job.target_fields.filter(({ type }) =>
    ['EMAIL', 'EMAILS', 'PHONES', 'URL', 'TEXT', 'INTEGER', 'NUMBER'].includes(type),
  );
  return able.toSorted((a, b) => Number(used.has(b.name)) - Number(used.has(a.name))).map(({ name }) => name);
}

/** Email addresses match best; if the file has known ids, the service says so. */
function firstOptions(job: Job): Options {
  if (job.suggested_options !== undefined) return job.suggested_options as Options;
  const going = new Set(job.columns.map(({ suggestion }) => (suggestion as Entry).field?.split(/[.:]/)[0]));
  const address = job.target_fields.find(({ type, name }) => type.startsWith('EMAIL') && going.has(name));
  return address
    ? { duplicate_strategy: 'update', duplicate_fields: [address.name] }
    : { duplicate_strategy: 'create' };
}

function storedAt(key: string): Draft | undefined {
  const text = remembered(key);
  return text === undefined ? undefined : (JSON.parse(text) as Draft);
}
