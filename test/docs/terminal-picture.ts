/** A picture of what a terminal shows, colours and all, for a page. */

const styles: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim', 32: 'green', 36: 'cyan' };
const lineHeight = 20;
const charWidth = 8.45;
const margin = 20;
const bar = 36;

/** SVG of `shown`, in which ANSI codes set the styles; `title` is for those who can't see it. */
export function terminalPicture(title: string, shown: string): string {
  const lines = shown.trimEnd().split('\n');
  const longest = Math.max(...lines.map((line) => line.replaceAll(code, '').length));
  const width = Math.ceil(longest * charWidth) + 2 * margin;
  const height = bar + lines.length * lineHeight + margin;
  const dots = ['#f87171', '#fbbf24', '#34d399'].map(
    (color, at) => `  <circle cx="${margin + 6 + at * 20}" cy="18" r="6" fill="${color}" />`,
  );
  const texts = lines.flatMap((line, at) => {
    const y = bar + (at + 1) * lineHeight - 5;
    return line === '' ? [] : [`  <text x="${margin}" y="${y}">${spans(line)}</text>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">${escaped(title)}</title>
  <style>
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e2e8f0; white-space: pre; }
    .bold { font-weight: 700; fill: #ffffff; }
    .dim { fill: #94a3b8; }
    .green { fill: #4ade80; }
    .cyan { fill: #67e8f9; }
  </style>
  <rect width="${width}" height="${height}" rx="10" fill="#0f172a" />
${[...dots, ...texts].join('\n')}
</svg>
`;
}

// oxlint-disable-next-line eslint/no-control-regex -- what steers a terminal begins with one
const code = /\u001b\[(\d+)m/g;

function spans(line: string): string {
  const [first = '', ...rest] = line.split(code);
  let text = escaped(first);
  for (let at = 0; at < rest.length; at += 2) {
    const style = styles[rest[at] ?? ''];
    const part = escaped(rest[at + 1] ?? '');
    if (part !== '') text += style === undefined ? part : `<tspan class="${style}">${part}</tspan>`;
  }
  return text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
