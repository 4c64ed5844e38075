/** HubSpot: contacts, companies and deals, in English, German, French and Spanish. */
import { columnsOf, hasAll, hasSome, type IdField, type Source } from './source.ts';

const ids = ['record id', 'datensatz-id', "id de l'enregistrement", 'id de registro'] as const;
const left =
  'Create Date | Erstellungsdatum | Last Activity Date | Last Modified Date | Marketing contact status | Lead Status | Lifecycle Stage | Associated Contact | Associated Deal IDs | Number of times contacted | Lead-Status | Lifecycle-Phase';

const idColumns = ids.join(' | ');
const ofCompany = 'Associated Company IDs (Primary) | Primary Associated Company ID | Associated Company IDs';

const ofContacts = columnsOf(`
hubspot_id = ${idColumns}
company_id.hubspot_id = ${ofCompany}
first_name = First Name | Vorname | Prénom | Nombre
last_name = Last Name | Nachname | Nom de famille | Apellidos
emails = Email | E-Mail | E-mail | Correo
phones:work = Phone Number | Telefonnummer | Numéro de téléphone | Número de teléfono
phones:mobile = Mobile Phone Number | Mobiltelefonnummer
company_id = Associated Company | Company Name | Zugeordnetes Unternehmen | Unternehmensname | Entreprise associée | Empresa asociada | Associated Company (Primary)
job_title = Job Title | Jobbezeichnung | Intitulé du poste | Cargo
owner = Contact owner | Zuständiger Mitarbeiter | Propriétaire du contact | Propietario del contacto
address.street = Street Address | Straße
address.city = City | Stadt | Ville | Ciudad
address.state = State/Region | Bundesland/Region
address.postal_code = Postal Code | Postleitzahl
address.country = Country/Region | Land/Region | Pays/Région | País/región
- = ${left} | Associated Contact IDs
`);

const ofCompanies = columnsOf(`
hubspot_id = ${idColumns}
name = Company name | Name | Unternehmensname | Nom de l'entreprise | Nombre de la empresa
domain = Company Domain Name | Unternehmens-Domainname | Website URL
owner = Company owner | Zuständiger Mitarbeiter für Unternehmen
phones:work = Phone Number | Telefonnummer
industry = Industry | Branche
employees = Number of Employees | Anzahl der Mitarbeiter
annual_revenue = Annual Revenue | Jahresumsatz
address.street = Street Address
address.city = City | Stadt
address.state = State/Region
address.postal_code = Postal Code
address.country = Country/Region | Land/Region
description = Description | Beschreibung
linkedin_url = LinkedIn Company Page
- = ${left} | ${ofCompany} | Associated Contact IDs
`);

const ofDeals = columnsOf(`
hubspot_id = ${idColumns}
company_id.hubspot_id = ${ofCompany}
contacts.hubspot_id = Associated Contact IDs
name = Deal Name | Deal-Name | Nom de la transaction | Nombre del negocio
pipeline = Deal Stage | Deal-Phase | Phase de la transaction | Etapa del negocio
amount = Amount | Betrag | Montant | Valor
amount.currency = Currency | Währung
close_date = Close Date | Abschlussdatum | Date de fermeture | Fecha de cierre
company_id = Associated Company | Associated Company (Primary)
owner = Deal owner | Zuständiger Mitarbeiter für Deal
probability = Deal probability
- = Pipeline | Deal Type | Weighted amount | Amount in company currency | ${left}
`);

/** The address in `Maria Lopez (maria@example.com)`. */
function ownerIn(text: string): string {
  if (/^no owner$|^kein/i.test(text.trim())) return '';
  return /\(([^()\s]+@[^()\s]+)\)\s*$/.exec(text)?.[1] ?? text;
}

const clean: Source['clean'] = (path, text) => {
  if (path === 'owner') return ownerIn(text);
  // A record here has one company, so take the first, which is HubSpot's primary one.
  return path === 'company_id.hubspot_id' ? (text.split(';')[0] ?? '') : text;
};

/** Of several companies, prefer the one that HubSpot calls primary. */
const prefers: Source['prefers'] = (column) => /primary/i.test(column);

const idField: IdField = { name: 'hubspot_id', label: 'HubSpot id' };

export const hubspot: readonly Source[] = [
  {
    name: 'hubspot_deals',
    label: 'HubSpot deals',
    object: 'opportunities',
    idField,
    prefers,
    recognises: (names) =>
      hasSome(names, ...ids) && hasSome(names, 'deal name', 'deal-name', 'nom de la transaction', 'nombre del negocio'),
    pathOf: (column) => ofDeals.get(column.toLowerCase()),
    makes: ['company_id'],
    clean,
  },
  {
    name: 'hubspot_contacts',
    label: 'HubSpot contacts',
    object: 'contacts',
    idField,
    prefers,
    recognises: (names) =>
      hasSome(names, ...ids) &&
      (hasAll(names, 'first name', 'email') ||
        hasAll(names, 'vorname', 'e-mail') ||
        hasAll(names, 'prénom', 'e-mail') ||
        hasAll(names, 'nombre', 'correo')),
    pathOf: (column) => ofContacts.get(column.toLowerCase()),
    makes: ['company_id'],
    clean,
  },
  {
    name: 'hubspot_companies',
    label: 'HubSpot companies',
    object: 'companies',
    idField,
    recognises: (names) =>
      hasSome(names, ...ids) &&
      hasSome(
        names,
        'company name',
        'unternehmensname',
        'company domain name',
        "nom de l'entreprise",
        'nombre de la empresa',
      ),
    pathOf: (column) => ofCompanies.get(column.toLowerCase()),
    clean,
  },
];
