import { describe, expect, it } from 'vitest';
import type { FieldDef } from '../../src/fields/field-def.ts';
import { findHeader, mapColumns } from '../../src/records/csv/columns.ts';

const fields = new Map(
  [
    ['first_name', 'First name'],
    ['emails', 'Emails'],
    ['phones', 'Phones'],
    ['company_id', 'Company'],
    ['job_title', 'Job title'],
    ['linkedin_url', 'LinkedIn'],
    ['owner', 'Owner'],
    ['strasse', 'Straße & Nr.'],
  ].map(([name = '', label = '']) => [name, field(name, label)]),
);

function field(name: string, label: string): FieldDef {
  return {
    id: name,
    name,
    label,
    type: 'TEXT',
    isRequired: false,
    isReadonly: false,
    isSearchable: false,
    isHidden: false,
    isUnique: false,
    defaultValue: null,
    options: null,
  };
}

function mapped(headers: readonly string[], chosen: Record<string, string> = {}) {
  return mapColumns(headers, fields, new Map(Object.entries(chosen)));
}

describe('mapColumns', () => {
  const known: [header: string, field: string][] = [
    ['first_name', 'first_name'],
    [' first_name ', 'first_name'],
    ['First Name', 'first_name'],
    ['FIRSTNAME', 'first_name'],
    ['E-mail', 'emails'],
    ['email', 'emails'],
    ['Email Address', 'emails'],
    ['phone', 'phones'],
    ['Phone Number', 'phones'],
    ['company', 'company_id'],
    ['Company Name', 'company_id'],
    ['Position', 'job_title'],
    ['Owner', 'owner'],
    ['linkedin', 'linkedin_url'],
    ['Strasse', 'strasse'],
    ['straße & nr', 'strasse'],
  ];
  for (const [header, name] of known) {
    it(`takes ${JSON.stringify(header)} for ${name}`, () =>
      expect(mapped([header])).toEqual({ fields: [name], ignored: [] }));
  }

  it('ignores and names what means no field', () => {
    expect(mapped(['first_name', 'Shoe size', '', 'created_at'])).toEqual({
      fields: ['first_name', null, null, null],
      ignored: ['Shoe size', 'column 3', 'created_at'],
    });
  });

  it('takes the exact name before a similar one, wherever it stands', () => {
    expect(mapped(['Email', 'emails']).fields).toEqual([null, 'emails']);
  });

  it('takes the first of two columns of one name, and tells the other by its place', () => {
    expect(mapped(['email', 'email'])).toEqual({ fields: ['emails', null], ignored: ['email (column 2)'] });
  });

  it('lets a choice win over what the names say', () => {
    expect(mapped(['Email', 'Login'], { Login: 'emails' }).fields).toEqual([null, 'emails']);
    expect(mapped(['Email', 'Owner'], { Owner: '' })).toEqual({ fields: ['emails', null], ignored: ['Owner'] });
  });

  const refused: [chosen: Record<string, string>, message: string][] = [
    [{ Emal: 'emails' }, 'no column "Emal" (did you mean "Email"?)'],
    [{ Email: 'emials' }, '(did you mean "emails"?)'],
    [{ Email: 'emails', Login: 'emails' }, 'Two columns are mapped to emails'],
  ];
  for (const [chosen, message] of refused) {
    it(`refuses ${JSON.stringify(chosen)}`, () => expect(() => mapped(['Email', 'Login'], chosen)).toThrow(message));
  }

  it('takes names of an object’s own machinery for ordinary ones', () => {
    expect(mapped(['__proto__', 'constructor', 'toString']).fields).toEqual([null, null, null]);
  });
});

describe('findHeader', () => {
  const preamble = [['Notes:'], ['Exported on Monday', ''], ['First Name', 'Job'], ['Ada', 'owner']];
  it('passes over notes above the header', () => expect(findHeader(preamble, fields, new Map())).toBe(2));
  it('goes by the chosen columns', () => expect(findHeader(preamble, fields, new Map([['owner', 'owner']]))).toBe(3));
  it('is the first row where nothing fits', () => expect(findHeader([['x'], ['y']], fields, new Map())).toBe(0));
});
