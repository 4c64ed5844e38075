/** The frame of tables: wide ones scroll, also by keyboard; phones show each row as lines. */
import { html, type Html } from '../escaped.ts';

/** A table named `label`; without rows, `empty` is shown instead. */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Html[])[],
  empty: Html = html`<p class="empty">None.</p>`,
): Html {
  if (rows.length === 0) return empty;
  const heads = columns.map((column) => html`<th scope="col">${column}</th>`);
  const cells = (row: readonly Html[]) => row.map((cell, at) => html`<td data-label="${columns[at]}">${cell}</td>`);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead><tr>${heads}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
    </table>
  </div>`;
}
