/** Prompts that a person picks: each describes a task with the tools. */
import { ProtocolError, ProtocolErrorCode, type GetPromptResult } from '@modelcontextprotocol/server';
import { quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import { problemOfPrompt } from './passing.ts';

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The fields to fill in. */
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** The text for the model, with the fields filled in. */
  text(given: ReadonlyMap<string, string>): string;
}

const prompts: readonly Prompt[] = [
  {
    name: 'daily-briefing',
    title: 'Daily Briefing',
    description: 'What is due today, what is late, and who waits for an answer',
    arguments: [],
    text: () =>
      [
        'Brief me for today.',
        '1. crm_manage_tasks, action list: my tasks that are overdue, then those of today.',
        "2. crm_find_events for today, in my organization's time zone.",
        '3. crm_inbox, action list_threads: the newest threads, those whose last message came in first.',
        'Then tell me in ten lines at most: meetings with their times, tasks by urgency, people who wait. Change nothing.',
      ].join('\n'),
  },
  {
    name: 'prepare-meeting',
    title: 'Prepare a Meeting',
    description: 'Who will be there, what was said last, and what is open',
    arguments: [{ name: 'who', description: 'A person or a company', required: true }],
    text: (given) =>
      [
        `Prepare me for a meeting with ${quoted(given.get('who') ?? '')}.`,
        '1. crm_global_search for that name; ask me where several records fit.',
        '2. crm_find_activity of the record, as a timeline.',
        '3. crm_find_records on opportunities of the company, with their steps.',
        'Then give me: who they are, the last three contacts with dates, open tasks and deals, and three things to ask.',
      ].join('\n'),
  },
  {
    name: 'clean-duplicates',
    title: 'Clean up Duplicates',
    description: 'Finds records that are there twice, and merges those that I agree to',
    arguments: [{ name: 'object', description: 'For example contacts or companies', required: true }],
    text: (given) =>
      [
        `Find duplicates among ${quoted(given.get('object') ?? '')} with crm_duplicates.`,
        'Show me each group as a table: what tells the records apart, and which one you would keep, and why.',
        'Merge a group only after I have said yes to it. Tell me the change set of each merge: crm_undo takes it back.',
      ].join('\n'),
  },
  {
    name: 'import-file',
    title: 'Import a File',
    description: 'From a CSV or JSON file to records, with a look at it before',
    arguments: [{ name: 'object', description: 'What the rows become, for example contacts', required: true }],
    text: (given) =>
      [
        `Import the file that I give you into ${quoted(given.get('object') ?? '')} with crm_import_records.`,
        '1. analyze: show me which column becomes which field, and what you are not sure of.',
        '2. preview with the mapping that we agree on: show me some rows and the duplicates.',
        '3. execute only after I have said yes, then tell me the counts, and each row that failed with its reason.',
      ].join('\n'),
  },
  {
    name: 'pipeline-review',
    title: 'Review a Pipeline',
    description: 'Where deals stand, what is stuck, and what is missing for the next step',
    arguments: [{ name: 'object', description: 'defaults to opportunities', required: false }],
    text: (given) => {
      const object = given.get('object') ?? 'opportunities';
      return [
        `Review the pipeline of ${quoted(object)}.`,
        '1. Read svc://pipelines: the steps, and what each asks for.',
        '2. crm_aggregate_records: count and sum by step.',
        '3. crm_find_records: the open ones that have stood longest where they are, and those with a close date in the past.',
        'Then tell me: totals by step, the ten that need attention with the reason, and which fields keep them from moving. Change nothing.',
      ].join('\n');
    },
  },
];

/** The prompts, as listed. */
export const promptList = prompts.map(({ name, title, description, arguments: args }) => ({
  name,
  title,
  description,
  arguments: [...args],
}));

/** The filled-in prompt. Throws a protocol error for an unknown name, and for arguments that are missing or no texts. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (!prompt) {
    const names = prompts.map((candidate) => candidate.name);
    throw invalid(`There is no prompt ${quoted(name)}${didYouMean(name, names)}; there is: ${names.join(', ')}`);
  }
  const problem = problemOfPrompt(given);
  if (problem !== undefined) throw invalid(problem);
  const filled = new Map(Object.entries(given).filter(([, text]) => text.trim() !== ''));
  const missing = prompt.arguments.find((argument) => argument.required && !filled.has(argument.name));
  if (missing) throw invalid(`${missing.name} is required: ${missing.description}`);
  const message = { role: 'user' as const, content: { type: 'text' as const, text: prompt.text(filled) } };
  return { description: prompt.description, messages: [message] };
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
