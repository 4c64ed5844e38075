/** Sanitizes the HTML of messages. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { cleanHtml, type CleanHtml } from '../../fields/html.ts';
import { cleanAside } from '../../fields/html-aside.ts';

/** Characters of HTML cleaned in this thread; longer HTML would block others. */
const mostAtOnce = 20_000;

/** The sanitized HTML of `field`, and its text. Throws VALIDATION_ERROR for too many tags. */
export async function cleanMessage({ model, signal }: Call, field: string, html: string): Promise<CleanHtml> {
  try {
    if (html.length <= mostAtOnce) return cleanHtml(html);
    return await cleanAside(html, { organizationId: model.organizationId, signal });
  } catch (error) {
    if (error instanceof FieldProblem) throw errors.validation(`${field} ${error.message}`);
    throw error;
  }
}
