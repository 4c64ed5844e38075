/** Known column names in exports of programs, in several languages, and their meanings. */

/** A meaning, independent of the object's field names. */
export type Concept =
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'full_name'
  | 'email'
  | 'phone'
  | 'mobile'
  | 'home_phone'
  | 'company'
  | 'job_title'
  | 'street'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'country'
  | 'address'
  | 'birthday'
  | 'website'
  | 'linkedin'
  | 'description'
  | 'tags'
  | 'owner'
  | 'company_name'
  | 'industry'
  | 'employees'
  | 'revenue'
  | 'deal_name'
  | 'amount'
  | 'currency'
  | 'close_date'
  | 'stage'
  | 'probability'
  | 'source'
  | 'contact';

/** Names in the form of `compact`. */
const names: Readonly<Record<Concept, string>> = {
  first_name: 'firstname first givenname forename vorname prenom nombre nome voornaam fornavn fname imię имя 名',
  middle_name: 'middlename zweitername deuxiemeprenom segundonombre additionalname',
  last_name:
    'lastname last surname familyname nachname familienname nomdefamille apellido apellidos cognome sobrenome achternaam efternavn lname nazwisko фамилия 姓',
  full_name:
    'fullname contactname personname vollername nomcomplet nombrecompleto nomecompleto displayname anzeigename 氏名',
  email:
    'email mail emailaddress emailadresse emailadres mailadresse adresseemail adressemail adressedemessagerie courriel correo correoelectronico email1 primaryemail workemail businessemail posta postaelettronica personemail',
  phone:
    'phone phonenumber telephone telefon telefonnummer telephonenumber telefono telefone telefoon tel workphone businessphone officephone telefongeschaftlich telephonebureau telprofessionnel primaryphone phoneno',
  mobile:
    'mobile mobilephone mobilephonenumber cell cellphone handy mobil mobiltelefon telmobile portable movil celular mobiel cellulare telephonemobile',
  home_phone: 'homephone privatephone telefonprivat teldomicile telefonoparticular',
  company:
    'company companyname organization organisation organizationname account accountname employer firma unternehmen arbeitgeber societe entreprise empresa azienda societa bedrijf associatedcompany 会社',
  job_title:
    'jobtitle title position role job designation berufsbezeichnung jobtitel funktion poste fonction cargo puesto qualifica functie titel occupation',
  street:
    'street streetaddress address1 addressline1 strasse straße rue calle via rua straat businessstreet mailingstreet billingstreet homestreet',
  city: 'city town ort stadt ville ciudad citta cidade plaats suburb businesscity mailingcity billingcity locality',
  state:
    'state province region stateregion bundesland etat provincia estado provincie businessstate billingstate mailingstate stateprovince',
  postal_code:
    'postalcode zip zipcode postcode plz postleitzahl codepostal codigopostal cap cep businesspostalcode billingpostalcode mailingpostalcode zippostalcode',
  country:
    'country countryregion land pays pais paese businesscountryregion businesscountry billingcountry mailingcountry nation',
  address:
    'address adresse direccion indirizzo endereco adres location headquarters headquarterslocation officelocation fulladdress postaladdress',
  birthday:
    'birthday birthdate dateofbirth geburtstag geburtsdatum anniversaire datedenaissance cumpleanos compleanno dob fechadenacimiento verjaardag',
  website:
    'website web webpage url homepage webseite webadresse siteweb sitioweb sitoweb companydomainname websiteurl domain domainname',
  linkedin: 'linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinbio',
  description:
    'description notes note about comments comment beschreibung notizen bemerkungen remarques descripcion descrizione',
  tags: 'tags labels categories category kategorien etiquetas etiquettes libelles label',
  owner:
    'owner contactowner companyowner dealowner assignedto salesagent salesrep besitzer zustandig proprietaire propietario recordowner accountowner opportunityowner',
  company_name:
    'name company companyname organization organizationname account accountname firma unternehmen societe empresa azienda security businessname firmenname',
  industry: 'industry sector branche secteur industria settore gicssector industrysector',
  employees:
    'employees numberofemployees employeecount headcount mitarbeiter mitarbeiterzahl effectif empleados dipendenti noofemployees',
  revenue: 'revenue annualrevenue turnover umsatz jahresumsatz chiffredaffaires ingresosanuales fatturato',
  deal_name: 'name dealname opportunity opportunityname title deal subject titel geschaft nomdelatransaction',
  amount:
    'amount value dealvalue closevalue price total betrag wert montant importe valor valore amountincompanycurrency',
  currency: 'currency currencycode wahrung devise moneda valuta currencyisocode',
  close_date: 'closedate expectedclosedate closingdate abschlussdatum datedecloture fechadecierre closedon wondate',
  stage: 'stage dealstage stagename phase status pipelinestage etape etapa fase',
  probability: 'probability wahrscheinlichkeit probabilite probabilidad winprobability',
  source: 'source leadsource originalsource quelle herkunft origine fuente',
  contact: 'contact contactperson primarycontact associatedcontact ansprechpartner persona kontakt',
};

