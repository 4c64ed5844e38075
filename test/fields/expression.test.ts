import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../src/fields/expressions/parse.ts';
import { renameInputs } from '../../src/fields/expressions/tokens.ts';
import { inputs, type Expression } from '../../src/fields/expressions/tree.ts';

describe('expressions', () => {
  it('parse into a tree with positions', () => {
    expect(shape(" join( ', ', first_name,upper(last_name) ) ")).toBe("join(', ',first_name,upper(last_name))");
    expect(parseExpression("'it''s'")).toEqual({ kind: 'text', value: "it's", at: 0 });
    expect(parseExpression(' 12.50')).toEqual({ kind: 'number', value: '12.50', at: 1 });
    expect(parseExpression('a != b')).toMatchObject({ kind: 'sign', sign: '!=', at: 2, right: { name: 'b', at: 5 } });
  });

  it.each([
    ['a - b - c', '((a-b)-c)'],
    ['a + b * c % d', '(a+((b*c)%d))'],
    ['(a+b)/c', '((a+b)/c)'],
    ['-a', '(0-a)'],
    ['a + 1 < b * 2', '((a+1)<(b*2))'],
    ['a <> b', '(a!=b)'],
    ['a = 1 or b >= 2 and not c', '((a=1)or((b>=2)and(not c)))'],
    ['not a = b', '(not (a=b))'],
    ['not not a', '(not (not a))'],
    ['(a = b) = c', '((a=b)=c)'],
    ['if(a, null, if(b, true, false))', 'if(a,null,if(b,true,false))'],
    ['today()', 'today()'],
    ['date + month', '(date+month)'],
  ])('%s is %s', (source, tree) => expect(shape(source)).toBe(tree));

  it('keep everything but the name of a renamed field', () => {
    expect(renameInputs("join('a', a, ab) + lower (a) - a", 'a', 'z')).toBe("join('a', z, ab) + lower (z) - z");
    expect(renameInputs('not a and a', 'and', 'z')).toBe('not a and a');
    expect(renameInputs("concat(lower, lower (lower), 'it''s lower')", 'lower', 'z')).toBe(
      "concat(z, lower (z), 'it''s lower')",
    );
  });

  it('name each field that they read once', () => {
    expect(inputs(parseExpression("concat(a, join('-', b, a), 'c', if(not d, -e > a, f))"))).toEqual([
      'a',
      'b',
      'd',
      'e',
      'f',
    ]);
  });

  it.each([
    ['', "needs a field, a text in '…', a number or a function (position 1)"],
    ['  ', 'position 3'],
    ['a b', 'something after its end (position 3)'],
    ['join(', 'position 6'],
    ['join()', 'needs at least 2 arguments for join (position 1)'],
    ['upper()', 'needs an argument for upper (position 1)'],
    ['upper(a,)', 'position 9'],
    ["join(',', a", 'needs a comma or a closing bracket (position 12)'],
    ["join('-', a b)", 'needs a comma or a closing bracket (position 13)'],
    ["concat('a)", 'has a text without its closing quote (position 8)'],
    ['a ! b', 'cannot be read (position 3)'],
    ['a < b < c', 'compares a comparison: put it in brackets, or "and" between two (position 7)'],
    ['a and', 'position 6'],
    ['a + not b', 'position 5'],
    ['today(a)', 'takes at most 0 arguments for today (position 1)'],
    ['if(a)', 'needs at least 2 arguments for if (position 1)'],
    ['a +', "needs a field, a text in '…', a number or a function (position 4)"],
    ['* a', "needs a field, a text in '…', a number or a function (position 1)"],
    ['(a + b', 'needs a closing bracket (position 7)'],
    [`a${' + a'.repeat(201)}`, 'more than 200 signs'],
    ['First', 'cannot be read (position 1)'],
    ['lower(a, b)', 'takes at most 1 arguments for lower (position 1)'],
    ["join('-')", 'needs at least 2 arguments for join (position 1)'],
    ['concat(toString(a))', 'cannot be read'],
    ['constructor(a)', 'has no function "constructor" (position 1)'],
    ['uper(a)', 'did you mean "upper"?'],
    [`${'lower('.repeat(50)}a${')'.repeat(50)}`, 'nested deeper than 32 levels'],
    [`${'if(a,'.repeat(900)}a${')'.repeat(400)}`, 'nested deeper than 32 levels (position 164)'],
    ['('.repeat(1_000) + ')'.repeat(1_000), 'nested deeper than 32 levels (position 34)'],
    [`${'not '.repeat(1_000)}a`, 'nested deeper than 32 levels'],
    ['-'.repeat(4_000), 'nested deeper than 32 levels'],
    ['a'.repeat(5_001), 'at most 5000 characters'],
  ])('%.30s: %s', (source, message) => expect(() => parseExpression(source)).toThrow(message));
});

/** The tree with every bracket written out. */
function shape(source: string): string {
  const write = (tree: Expression): string => {
    switch (tree.kind) {
      case 'sign':
        return `(${write(tree.left)}${tree.sign}${write(tree.right)})`;
      case 'not':
        return `(not ${write(tree.of)})`;
      case 'call':
        return `${tree.name}(${tree.args.map(write).join(',')})`;
      case 'field':
        return tree.name;
      case 'text':
        return `'${tree.value}'`;
      case 'null':
        return 'null';
      default:
        return String(tree.value);
    }
  };
  return write(parseExpression(source));
}
