/**
 * Pipedrive: people, organizations and deals, whose columns are prefixed with their kind, in English, German, French
 * and Spanish.
 */
import { columnsOf, hasSome, type Source } from './source.ts';

const ofPeople = columnsOf(`
pipedrive_id = Person - ID | Kontaktperson - ID | Personne - ID | Persona - ID
company_id.pipedrive_id = Person - Organization ID | Organization - ID | Organisation - ID | Organización - ID
full_name = Person - Name | Kontaktperson - Name | Personne - Nom | Persona - Nombre
first_name = Person - First name | Kontaktperson - Vorname | Personne - Prénom
last_name = Person - Last name | Kontaktperson - Nachname | Personne - Nom de famille
emails:work = Person - Email - Work | Kontaktperson - E-Mail-Adresse - Geschäftlich | Personne - E-mail - Travail | Persona - Correo electrónico - Trabajo
emails:home = Person - Email - Home | Kontaktperson - E-Mail-Adresse - Privat
emails:other = Person - Email - Other | Kontaktperson - E-Mail-Adresse - Sonstige
emails = Person - Email | Kontaktperson - E-Mail-Adresse
phones:work = Person - Phone - Work | Kontaktperson - Telefon - Geschäftlich | Personne - Téléphone - Travail | Persona - Teléfono - Trabajo
phones:home = Person - Phone - Home | Kontaktperson - Telefon - Privat
phones:mobile = Person - Phone - Mobile | Kontaktperson - Telefon - Mobil
phones:other = Person - Phone - Other | Kontaktperson - Telefon - Sonstige
phones = Person - Phone | Kontaktperson - Telefon
company_id = Person - Organization | Kontaktperson - Organisation | Personne - Organisation | Persona - Organización
job_title = Person - Job title | Kontaktperson - Jobtitel
owner = Person - Owner | Kontaktperson - Besitzer
tags = Person - Labels | Person - Label
`);

const ofOrganizations = columnsOf(`
pipedrive_id = Organization - ID | Organisation - ID | Organización - ID
name = Organization - Name | Organisation - Name | Organisation - Nom | Organización - Nombre
address = Organization - Address | Organisation - Adresse
domain = Organization - Website | Organisation - Website
industry = Organization - Industry
employees = Organization - Employee count | Organization - Number of employees
annual_revenue = Organization - Annual revenue
linkedin_url = Organization - LinkedIn profile
owner = Organization - Owner | Organisation - Besitzer
`);

const ofDeals = columnsOf(`
pipedrive_id = Deal - ID | Affaire - ID | Trato - ID
company_id.pipedrive_id = Deal - Organization ID | Organization - ID | Organisation - ID | Organización - ID
contacts.pipedrive_id = Deal - Contact person ID | Deal - Person ID | Person - ID | Kontaktperson - ID | Personne - ID | Persona - ID
name = Deal - Title | Deal - Titel | Affaire - Titre | Trato - Título
amount = Deal - Value | Deal - Wert | Affaire - Valeur | Trato - Valor
amount.currency = Deal - Currency of Value | Deal - Währung des Werts | Deal - Währung von Wert
pipeline = Deal - Stage | Deal - Phase | Affaire - Étape | Trato - Etapa
company_id = Deal - Organization | Deal - Organisation | Affaire - Organisation | Trato - Organización
contacts = Deal - Contact person | Deal - Kontaktperson
close_date = Deal - Expected close date | Deal - Erwartetes Abschlussdatum
probability = Deal - Probability | Deal - Wahrscheinlichkeit
owner = Deal - Owner | Deal - Besitzer
`);

const leavesOut: NonNullable<Source['leavesOut']> = (cell) =>
  /^(?:deleted|gelöscht)$/i.test(cell('deal - status')) ? 'it is deleted in Pipedrive' : undefined;

/** Columns with the program's prefix that no table names are ignored. */
function source(what: string, object: string, columns: ReadonlyMap<string, string>, prefix: RegExp): Source {
  const first = [...columns].flatMap(([column, path]) => (path === 'name' || path === 'full_name' ? [column] : []));
  return {
    name: `pipedrive_${what}`,
    label: `Pipedrive ${what}`,
    object,
    recognises: (names) =>
      hasSome(names, ...first) && [...names].filter((name) => prefix.test(name)).length >= names.size / 2,
    pathOf: (column) => columns.get(column.toLowerCase()) ?? (prefix.test(column) ? '-' : undefined),
    ...(object !== 'companies' && { makes: ['company_id'] }),
    leavesOut,
    idField: { name: 'pipedrive_id', label: 'Pipedrive id' },
  };
}

export const pipedrive: readonly Source[] = [
  source('deals', 'opportunities', ofDeals, /^(?:deal|affaire|trato) - /i),
  source('people', 'contacts', ofPeople, /^(?:person|kontaktperson|personne|persona) - /i),
  source('organizations', 'companies', ofOrganizations, /^(?:organi[sz]ation|organización) - /i),
];
