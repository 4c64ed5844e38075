/** The syntax tree of CALCULATED expressions: `parse.ts` builds it, `to-sql.ts` compiles it. */

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
  /** Position in the source, from 0; for an operator, the operator's. */
  readonly at: number;
} & (
  | { readonly kind: 'text'; readonly value: string }
  /** Digits as written. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'sign'; readonly sign: Sign; readonly left: Expression; readonly right: Expression }
);

/** The direct subexpressions. */
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

/** The names of the fields that an expression reads, without repetition. */
export function inputs(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Expression): void => {
    if (node.kind === 'field') names.add(node.name);
    partsOf(node).forEach(visit);
  };
  visit(expression);
  return [...names];
}