/** Ambiguous names, which are taken with less certainty. */
const loose: ReadonlySet<string> = new Set(
  'title name role region state location url status value total price description note notes label category source contact position job land via cap account subject security about domain deal opportunity mail web persona first last'.split(
    ' ',
  ),
);

/** The path for each meaning, by built-in object. */
const paths: Readonly<Record<string, Partial<Record<Concept, string>>>> = {
  contacts: {
    first_name: 'first_name',
    middle_name: 'first_name',
    last_name: 'last_name',
    full_name: 'full_name',
    email: 'emails',
    phone: 'phones',
    mobile: 'phones:mobile',
    home_phone: 'phones:home',
    company: 'company_id',
    job_title: 'job_title',
    street: 'address.street',
    city: 'address.city',
    state: 'address.state',
    postal_code: 'address.postal_code',
    country: 'address.country',
    address: 'address',
    birthday: 'birthday',
    linkedin: 'linkedin_url',
    tags: 'tags',
    owner: 'owner',
  },
  companies: {
    company_name: 'name',
    website: 'domain',
    industry: 'industry',
    employees: 'employees',
    revenue: 'annual_revenue',
    phone: 'phones',
    mobile: 'phones:mobile',
    linkedin: 'linkedin_url',
    street: 'address.street',
    city: 'address.city',
    state: 'address.state',
    postal_code: 'address.postal_code',
    country: 'address.country',
    address: 'address',
    description: 'description',
    owner: 'owner',
    currency: 'annual_revenue.currency',
  },
  opportunities: {
    deal_name: 'name',
    amount: 'amount',
    currency: 'amount.currency',
    close_date: 'close_date',
    stage: 'pipeline',
    probability: 'probability',
    source: 'source',
    company: 'company_id',
    contact: 'contacts',
    owner: 'owner',
  },
};

/** A path that a name may mean, and whether the name is unambiguous. */
export interface Meaning {
  readonly path: string;
  readonly isSure: boolean;
}

const byName = new Map<string, Concept[]>();
for (const [concept, text] of Object.entries(names) as [Concept, string][]) {
  for (const name of text.split(' ')) byName.set(name, [...(byName.get(name) ?? []), concept]);
}

/** The meaning of a column name for a built-in object. */
export function meaningOf(objectName: string, column: string): Meaning | undefined {
  const ofObject = paths[objectName];
  const name = compact(column);
  for (const concept of (ofObject && byName.get(name)) ?? []) {
    const path = ofObject?.[concept];
    if (path !== undefined) return { path, isSure: !loose.has(name) };
  }
  return undefined;
}

/** Whether it is a known column name. */
export function isKnownName(text: string): boolean {
  return byName.has(compact(text));
}

/** Removes case, accents, spaces and punctuation. */
export function compact(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
