/** A person of the demo beside the browser. */
import type { Person } from './stage.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Comes in as this person, and gives what asks `/api/v1` in their name. */
export async function beside(url: string, person: Person) {
  const page = await (await fetch(url)).text();
  const card =
    page.split('<form class="card"').find((part) => new RegExp(`<h2[^>]*>(<bdi>)?${person}`).test(part)) ?? '';
  const id = /name="person" value="([^"]+)"/.exec(card)?.[1] ?? '';
  const entered = await fetch(`${url}/demo`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: `person=${id}`,
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (method: string, path: string, body?: Values) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { cookie, origin: url, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- each operation has its own
    return { status: answer.status, json: (await answer.json()) as any };
  };
}
