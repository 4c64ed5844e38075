/** Calls tools in the name of a user, through the door and on the database of the service. */
import { Check } from 'typebox/value';
import { KithError } from '../../src/errors.ts';
import type { Json } from '../../src/lib/json.ts';
import { writeJson } from '../../src/lib/json-writer.ts';
import { lengthOf, whole } from '../../src/lib/long-text.ts';
import { createModelCache } from '../../src/model/cache.ts';
import { JsonText } from '../../src/operations/door/operation.ts';
import { createPerform } from '../../src/operations/door/perform.ts';
import { createSessions } from '../../src/operations/door/sessions.ts';
import { tools } from '../../src/tools/tools.ts';
import type { Client, TestKith } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

export interface ToolReply {
  /** `ok`, or the code of the refusal. */
  readonly code: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly json: any;
  /** Of the answer, in characters. */
  readonly length: number;
  readonly warnings: readonly string[];
}

export interface Agent {
  readonly workspaceUserId: string;
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
  /** The answer of a call that is taken. Throws for one that is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  ask(tool: string, args?: Readonly<Record<string, unknown>>): Promise<any>;
}

/** Gives each client its agent. */
export function agents(kith: TestKith): (client: Client) => Agent {
  const { directory, keyring, tokens, clock } = kith.deps;
  const tokenUse = { note: () => Promise.resolve() };
  const log = { ...silentLog, debug: () => {} };
  const sessions = createSessions({ directory, tokens, models: createModelCache(), tokenUse, clock, log });
  const perform = createPerform({ sessions, limiter: undefined, clock, keyring, wake: () => {} });
  return ({ token, workspaceUserId }) => {
    const call: Agent['call'] = async (name, args = {}) => {
      const warnings: string[] = [];
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool) throw new Error(`There is no tool ${name}`);
      const session = await sessions.open(`Bearer ${token}`);
      try {
        const result = await tool.run(
          {
            perform: (operation, input, mostBytes) =>
              perform(operation, session, input, {
                source: 'tool',
                agent: 'test agent',
                limitDecisions: [],
                warnings,
                report: () => {},
                ...(mostBytes !== undefined && { mostBytes }),
              }),
          },
          args as Readonly<Record<string, Json>>,
        );
        const text = result instanceof JsonText ? result.text : await writeJson(result);
        const json: unknown = JSON.parse(whole(text));
        if (!Check(tool.output, json)) throw new Error(`${name} answers what its schema does not say: ${whole(text)}`);
        return { code: 'ok', json, length: lengthOf(text), warnings };
      } catch (error) {
        if (!(error instanceof KithError)) throw error;
        const { code, message, fieldErrors: field_errors, availableValues: available_values } = error;
        return { code, json: { code, message, field_errors, available_values }, length: message.length, warnings };
      }
    };
    return {
      workspaceUserId,
      call,
      async ask(name, args) {
        const { code, json } = await call(name, args);
        if (code !== 'ok') throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(json)}`);
        return json;
      },
    };
  };
}
