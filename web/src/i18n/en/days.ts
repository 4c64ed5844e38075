import { plural } from '../plural.ts';

const count = plural('en');

/** Home. */
export const home = {
  today: 'Today',
  due: 'Due and overdue',
  allTasks: 'All tasks',
  nothingDue: 'Nothing due today.',
  meetings: 'Meetings today',
  noMeetings: 'No meetings today.',
  news: 'What others told you',
  noNews: 'Nothing new.',
  allNews: 'All notifications',
  yours: 'Yours, changed lately',
  noneYours: 'You own no records yet.',
  changed: (when: string) => `changed ${when}`,
  counts: 'In this workspace',
  empty: 'There is nothing here yet. Import what you have, or create the first record.',
  nothingForRole: 'There is nothing here yet that your role sees.',
  importFirst: 'Import',
  createFirst: (what: string) => `New ${what}`,
  moreTasks: (n: number) => count(n, { one: '1 more', other: `${n} more` }),
};

/** Notifications. */
export const notifications = {
  unread: 'New',
  earlier: 'Earlier',
  none: 'Nobody has told you anything yet.',
  list: 'Notifications',
  next: 'Next notification',
  previous: 'Previous notification',
  open: 'Open',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  markAll: 'Mark all as read',
  allMarked: (n: number) => count(n, { one: '1 marked as read', other: `${n} marked as read` }),
  gone: 'It is gone, or not for your role.',
  by: {
    task_assigned: (who: string, what: string) => `${who} assigned “${what}” to you`,
    task_completed: (who: string, what: string) => `${who} completed “${what}”`,
    mention_in_note: (who: string, what: string) => `${who} mentioned you in “${what}”`,
  },
};

/** The calendar. */
export const calendar = {
  week: 'Week',
  day: 'Day',
  agenda: 'Agenda',
  shown: 'What is shown',
  today: 'Today',
  previous: 'Earlier',
  next: 'Later',
  zone: (zone: string) => `Times of ${zone}`,
  allDay: 'All day',
  private: 'Private meeting',
  none: 'No meetings.',
  noCalendar: 'No calendar is connected.',
  connect: 'Connect a calendar',
  cancelled: 'Cancelled',
  tentative: 'Tentative',
  attendees: 'Attendees',
  about: 'About',
  join: 'Join the meeting',
  place: 'Place',
  meeting: 'Meeting',
  thread: 'The conversation about it',
  responses: {
    accepted: 'accepted',
    declined: 'declined',
    tentative: 'maybe',
    needs_action: 'no answer yet',
  } as Record<string, string>,
};
