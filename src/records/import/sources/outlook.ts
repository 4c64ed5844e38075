/** Outlook: contacts as CSV, in English, German, French, Spanish and Italian. */
import { columnsOf, hasSome, type Source } from './source.ts';

const columns = columnsOf(`
first_name = First Name | Vorname | Prénom | Nombre | Nome
first_name = Middle Name | Weitere Vornamen | Deuxième prénom | Segundo nombre | Secondo nome
last_name = Last Name | Nachname | Nom | Apellidos | Cognome
company_id = Company | Firma | Société | Organización | Società
job_title = Job Title | Position | Fonction | Titre | Puesto | Posizione
address.street = Business Street | Straße geschäftlich | Rue (bureau) | Calle del trabajo | Via (uff.)
address.city = Business City | Ort geschäftlich | Ville (bureau) | Ciudad de trabajo | Città (uff.)
address.state = Business State | Region geschäftlich | Dép/Région (bureau) | Provincia o estado de trabajo | Provincia (uff.)
address.postal_code = Business Postal Code | Postleitzahl geschäftlich | Code postal (bureau) | Código postal del trabajo | CAP (uff.)
address.country = Business Country/Region | Business Country | Land/Region geschäftlich | Pays/Région (bureau) | País o región del trabajo | Paese (uff.)
phones:work = Business Phone | Telefon geschäftlich | Téléphone (bureau) | Teléfono del trabajo | Ufficio
phones:work = Business Phone 2 | Telefon geschäftlich 2 | Téléphone 2 (bureau) | Teléfono del trabajo 2 | Ufficio 2
phones:work = Company Main Phone | Telefon Firma | Téléphone société | Primary Phone
phones:mobile = Mobile Phone | Mobiltelefon | Tél. mobile | Móvil | Cellulare
phones:home = Home Phone | Telefon privat | Téléphone (domicile) | Particular | Abitazione
phones:home = Home Phone 2 | Telefon privat 2
phones:fax = Business Fax | Fax geschäftlich | Télécopie (bureau) | Fax del trabajo | Fax (uff.)
phones:other = Other Phone | Weiteres Telefon | Autre téléphone
birthday = Birthday | Geburtstag | Anniversaire | Cumpleaños | Compleanno
tags = Categories | Kategorien | Catégories | Categorías | Categorie
emails = E-mail Address | E-Mail-Adresse | Adresse de messagerie | Dirección de correo electrónico | Indirizzo posta elettronica
emails:other = E-mail 2 Address | E-Mail 2: Adresse | Adresse de messagerie 2 | Dirección del correo electrónico 2 | Indirizzo posta elettronica 2
emails:other = E-mail 3 Address | E-Mail 3: Adresse | Adresse de messagerie 3 | Dirección del correo electrónico 3 | Indirizzo posta elettronica 3
- = Title | Anrede | Suffix | Department | Abteilung | E-mail Type | E-Mail-Typ | E-mail Display Name | E-Mail: Angezeigter Name | E-mail 2 Type | E-mail 2 Display Name | E-mail 3 Type | E-mail 3 Display Name | Web Page | Webseite | Notes | Notizen | Anniversary | Jahrestag | Gender | Geschlecht | Initials | Initialen
`);

export const outlook: Source = {
  name: 'outlook',
  label: 'Outlook',
  object: 'contacts',
  recognises: (names) =>
    hasSome(
      names,
      'e-mail address',
      'e-mail-adresse',
      'adresse de messagerie',
      'dirección de correo electrónico',
      'indirizzo posta elettronica',
    ) &&
    hasSome(
      names,
      'business phone',
      'telefon geschäftlich',
      'téléphone (bureau)',
      'teléfono del trabajo',
      'ufficio',
      'business street',
    ),
  pathOf: (column) => columns.get(column.toLowerCase()),
  makes: ['company_id'],
  clean: (path, text) => (path === 'birthday' && /^0{1,4}[./-]0{1,2}[./-]0{1,4}$/.test(text.trim()) ? '' : text),
};
