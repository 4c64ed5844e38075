import type { Catalogue } from '../catalogue.ts';
import { plural } from '../plural.ts';

const count = plural('de');

export const home: Catalogue['home'] = {
  today: 'Heute',
  due: 'Fällig und überfällig',
  allTasks: 'Alle Aufgaben',
  nothingDue: 'Heute ist nichts fällig.',
  meetings: 'Termine heute',
  noMeetings: 'Heute keine Termine.',
  news: 'Was andere Ihnen sagten',
  noNews: 'Nichts Neues.',
  allNews: 'Alle Mitteilungen',
  yours: 'Ihre, zuletzt geändert',
  noneYours: 'Ihnen gehören noch keine Datensätze.',
  changed: (when) => `geändert ${when}`,
  counts: 'In diesem Arbeitsbereich',
  empty: 'Hier ist noch nichts. Importieren Sie, was Sie haben, oder erstellen Sie den ersten Datensatz.',
  nothingForRole: 'Hier ist noch nichts, was Ihre Rolle sieht.',
  importFirst: 'Importieren',
  createFirst: (what) => `Neu: ${what}`,
  moreTasks: (n) => count(n, { one: '1 weitere', other: `${n} weitere` }),
};

export const notifications: Catalogue['notifications'] = {
  unread: 'Neu',
  earlier: 'Früher',
  none: 'Noch hat Ihnen niemand etwas mitgeteilt.',
  list: 'Mitteilungen',
  next: 'Nächste Mitteilung',
  previous: 'Vorige Mitteilung',
  open: 'Öffnen',
  markRead: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  markAll: 'Alle als gelesen markieren',
  allMarked: (n) => count(n, { one: '1 als gelesen markiert', other: `${n} als gelesen markiert` }),
  gone: 'Es ist weg oder nicht für Ihre Rolle.',
  by: {
    task_assigned: (who, what) => `${who} hat Ihnen „${what}“ zugewiesen`,
    task_completed: (who, what) => `${who} hat „${what}“ erledigt`,
    mention_in_note: (who, what) => `${who} hat Sie in „${what}“ erwähnt`,
  },
};

export const calendar: Catalogue['calendar'] = {
  week: 'Woche',
  day: 'Tag',
  agenda: 'Agenda',
  shown: 'Was gezeigt wird',
  today: 'Heute',
  previous: 'Früher',
  next: 'Später',
  zone: (zone) => `Zeiten von ${zone}`,
  allDay: 'Ganztägig',
  private: 'Privater Termin',
  none: 'Keine Termine.',
  noCalendar: 'Kein Kalender ist verbunden.',
  connect: 'Kalender verbinden',
  cancelled: 'Abgesagt',
  tentative: 'Unter Vorbehalt',
  attendees: 'Teilnehmende',
  about: 'Zu',
  join: 'Am Termin teilnehmen',
  place: 'Ort',
  meeting: 'Termin',
  thread: 'Die Unterhaltung dazu',
  responses: {
    accepted: 'zugesagt',
    declined: 'abgesagt',
    tentative: 'vielleicht',
    needs_action: 'noch keine Antwort',
  },
};
