/**
 * The client of record commands: the user of KITH_TOKEN, at the service of KITH_URL or on the local database, or else an
 * admin of this machine.
 */
import type { Config } from '../config.ts';
import { whole } from '../lib/long-text.ts';
import { errors, KithError, quoted } from '../errors.ts';
import type { Desk } from '../kernel.ts';
import { parseJson, type JsonObject } from '../lib/json.ts';
import { JsonText } from '../operations/door/operation.ts';
import { openContext, withResources, type Context } from './context.ts';
import type { Ask } from './remote.ts';

export interface Client {
  readonly ask: Ask;
  note(message: string): void;
}

/** Runs `work` with the client. `org` is the organization named by the flag, which overrides the environment. */
export function withClient<T>(
  note: (message: string) => void,
  org: string | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withResources(note, async (config, resources, interruption) => {
    if (config.client.url !== undefined) return work(await remote(config, org, interruption, note));
    return work(await local(config, await openContext(config, resources, interruption, note), org));
  });
}

async function remote(
  config: Config,
  org: string | undefined,
  interruption: AbortSignal,
  note: (message: string) => void,
): Promise<Client> {
  const token = tokenElsewhere(config, org);
  const { createRemote } = await import('./remote.ts');
  return { ask: createRemote(config.client.url ?? '', token, interruption, note), note };
}

/** The token for the service of KITH_URL. Throws VALIDATION_ERROR if there is none, or if `org` is set as well. */
export function tokenElsewhere({ client: { token } }: Config, org: string | undefined): string {
  if (org !== undefined)
    throw errors.validation('--org is for the database at hand, and KITH_URL names a service: unset one of them');
  if (token === undefined) throw errors.validation('KITH_URL needs KITH_TOKEN, a token of that service');
  return token;
}

async function local(config: Config, context: Context, org: string | undefined): Promise<Client> {
  const desk = await deskMeant(config, context, org);
  return {
    async ask(operation, input) {
      const answer = await desk.perform(operation, input);
      return (answer instanceof JsonText ? parseJson(whole(answer.text)) : answer) as JsonObject;
    },
    note: context.note,
  };
}

/**
 * The desk on the local database: for KITH_TOKEN, unless an organization is named. Throws UNAUTHORIZED, and VALIDATION_ERROR if
 * KITH_ORG names another organization than that of the token.
 */
export async function deskMeant(
  { client: { token, org: named } }: Config,
  context: Context,
  org: string | undefined,
): Promise<Desk> {
  if (org !== undefined || token === undefined) return context.desk(org);
  const desk = await deskOfToken(context, token);
  // Imports go by KITH_ORG: what they wrote would be looked for, or undone, elsewhere.
  if (named !== undefined && desk.session.caller.organizationId !== (await context.organization(named)))
    throw errors.validation(
      `KITH_TOKEN is not of the organization of KITH_ORG, ${quoted(named)}: unset one of them, or give --org`,
    );
  return desk;
}

async function deskOfToken(context: Context, token: string) {
  try {
    return await context.deskOfToken(token);
  } catch (error) {
    if (error instanceof KithError && error.code === 'UNAUTHORIZED')
      throw errors.unauthorized(`KITH_TOKEN: ${error.message}`);
    throw error;
  }
}
