import { describe, expect, it } from 'vitest';
import { inputs, parseExpression, renameInputs } from '../../src/fields/expression.ts';

describe('expressions', () => {
  it('are a tree', () => {
    expect(parseExpression(" join( ', ', first_name,upper(last_name) ) ")).toEqual({
      kind: 'call',
      name: 'join',
      args: [
        { kind: 'text', value: ', ' },
        { kind: 'field', name: 'first_name' },
        { kind: 'call', name: 'upper', args: [{ kind: 'field', name: 'last_name' }] },
      ],
    });
    expect(parseExpression("'it''s'")).toEqual({ kind: 'text', value: "it's" });
    expect(parseExpression('12.50')).toEqual({ kind: 'number', value: '12.50' });
  });

  it('calculate from left to right, products first', () => {
    const sign = (sign: string, left: unknown, right: unknown) => ({ kind: 'sum', sign, left, right });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ kind: 'field', name }));
    expect(parseExpression('a - b - c')).toEqual(sign('-', sign('-', a, b), c));
    expect(parseExpression('a + b * c')).toEqual(sign('+', a, sign('*', b, c)));
    expect(parseExpression('(a+b)/c')).toEqual(sign('/', sign('+', a, b), c));
    expect(parseExpression('-a')).toEqual(sign('-', { kind: 'number', value: '0' }, a));
  });

  it('keep everything but the name of a renamed field', () => {
    expect(renameInputs("join('a', a, ab) + lower (a) - a", 'a', 'z')).toBe("join('a', z, ab) + lower (z) - z");
    expect(renameInputs("concat(lower, lower (lower), 'it''s lower')", 'lower', 'z')).toBe(
      "concat(z, lower (z), 'it''s lower')",
    );
  });

  it('name each field that they read once', () => {
    expect(inputs(parseExpression("concat(a, join('-', b, a), 'c', lower(d))"))).toEqual(['a', 'b', 'd']);
  });

  it.each([
    ['', "needs a field, a text in '…', a number or a function (position 1)"],
    ['  ', 'position 3'],
    ['a b', 'something after its end (position 3)'],
    ['join(', 'position 6'],
    ['join()', 'position 6'],
    ["join(',', a", 'needs a comma or a closing bracket (position 12)'],
    ["join('-', a b)", 'needs a comma or a closing bracket (position 13)'],
    ["concat('a)", 'has a text without its closing quote (position 8)'],
    ['a % b', 'cannot be read (position 3)'],
    ['a +', "needs a field, a text in '…', a number or a function (position 4)"],
    ['* a', "needs a field, a text in '…', a number or a function (position 1)"],
    ['(a + b', 'needs a closing bracket (position 7)'],
    [`a${' + a'.repeat(201)}`, 'more than 200 signs'],
    ['First', 'cannot be read (position 1)'],
    ['lower(a, b)', 'takes at most 1 arguments for lower (position 1)'],
    ["join('-')", 'needs at least 2 arguments for join (position 1)'],
    ['join(a, b)', "needs a text in '…' as the first argument of join (position 1)"],
    ['concat(toString(a))', 'cannot be read'],
    ['constructor(a)', 'has no function "constructor" (position 1)'],
    ['uper(a)', 'did you mean "upper"?'],
    [`${'lower('.repeat(50)}a${')'.repeat(50)}`, 'nested deeper than 32 levels'],
    ['a'.repeat(5_001), 'at most 5000 characters'],
  ])('%s: %s', (source, message) => expect(() => parseExpression(source)).toThrow(message));
});
