/** The language of CALCULATED fields as a tree. `parse.ts` makes it of text, `to-sql.ts` makes SQL of it. */

export type FunctionName =
  | 'if'
  | 'coalesce'
  | 'is_empty'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'abs'
  | 'min'
  | 'max'
  | 'join'
  | 'concat'
  | 'lower'
  | 'upper'
  | 'trim'
  | 'length'
  | 'left'
  | 'right'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'replace'
  | 'text'
  | 'number'
  | 'today'
  | 'now'
  | 'date'
  | 'year'
  | 'month'
  | 'day'
  | 'days_between'
  | 'add_days'
  | 'add_months'
  | 'start_of_month';

export type Sign = '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>=' | 'and' | 'or';

export type Expression = {
  /** Where it stands in its text, from 0; of a sign, where the sign does. */ readonly at: number;
} & (
  | { readonly kind: 'text'; readonly value: string }
  /** Its digits as they were written. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'sign'; readonly sign: Sign; readonly left: Expression; readonly right: Expression }
);

/** What an expression is made of, directly. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.args;
    case 'not':
      return [expression.of];
    case 'sign':
      return [expression.left, expression.right];
    default:
      return [];
  }
}

/** The names of the fields that an expression reads, each once. */
export function inputs(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Expression): void => {
    if (node.kind === 'field') names.add(node.name);
    partsOf(node).forEach(visit);
  };
  visit(expression);
  return [...names];
}
