/** Words of the demo: industries, offers, sentences and places. Phone numbers are reserved for fiction. */
import type { Language } from './demo-chance.ts';

export interface Region {
  readonly country: string;
  readonly currency: 'USD' | 'EUR' | 'GBP';
  readonly language: Language;
  /** The percentage of companies. */
  readonly weight: number;
  readonly cities: readonly City[];
  /** `#` stands for a digit. */
  readonly mobiles: readonly string[];
}

export interface City {
  readonly city: string;
  readonly state?: string;
  readonly postal_code: string;
  /** `#` stands for a digit. */
  readonly phone: string;
}

const areaCodes = [201, 206, 214, 303, 305, 313, 323, 404, 408, 503, 512, 602, 612, 617, 646, 702, 713, 718, 773, 917];

export const regions: readonly Region[] = [
  {
    country: 'United States',
    currency: 'USD',
    language: 'en',
    weight: 42,
    cities: [
      { city: 'San Francisco', state: 'CA', postal_code: '94107', phone: '+1 415 555 01##' },
      { city: 'New York', state: 'NY', postal_code: '10013', phone: '+1 212 555 01##' },
      { city: 'Chicago', state: 'IL', postal_code: '60607', phone: '+1 312 555 01##' },
      { city: 'Austin', state: 'TX', postal_code: '78701', phone: '+1 737 555 01##' },
      { city: 'Boston', state: 'MA', postal_code: '02110', phone: '+1 857 555 01##' },
      { city: 'Denver', state: 'CO', postal_code: '80202', phone: '+1 720 555 01##' },
      { city: 'Seattle', state: 'WA', postal_code: '98101', phone: '+1 425 555 01##' },
      { city: 'Atlanta', state: 'GA', postal_code: '30303', phone: '+1 470 555 01##' },
    ],
    mobiles: areaCodes.map((code) => `+1 ${code} 555 01##`),
  },
  {
    country: 'Germany',
    currency: 'EUR',
    language: 'de',
    weight: 24,
    cities: [
      { city: 'Berlin', postal_code: '10115', phone: '+49 30 23125 ###' },
      { city: 'Hamburg', postal_code: '20095', phone: '+49 40 66969 ###' },
      { city: 'München', postal_code: '80331', phone: '+49 89 99998 ###' },
      { city: 'Köln', postal_code: '50667', phone: '+49 221 4710 ###' },
      { city: 'Frankfurt am Main', postal_code: '60311', phone: '+49 69 90009 ###' },
    ],
    mobiles: ['+49 171 39200 ##', '+49 176 040690 ##', '+49 174 90910 ##'],
  },
  {
    country: 'United Kingdom',
    currency: 'GBP',
    language: 'en',
    weight: 18,
    cities: [
      { city: 'London', postal_code: 'EC2A 4NE', phone: '+44 20 7946 0###' },
      { city: 'Manchester', postal_code: 'M1 1AE', phone: '+44 161 496 0###' },
      { city: 'Edinburgh', postal_code: 'EH1 1YZ', phone: '+44 131 496 0###' },
      { city: 'Bristol', postal_code: 'BS1 4DJ', phone: '+44 117 496 0###' },
    ],
    mobiles: ['+44 7700 900###'],
  },
  {
    country: 'France',
    currency: 'EUR',
    language: 'fr',
    weight: 16,
    cities: [
      { city: 'Paris', postal_code: '75002', phone: '+33 1 99 00 ## ##' },
      { city: 'Lyon', postal_code: '69002', phone: '+33 4 65 71 ## ##' },
      { city: 'Nantes', postal_code: '44000', phone: '+33 2 61 91 ## ##' },
    ],
    mobiles: ['+33 6 39 98 ## ##'],
  },
];

/** Industries (built-in options) with their percentage of companies, and their offers. */
export const trades: readonly { readonly industry: string; readonly weight: number; readonly offers: string[] }[] = [
  { industry: 'software', weight: 17, offers: ['Planning software', 'Catalogue software', 'Payroll software'] },
  { industry: 'manufacturing', weight: 14, offers: ['Pumps and valves', 'Packaging machines', 'Precision parts'] },
  { industry: 'technology', weight: 9, offers: ['Sensors and dashboards', 'Access control', 'Private networks'] },
  { industry: 'retail', weight: 8, offers: ['Outdoor gear', 'Kitchenware', 'Work clothing'] },
  { industry: 'healthcare', weight: 7, offers: ['Occupational health', 'Dental laboratories', 'Mobile nursing'] },
  { industry: 'consulting', weight: 7, offers: ['Advice on succession', 'Audits of purchasing', 'Interim management'] },
  { industry: 'finance', weight: 6, offers: ['Factoring', 'Leasing of machines', 'Payment terms'] },
  { industry: 'construction', weight: 5, offers: ['Timber buildings', 'Conversions of factories', 'Scaffolding'] },
  { industry: 'transportation', weight: 5, offers: ['Same-day freight', 'Refrigerated transport', 'Bicycle couriers'] },
  { industry: 'education', weight: 4, offers: ['Evening courses', 'Language training', 'Safety instruction'] },
  { industry: 'energy', weight: 4, offers: ['Solar roofs', 'Heat pumps', 'Charging stations'] },
  { industry: 'media', weight: 3, offers: ['A weekly magazine', 'Podcasts and films', 'Trade newsletters'] },
  { industry: 'real_estate', weight: 3, offers: ['Offices and workshops', 'Storage space', 'Facility management'] },
  { industry: 'hospitality', weight: 2, offers: ['Hotels near trade fairs', 'Catering', 'Conference rooms'] },
  { industry: 'telecommunications', weight: 2, offers: ['Fibre lines', 'Telephone exchanges', 'Radio links'] },
  { industry: 'agriculture', weight: 1, offers: ['Seeds and advice', 'Irrigation', 'Barn equipment'] },
  { industry: 'marketing', weight: 1, offers: ['Campaigns', 'Trade fair stands', 'Product photography'] },
  { industry: 'nonprofit', weight: 1, offers: ['Used computers', 'Mentoring', 'Repair workshops'] },
];

