/** What goes on while an organization is moved or backed up. */
import type { Client } from '../support/kith.ts';

/** A client that writes and reads all the time, until `stop`. */
export function traffic(client: Client, name: string, failures: string[] = []) {
  const created: string[] = [];
  const renamed = new Map<string, string>();
  const deleted = new Set<string>();
  let goesOn = true;
  const check = (what: string, { status, text }: { status: number; text: string }) => {
    if (status !== 200) failures.push(`${what}: ${status} ${text}`);
    return status === 200;
  };
  const write = async () => {
    for (let n = 0; goesOn; n++) {
      const email = `${name}${n}@x.test`;
      const reply = await client.post('/records/contacts', {
        first_name: name,
        last_name: String(n),
        emails: [{ email }],
      });
      if (check('create', reply)) created.push(reply.json.id);
      const id = created[n >> 1];
      if (id === undefined || deleted.has(id)) continue;
      if (n % 7 === 3) {
        const gone = await client.delete(`/records/contacts/${id}`);
        if (check('delete', gone)) deleted.add(id);
      } else {
        const reply2 = await client.put(`/records/contacts/${id}`, { last_name: `changed ${n}` });
        if (check('update', reply2)) renamed.set(id, `changed ${n}`);
      }
    }
  };
  const read = async () => {
    while (goesOn) check('read', await client.get('/records/contacts', { limit: 5 }));
  };
  const all = Promise.all([write(), read(), read()]);
  return {
    created,
    renamed,
    deleted,
    failures,
    async stop() {
      goesOn = false;
      await all;
    },
  };
}

export async function until(condition: () => boolean, failures: readonly string[]) {
  while (!condition() && failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
