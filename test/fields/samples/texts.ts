/** TEXT, LONG_TEXT, RICH_TEXT, URL, EMAIL, ADDRESS. */
import { nothing, nullFilters, testField } from './sample.ts';
import type { Sample, SampleValue } from './sample.ts';

function plain(text: string): SampleValue {
  return { written: text, read: JSON.stringify(text), cell: text };
}

const textFilters: Sample['filters'] = [
  ...nullFilters,
  ['equals', 'Anna'],
  ['equals', 'anna'],
  ['equals', 100],
  ['not_equals', 'Anna'],
  ['in', 'Anna,"Smith, John", zoe'],
  ['in', ['100%', 'Straße']],
  ['in', []],
  ['not_in', 'Anna,ANNA'],
  ['contains', 'ANN'],
  ['contains', 'STRA'],
  ['contains', 'äö'],
  ['contains', '%'],
  ['contains', '_'],
  ['contains', '\\'],
  ['contains', ''],
  ['starts_with', 'An'],
  ['starts_with', '100%'],
  ['ends_with', 'na'],
  ['ends_with', '\\'],
  ['ilike', 'an%'],
  ['ilike', 'a_n_'],
  ['ilike', '100\\%'],
  ['greater_than', 'B'],
  ['less_than', 'b'],
  ['greater_equal', 'ZOE'],
  ['less_equal', 'anna'],
  ['between', 'a,m'],
  ['between', ['Smith, John', 'ZZ']],
];

const badTextFilters: Sample['badFilters'] = [
  ['equals', null, 'is_null'],
  ['contains', ['a'], 'single value'],
  ['ilike', 'a\\', 'backslash'],
  ['between', 'a', 'two values'],
  ['between', 'a,b,c', 'two values'],
  ['in', 'a,"b', 'quote'],
];

const texts: readonly SampleValue[] = [
  nothing,
  ...[
    'Anna',
    'ANNA',
    'anna',
    'zoe',
    'Zoé',
    'Smith, John',
    '100%',
    'a_b',
    'back\\slash\\',
    'ÄÖÜ Straße',
    '山田',
    '😀',
    '100',
  ].map(plain),
  plain('quotes " and\nlines'),
  plain(`${'x'.repeat(300)}1`),
  { written: '', read: '""', cell: '', lossy: true },
];

const text: Sample = {
  field: testField('TEXT'),
  values: texts,
  refused: [
    [5, 'must be a text'],
    [true, 'must be a text'],
    [['a'], 'must be a text'],
    [{}, 'must be a text'],
    ['x'.repeat(10_001), '10,000 characters'],
  ],
  cells: [
    ['  padded  ', '  padded  '],
    ['   ', '   '],
  ],
  filters: textFilters,
  badFilters: badTextFilters,
};

const longText: Sample = {
  ...text,
  field: testField('LONG_TEXT'),
  refused: [
    [1, 'must be a text'],
    ['x'.repeat(1_000_001), '1,000,000'],
  ],
};

function html(written: string, text: string, read = written): SampleValue {
  return { written, read: JSON.stringify(read), cell: read, seen: text, ...(read === '' && { lossy: true }) };
}

const richText: Sample = {
  field: testField('RICH_TEXT'),
  values: [
    nothing,
    html('<p>Anna</p>', 'Anna'),
    html('ANNA', 'ANNA'),
    html('<p><strong>an</strong>na</p>', 'anna'),
    html('<p>Smith, John</p>', 'Smith, John'),
    html('<h1>100%</h1>', '100%'),
    html('<ul><li>a_b</li></ul>', 'a_b'),
    html('back\\slash\\', 'back\\slash\\'),
    html('ÄÖÜ Stra&szlig;e', 'ÄÖÜ Straße', 'ÄÖÜ Straße'),
    html('<p>zoe</p>\n<p>Zoé</p>', 'zoe\nZoé'),
    html('1 &lt; 2 &amp;amp; "3"', '1 < 2 &amp; "3"'),
    html('<p><br></p>', '', '<p><br /></p>'),
    html('<p>&nbsp;</p>', '', '<p>\u00a0</p>'),
    html('<script>Anna</script>', '', ''),
  ],
  refused: [
    [1, 'must be a text'],
    ['x'.repeat(2_000_001), '2,000,000'],
  ],
  cells: [['  ', null]],
  filters: textFilters,
  badFilters: badTextFilters,
};

