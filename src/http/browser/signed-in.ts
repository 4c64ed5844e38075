/** Pages of a signed-in person: who comes without a session signs in first, and then goes on. */
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { KithError } from '../../errors.ts';
import { parseJson, type Json } from '../../lib/json.ts';
import { whole } from '../../lib/long-text.ts';
import { bucketOf } from '../../limits/buckets.ts';
import { count } from '../../limits/limiter.ts';
import { JsonText, type Answer, type Operation } from '../../operations/door/operation.ts';
import { getMe } from '../../operations/me.ts';
import { addPage, type PageAnswer, type PageParts, type Visit } from './page-route.ts';
import type { Reader } from './layout.ts';

/** A visit of somebody who is in. */
export interface OwnVisit extends Visit {
  /** Performs in the person's name. */
  perform<Result extends Answer>(operation: Operation<TSchema, Result>, input: object): Promise<Result>;
  /** The same of an operation that answers ready text, as values. */
  read(operation: Operation, input: object): Promise<Json>;
  reader(): Promise<Reader>;
}

/** Adds a page that needs a session. */
export function addOwnPage(
  app: FastifyInstance,
  parts: PageParts,
  method: 'GET' | 'POST',
  path: string,
  handle: (visit: OwnVisit) => Promise<PageAnswer>,
): void {
  const { browser, sessions, limiter, perform, signIn } = parts;
  addPage(app, parts, method, path, async (visit) => {
    // A form that cannot be sent again goes on with the page that it stands on.
    const here = path.split('/').slice(0, 3).join('/');
    const found = await browser.find(visit.request);
    if (!found) return { goTo: `/signin?next=${here}` };
    const session = await sessions.ofBrowser(found).catch((error: unknown) => {
      if (error instanceof KithError && error.code === 'UNAUTHORIZED') return undefined;
      throw error;
    });
    if (!session) return { goTo: `/signin/organization?next=${here}` };
    await count(limiter, [bucketOf('api:global', session.caller)], visit.context.limitDecisions);
    const performed: OwnVisit['perform'] = (operation, input) =>
      perform(operation, session, () => input, visit.context);
    return handle({
      ...visit,
      perform: performed,
      async read(operation, input) {
        const answer = await performed(operation, input);
        if (!(answer instanceof JsonText)) throw new Error(`${operation.id} answers no ready text`);
        return parseJson(whole(answer.text));
      },
      async reader() {
        const { profile, isAdmin } = await performed(getMe, {});
        return {
          name: profile?.name ?? '',
          email: profile?.email ?? '',
          organization: session.model.organizationName,
          isAdmin,
          hasOthers: (await signIn.provision.directory.organizationsOf(found.personId, 2)).length > 1,
        };
      },
    });
  });
}

/** A moment, as people read it; everybody's days are those of UTC here. */
export function dateText(time: Json | undefined): string {
  return typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : '';
}
