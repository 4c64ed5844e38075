/** Words of the demo: what companies do, sell and say, and where they are. Telephone numbers are those set aside for fiction. */

export interface Region {
  readonly country: string;
  readonly currency: 'USD' | 'EUR';
  readonly language: 'en' | 'de' | 'fr';
  readonly cities: readonly City[];
}

export interface City {
  readonly city: string;
  readonly state?: string;
  readonly postal_code: string;
  /** `#` stands for a digit. */
  readonly phone: string;
}

export const regions: readonly Region[] = [
  {
    country: 'United States',
    currency: 'USD',
    language: 'en',
    cities: [
      { city: 'San Francisco', state: 'CA', postal_code: '94107', phone: '+1 415 555 01##' },
      { city: 'New York', state: 'NY', postal_code: '10013', phone: '+1 212 555 01##' },
      { city: 'Chicago', state: 'IL', postal_code: '60607', phone: '+1 312 555 01##' },
      { city: 'Austin', state: 'TX', postal_code: '78701', phone: '+1 512 555 01##' },
      { city: 'Boston', state: 'MA', postal_code: '02110', phone: '+1 617 555 01##' },
    ],
  },
  {
    country: 'Germany',
    currency: 'EUR',
    language: 'de',
    cities: [
      { city: 'Berlin', postal_code: '10115', phone: '+49 30 23125 ###' },
      { city: 'Hamburg', postal_code: '20095', phone: '+49 40 66969 ###' },
      { city: 'München', postal_code: '80331', phone: '+49 89 99998 ###' },
    ],
  },
  {
    country: 'France',
    currency: 'EUR',
    language: 'fr',
    cities: [
      { city: 'Paris', postal_code: '75002', phone: '+33 1 99 00 ## ##' },
      { city: 'Lyon', postal_code: '69002', phone: '+33 4 65 71 ## ##' },
    ],
  },
];

/** Industry (one of the built-in options) and what such a company says of itself. */
export const trades: readonly (readonly [industry: string, description: string])[] = [
  ['software', 'Planning software for teams that work in shifts.'],
  ['software', 'Tools that keep product catalogues in order.'],
  ['technology', 'Sensors and dashboards for buildings.'],
  ['finance', 'Factoring and payment terms for small suppliers.'],
  ['healthcare', 'Clinics for occupational health in four cities.'],
  ['retail', 'Outdoor gear, online and in twelve shops.'],
  ['manufacturing', 'Precision parts for pumps and valves.'],
  ['manufacturing', 'Packaging machines for food producers.'],
  ['education', 'Evening courses for technicians.'],
  ['energy', 'Solar roofs for warehouses, planned and built.'],
  ['media', 'A weekly magazine and podcasts on local business.'],
  ['real_estate', 'Offices and workshops in former factories.'],
  ['consulting', 'Helps family firms through a change of generation.'],
  ['transportation', 'Same-day freight between regional hubs.'],
  ['telecommunications', 'Fibre lines for business parks.'],
  ['hospitality', 'Nine hotels near trade fairs.'],
  ['construction', 'Timber buildings up to eight floors.'],
  ['agriculture', 'Seeds and advice for organic growers.'],
  ['nonprofit', 'Brings used computers to schools.'],
  ['marketing', 'Campaigns for makers of industrial goods.'],
];

export const jobTitles: readonly string[] = [
  'Chief Executive Officer',
  'Chief Financial Officer',
  'Chief Technology Officer',
  'Managing Director',
  'Head of Sales',
  'Head of Operations',
  'Head of Procurement',
  'VP Marketing',
  'IT Manager',
  'Office Manager',
  'Purchasing Manager',
  'Product Manager',
  'Project Manager',
  'Marketing Specialist',
  'Operations Analyst',
  'Finance Analyst',
  'Customer Success Manager',
  'Plant Manager',
  'Software Engineer',
  'Executive Assistant',
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

/** Steps of the pipeline `Sales`, with how likely a deal is there and how many of twelve stand there. */
export const stages: readonly { readonly name: string; readonly probability: number; readonly weight: number }[] = [
  { name: 'Lead', probability: 10, weight: 3 },
  { name: 'Qualified', probability: 25, weight: 2 },
  { name: 'Proposal', probability: 50, weight: 2 },
  { name: 'Negotiation', probability: 75, weight: 1 },
  { name: 'Won', probability: 100, weight: 2 },
  { name: 'Lost', probability: 0, weight: 2 },
];