const email: Sample = {
  field: testField('EMAIL'),
  values: [
    nothing,
    ...['Anna@acme.com', 'anna@acme.com', 'a_b@x.test', '100%@x.test', 'zoe@ÄÖ.test'].map(plain),
    { ...plain('bob@globex.test'), written: ' bob@globex.test ' },
    { ...plain('eva@globex.test'), written: 'mailto:eva@globex.test' },
    { ...plain('ida@globex.test'), written: 'MAILTO:ida@globex.test?subject=Hello there' },
    { ...plain('Tim@globex.test'), written: '< Tim@globex.test >' },
  ],
  refused: [
    [1, 'must be a text'],
    ['', 'e-mail address'],
    ['anna', 'e-mail address'],
    ['a b@c.d', 'e-mail address'],
    ['mailto:', 'e-mail address'],
    ['<anna>', 'e-mail address'],
    [`${'a'.repeat(320)}@b.c`, 'e-mail address'],
    [['a@b.c'], 'must be a text'],
  ],
  cells: [[' a@b.c ', 'a@b.c']],
  filters: textFilters,
  badFilters: badTextFilters,
};

const url: Sample = {
  field: testField('URL'),
  values: [
    nothing,
    ...['acme.com', 'https://Acme.com/a?b=%20c', 'mailto:anna@acme.com', 'ÄÖ.de/annA', '100%'].map(plain),
  ],
  refused: [
    [1, 'must be a text'],
    ['', 'web address'],
    ['a b', 'web address'],
    ['java\tscript:alert(1)', 'web address'],
    ['javascript:alert(1)', 'runs code'],
    [' JavaScript:alert(1)', 'runs code'],
    ['data:text/html,x', 'runs code'],
    ['vbscript:x', 'runs code'],
    [`a.com/${'x'.repeat(2_048)}`, '2,048'],
  ],
  cells: [[' acme.com ', 'acme.com']],
  filters: textFilters,
  badFilters: badTextFilters,
};

function place(parts: Record<string, string>, formatted: string): SampleValue {
  const keys = ['city', 'state', 'street', 'country', 'street2', 'formatted', 'postal_code'];
  const all: Record<string, string> = { ...parts, formatted };
  const read = JSON.stringify(Object.fromEntries(keys.map((key) => [key, all[key] ?? null])));
  return { written: parts, read, cell: formatted, lossy: true };
}

const address: Sample = {
  field: testField('ADDRESS'),
  values: [
    nothing,
    { written: {}, read: 'null', cell: '' },
    { ...place({}, 'Anna'), written: 'Anna' },
    place(
      {
        street: 'Main St 1',
        street2: 'Floor 2',
        city: 'Springfield',
        state: 'IL',
        postal_code: '62701',
        country: 'US',
      },
      'Main St 1, Floor 2, Springfield, IL 62701, US',
    ),
    place({ city: 'Berlin', postal_code: '10115', country: 'DE' }, 'Berlin, 10115, DE'),
    place({ city: 'ÄÖ', formatted: 'anna 100% a_b' }, 'anna 100% a_b'),
  ],
  refused: [
    [7, 'must be an object'],
    [{ town: 'Berlin' }, 'unknown key "town"'],
    [{ city: 5 }, 'text or null as city'],
    [{ city: 'x'.repeat(1_001) }, '1000'],
  ],
  cells: [
    ['Main St 1, Berlin', 'Main St 1, Berlin'],
    ['{"city":"Berlin"}', { city: 'Berlin' }],
    ['{not json', '{not json'],
  ],
  filters: textFilters,
  badFilters: badTextFilters,
};

export const textSamples: readonly Sample[] = [text, longText, richText, email, url, address];
