/** The rows of the benchmark: row number n is the same in every run. */
const firstNames = (
  'Ada Alan Alba Amir Anna Anton Astrid Bea Ben Boris Carla Chen Clara Dana David Diego Dina Edith Elena Emil Emma Eva ' +
  'Farid Felix Fiona Freya Grace Hana Hugo Ida Ines Isaac Jana Jonas Judith Kai Katja Kenji Lars Laura Leon Lina Lucy Marc Maria Max ' +
  'Mei Mila Nadia Nina Nora Olga Oscar Paul Petra Pia Priya Rita Rosa Ruth Sami Sara Sofia Sven Tara Theo Tina Uma Vera Yusuf Zoe'
).split(' ');
const stems =
  'Alder Ander Berg Black Carl Clark Dahl Eber Fern Fisch Gold Gran Hart Jack John Klein Lang Lind Mart Ols Peter Rob Sand Stein Win'.split(
    ' ',
  );
const tails = 'son sen man ski ova berg ton ley dt sson feld ini'.split(' ');
const titles = (
  'CEO;CTO;CFO;VP Sales;VP Marketing;Head of IT;Sales Manager;Account Executive;Product Manager;Office Manager;Engineer;' +
  'Senior Engineer;Data Analyst;Designer;Architect;Consultant;Buyer;Controller;Accountant;Legal Counsel;Recruiter;Technician;Founder;Partner'
).split(';');
const industries = 'software finance retail energy media education construction consulting'.split(' ');
const trades =
  'Analytics Bank Capital Dynamics Energy Foods Freight Group Holdings Labs Logistics Media Partners Robotics Software Studio'.split(
    ' ',
  );
const tags = 'customer prospect partner supplier press newsletter'.split(' ');

/** A whole number below `count`, always the same for the same `row` and `use`. */
function chance(row: number, use: number, count: number): number {
  let hash = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(use + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return ((hash ^ (hash >>> 15)) >>> 0) % count;
}

function pick(row: number, use: number, items: readonly string[]): string {
  return items[chance(row, use, items.length)] ?? '';
}

export function company(row: number): object {
  return {
    name: `${pick(row, 1, stems)} ${pick(row, 2, trades)} ${row}`,
    domain: `c${row}.example.com`,
    industry: pick(row, 3, industries),
    employees: 1 + chance(row, 4, 10_000),
  };
}

/** A contact of one of `companies`; nine of ten have one. */
export function contact(row: number, companies: readonly string[]) {
  const [first, last] = [pick(row, 1, firstNames), pick(row, 2, stems) + pick(row, 3, tails)];
  return {
    first_name: first,
    last_name: last,
    emails: [{ email: emailOf(row), label: 'work', is_primary: true }],
    phones: [{ phone: `+49${String(100_000_000 + chance(row, 4, 900_000_000))}`, label: 'work', is_primary: true }],
    job_title: pick(row, 5, titles),
    company_id: chance(row, 6, 10) === 0 ? null : pick(row, 7, companies),
    tags: tags.filter((_, index) => chance(row, 10 + index, 7) === 0),
    do_not_contact: chance(row, 8, 20) === 0,
  };
}

export function emailOf(row: number): string {
  return `${pick(row, 1, firstNames)}.${pick(row, 2, stems)}${row}@mail.example`.toLowerCase();
}

/** What the request number `row` filters and searches by. */
export function questions(row: number) {
  return { title: pick(row, 21, titles), part: pick(row, 22, tails), word: pick(row, 23, stems).toLowerCase() };
}

/** A message to the n-th contact of `contacts`, as a line of `kith ingest`. */
export function messageLine(n: number, contacts: number): object {
  return {
    kind: 'interaction',
    user: 'ada@kith.test',
    channel: 'email',
    external_thread_id: `t-${n >> 2}`,
    external_id: `m-${n}`,
    subject: `Subject ${n >> 2}`,
    direction: n % 2 === 0 ? 'outbound' : 'inbound',
    date: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    from: 'ada@kith.test',
    to: [emailOf((n * 7_919) % contacts)],
    content_text: `Thank you for the talk about offer ${n}. Could we meet again in the week after next? Best regards`,
  };
}
