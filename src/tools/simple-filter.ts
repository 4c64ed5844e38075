/** The operators of a single condition that tools list; operations accept more. [spec: crm_aggregate_records] */
export const simpleOperators = [
  ...['equals', 'not_equals', 'contains', 'starts_with', 'ends_with', 'greater_than', 'less_than', 'greater_equal'],
  ...['less_equal', 'in', 'is_null', 'is_not_null'],
];
