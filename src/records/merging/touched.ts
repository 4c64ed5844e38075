/** Collects the changes of records other than master and duplicates, and writes one history entry for each record. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Json } from '../../lib/json.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { authorOf, leaveEntries, leaveStateOf, leftRows, type LinkChange } from '../writing/leave.ts';

interface Before {
  readonly fields: Record<string, Json>;
  readonly links: Record<string, LinkChange>;
}

/** Entries per statement. */
const leftAtOnce = 2_000;

/** The changes of one transaction, by record. */
export class Touched {
  readonly #records = new Map<ObjectDef, Map<string, Before>>();

  /** Adds a former value, in history's form. */
  field(object: ObjectDef, id: string, fieldId: string, was: Json): void {
    this.#of(object, id).fields[fieldId] = was;
  }

  /** Adds a change of the record's links. */
  links(object: ObjectDef, id: string, fieldId: string, change: LinkChange): void {
    this.#of(object, id).links[fieldId] = change;
  }

  #of(object: ObjectDef, id: string): Before {
    const records = this.#records.get(object) ?? new Map<string, Before>();
    this.#records.set(object, records);
    const before = records.get(id) ?? { fields: {}, links: {} };
    records.set(id, before);
    return before;
  }

  /**
   * Updates the records' timestamps, and writes their entries; then the versions of their objects, which are
   * contended.
   */
  async leave(call: Call, tx: WorkspaceTransaction): Promise<void> {
    const author = authorOf(call);
    const now = new Date(call.now).toISOString();
    // Always in the same order, to avoid deadlocks.
    const objects = [...this.#records].toSorted(([one], [other]) => (one.id < other.id ? -1 : 1));
    for (const [object, records] of objects) {
      const ids = [...records.keys()].toSorted();
      await tx.run(
        sql`update ${call.workspace.table(object.table)} set updated_at = ${now}::timestamptz where id = any(${ids}::uuid[])`,
      );
      for (let at = 0; at < ids.length; at += leftAtOnce) {
        const rows = ids.slice(at, at + leftAtOnce).map((id) => {
          const { fields = {}, links = {} } = records.get(id) ?? {};
          const hasLinks = Object.keys(links).length > 0;
          return { id, before: JSON.stringify(fields), links: hasLinks ? JSON.stringify(links) : null };
        });
        await tx.run(leaveEntries(author, { objectId: object.id, action: 'update' }, leftRows(rows)));
        await nextSlice();
      }
    }
    for (const [object, records] of objects)
      await tx.run(leaveStateOf(author, { objectId: object.id, action: 'update' }, 0, records.size));
  }
}
