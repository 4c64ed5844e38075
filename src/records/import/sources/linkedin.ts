/** LinkedIn: the connections of an account, in the languages of its columns. */
import { columnsOf, hasSome, type Source } from './source.ts';

const columns = columnsOf(`
first_name = First Name | Vorname | Prénom | Nombre | Nome
last_name = Last Name | Nachname | Nom de famille | Nom | Apellidos | Cognome
linkedin_url = URL | Profile URL
emails = Email Address | E-Mail-Adresse | Adresse e-mail | Dirección de correo electrónico | Indirizzo e-mail
company_id = Company | Unternehmen | Entreprise | Empresa | Azienda
job_title = Position | Poste | Cargo | Posizione | Qualifica
- = Connected On | Verbunden am | Connecté le | En contacto desde | Collegato il
`);

export const linkedin: Source = {
  name: 'linkedin',
  label: 'LinkedIn connections',
  object: 'contacts',
  recognises: (names) =>
    hasSome(names, 'connected on', 'verbunden am', 'connecté le', 'en contacto desde', 'collegato il') &&
    hasSome(names, 'first name', 'vorname', 'prénom', 'nombre', 'nome'),
  pathOf: (column) => columns.get(column.toLowerCase()),
  makes: ['company_id'],
};
