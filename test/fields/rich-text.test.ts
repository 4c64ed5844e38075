import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/fields/html.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { decodeContext, testField } from './samples/sample.ts';

const type = fieldType('RICH_TEXT');
const field = testField('RICH_TEXT');

function cleaned(html: string): string {
  return type.decode(html, field, decodeContext)[0] ?? '';
}

describe('RICH_TEXT keeps what is text', () => {
  it.each([
    '<p>Hello <strong>you</strong>, <em>and</em> <u>you</u></p>',
    '<ul><li>one</li><li>two</li></ul>',
    '<table><tbody><tr><th colspan="2">a</th><td>b</td></tr></tbody></table>',
    '<a href="https://acme.com/?a=1&amp;b=2" title="x">acme</a>',
    '<a href="mailto:anna@acme.com">Anna</a> <a href="tel:+49">call</a>',
    'a &lt; b &amp; c',
    '日本 😀',
  ])('%s', (html) => expect(cleaned(html)).toBe(html));
});

describe('RICH_TEXT drops what runs, loads or covers', () => {
  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<style>p{}</style>a', 'a'],
    ['<p onclick="x()">a</p>', '<p>a</p>'],
    ['<p style="position:fixed" class="x" id="y">a</p>', '<p>a</p>'],
    ['<img src=x onerror=alert(1)>a', 'a'],
    ['<img src="https://spy.test/pixel.gif">a', 'a'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="java\tscript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['<a href="//evil.test">a</a>', '<a>a</a>'],
    ['<iframe src="https://x.test">a</iframe>b', 'b'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<math><mi xlink:href="javascript:x">a</mi></math>', 'a'],
    ['<form action="https://x.test"><button>a</button></form>', 'a'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    ['<textarea><script>alert(1)</script></textarea>a', 'a'],
    ['<scr<script>ipt>alert(1)</script>a', 'ipt&gt;alert(1)a'],
    ['<!-- <script>alert(1)</script> -->a', 'a'],
    ['<p>a', '<p>a</p>'],
  ])('%s', (html, clean) => expect(cleaned(html)).toBe(clean));

  it('drops tags that are nested deeper than a hundred, and refuses a thousand', () => {
    const html = cleaned(`${'<div>'.repeat(1_000)}deep`);
    expect(html.match(/<div>/g)?.length).toBe(100);
    expect(plainText(html)).toBe('deep');
    expect(() => cleaned(`${'<div>'.repeat(1_001)}deep`)).toThrow('must close its tags: more than 1,000');
    expect(() => cleaned(`${'<script><div>'.repeat(10)}${'<x>'.repeat(2_000)}`)).not.toThrow();
    expect(cleaned('<p>a</p>'.repeat(2_000))).toBe('<p>a</p>'.repeat(2_000));
  });

  it('leaves clean HTML as it is, whatever it was', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<a href="',
        '">',
        '<script>',
        '</script>',
        '<!--',
        '-->',
        '&lt;',
        '&amp;',
        '&#60;',
      ),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '=',
        '/',
        ' ',
        'onload=x',
        '<b>',
        '</b>',
        '<textarea>',
        '<svg>',
        '</svg>',
        '<math>',
        '<title>',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = cleaned(pieces.join(''));
        expect(cleaned(once)).toBe(once);
        expect(once).not.toMatch(/<(?!\/?(?:p|a|b|br)\b)/);
        expect(plainText(once)).toBe(type.decode(once, field, decodeContext)[1]);
      }),
      { examples: [[['<p>', '<svg>', '<p>']]] },
    );
  });
});

describe('the plain text of RICH_TEXT', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\nb'],
    ['a<br>b<br><br>c', 'a\nb\nc'],
    ['<h1>Title</h1>\n  text\n goes on<ul><li>one</li><li>two</li></ul>', 'Title\ntext goes on\none\ntwo'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<b>a</b>b', 'ab'],
    ['a &lt;b&gt; &amp;lt; &quot;c&quot; &eacute;', 'a <b> &lt; "c" é'],
    ['<p>&nbsp;</p><p><br></p> <hr>', ''],
    ['<a href="x" title="a > b">c</a>', 'c'],
  ])('%s', (html, text) => expect(type.decode(html, field, decodeContext)[1]).toBe(text));

  it('is what a required one must have', () => {
    const required = { ...field, isRequired: true };
    expect(() => type.decode('<p><br></p>', required, decodeContext)).toThrow('is required');
    expect(type.decode('<p>a</p>', required, decodeContext)).toEqual(['<p>a</p>', 'a']);
  });

  it('is what a search finds it by', () => {
    const cells = type.decode('<p>Łódź <b>ST</b>RASSE</p><script>x</script>', field, decodeContext);
    expect(type.searchText?.(cells)).toBe('lodz strasse');
    expect(type.searchText?.([null, null])).toBe('');
  });
});