export const customers: readonly string[] = [
  'family firms',
  'teams that work in shifts',
  'food producers',
  'small suppliers',
  'schools and universities',
  'hospitals',
  'city administrations',
  'hotels and restaurants',
  'builders',
  'online shops',
  'makers of machines',
  'business parks',
];

/** Job titles, each with the percentage of people who have it. */
export const jobTitles: readonly (readonly [title: string, weight: number])[] = [
  ['Managing Director', 7],
  ['Chief Executive Officer', 5],
  ['Chief Financial Officer', 4],
  ['Chief Technology Officer', 3],
  ['Head of Sales', 5],
  ['Head of Operations', 6],
  ['Head of Procurement', 5],
  ['VP Marketing', 3],
  ['IT Manager', 9],
  ['Office Manager', 8],
  ['Purchasing Manager', 9],
  ['Product Manager', 7],
  ['Project Manager', 8],
  ['Marketing Specialist', 5],
  ['Operations Analyst', 4],
  ['Finance Analyst', 4],
  ['Customer Success Manager', 3],
  ['Plant Manager', 3],
  ['Software Engineer', 6],
  ['Executive Assistant', 4],
];

export const tags: readonly (readonly [tag: string, weight: number])[] = [
  ['newsletter', 40],
  ['prospect', 25],
  ['customer', 20],
  ['decision_maker', 15],
  ['former_customer', 6],
  ['partner', 5],
  ['supplier', 4],
  ['vip', 3],
  ['press', 1],
];

export const sources: readonly (readonly [source: string, weight: number])[] = [
  ['inbound', 26],
  ['outbound', 18],
  ['referral', 17],
  ['website', 14],
  ['event', 9],
  ['partner', 7],
  ['email_campaign', 5],
  ['cold_call', 3],
  ['social_media', 1],
];

export const deals: readonly string[] = [
  'Annual licence',
  'Pilot project',
  'Renewal',
  'Expansion to all sites',
  'Support contract',
  'Onboarding package',
  'Training for the team',
  'Migration project',
  'Framework agreement',
  'Second location',
];

export const dealRoles: readonly string[] = ['Decision maker', 'Champion', 'Technical contact', 'Procurement', 'User'];

/** Steps of the pipeline `Sales`: the chance of winning, the number of deals, and the range of closing days from today. */
export const stages: readonly {
  readonly name: string;
  readonly probability: number;
  readonly count: number;
  readonly closes: readonly [from: number, to: number];
}[] = [
  { name: 'Lead', probability: 10, count: 112, closes: [20, 182] },
  { name: 'Qualified', probability: 25, count: 92, closes: [10, 150] },
  { name: 'Proposal', probability: 50, count: 68, closes: [-12, 100] },
  { name: 'Negotiation', probability: 75, count: 46, closes: [-15, 60] },
  { name: 'Won', probability: 100, count: 130, closes: [-515, -1] },
  { name: 'Lost', probability: 0, count: 152, closes: [-515, -1] },
];

/** Plans: the monthly price of a seat, the usual number of seats, and the percentage of subscriptions. */
export const plans: readonly {
  readonly plan: string;
  readonly label: string;
  readonly fee: number;
  readonly seats: number;
  readonly weight: number;
}[] = [
  { plan: 'starter', label: 'Starter plan', fee: 9, seats: 4, weight: 34 },
  { plan: 'team', label: 'Team plan', fee: 19, seats: 14, weight: 38 },
  { plan: 'business', label: 'Business plan', fee: 29, seats: 45, weight: 20 },
  { plan: 'enterprise', label: 'Enterprise plan', fee: 39, seats: 180, weight: 8 },
];

/** Steps of the pipeline `Subscriptions`: the chance of renewal, and the percentage of subscriptions. */
export const phases: readonly { readonly name: string; readonly chance: number; readonly weight: number }[] = [
  { name: 'Trial', chance: 35, weight: 10 },
  { name: 'Onboarding', chance: 80, weight: 10 },
  { name: 'Active', chance: 90, weight: 42 },
  { name: 'At risk', chance: 40, weight: 8 },
  { name: 'Renewed', chance: 95, weight: 18 },
  { name: 'Cancelled', chance: 0, weight: 12 },
];

export const memberRoles: readonly string[] = ['Administrator', 'Billing', 'Sponsor', 'User'];
