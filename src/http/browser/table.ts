/** The frame of all tables: what is too wide scrolls within it, also by keys; a phone shows each row as lines. */
import { html, type Html } from '../escaped.ts';

/** A heading; null for a column of buttons, which say themselves what they do. */
export type Column = string | null;

/** A cell: its content, in the order of the columns. */
export type Cell = Html | string | undefined;

/** A table named `label`; with no rows it is `empty` instead. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  empty: Html = html`<p class="empty">None.</p>`,
): Html {
  if (rows.length === 0) return empty;
  const heads = columns.map((column) =>
    column === null
      ? html`<th scope="col"><span class="unseen">Change</span></th>`
      : html`<th scope="col">${column}</th>`,
  );
  const cells = (row: readonly Cell[]) =>
    row.map((cell, at) => {
      const label = columns[at];
      return html`<td${label ? html` data-label="${label}"` : undefined}>${cell}</td>`;
    });
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead><tr>${heads}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
    </table>
  </div>`;
}

/** Where a list goes on, after `path`, which has a query already or none. */
export function nextPage(path: string, cursor: unknown, label: string): Html | undefined {
  if (typeof cursor !== 'string') return undefined;
  const joint = path.includes('?') ? '&' : '?';
  return html`<p><a class="button" href="${path}${joint}cursor=${encodeURIComponent(cursor)}">${label}</a></p>`;
}
