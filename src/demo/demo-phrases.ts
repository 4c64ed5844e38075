/** Phrases of tasks, notes and messages. `{person}`, `{company}` and `{deal}` are replaced with names. */

/** Kinds of tasks with their weights and titles. */
export const tasksToDo: readonly {
  readonly action: string;
  readonly weight: number;
  readonly titles: readonly string[];
}[] = [
  {
    action: 'call',
    weight: 34,
    titles: [
      'Call {person} about {deal}',
      'Ask {person} for the decision on {deal}',
      'Call {person} at {company} back',
      'Talk to {person} about the budget of {company}',
    ],
  },
  {
    action: 'email',
    weight: 33,
    titles: [
      'Send {person} the offer for {deal}',
      'Send {company} the updated prices',
      'Answer the questions of {person} on {deal}',
      'Send {person} the references for {company}',
    ],
  },
  {
    action: 'meeting',
    weight: 21,
    titles: [
      'Show {person} the product ({deal})',
      'Prepare the meeting at {company}',
      'Agree on a date with {person} for {deal}',
    ],
  },
  {
    action: 'linkedin_message',
    weight: 6,
    titles: ['Connect with {person} of {company}', 'Write {person} about {deal}'],
  },
  { action: 'whatsapp_message', weight: 6, titles: ['Confirm the date with {person} ({company})'] },
];

/** First lines of notes. */
export const noteHeads: readonly string[] = [
  'Call with {person} on {deal}',
  'Meeting at {company}, with {person}',
  'What {person} needs for {deal}',
  'Where we stand with {company}',
  'Next steps for {deal}',
  '{person} on the budget of {company}',
];

/** Sentences of notes and messages. */
export const sentences: readonly string[] = [
  'They want to decide before the end of the quarter.',
  'The budget is there, but procurement has to agree.',
  'They compare us with two other suppliers.',
  'The pilot went well, and the team likes it.',
  'They asked for a reference from their own industry.',
  'Legal looks at the contract until next week.',
  'A second site should be in from the start.',
  'The price per seat is the only open question.',
  'IT wants to know where the data lies.',
  'They need training for about twenty people.',
  'The old contract ends in three months.',
  'The decision is now with the managing director.',
  'They would rather pay monthly than yearly.',
  'The export to their accounting has to work on the first day.',
];

/** Sentences of private notes. */
export const secrets: readonly string[] = [
  'I do not think that they will sign this year.',
  'We can go down ten per cent, but should not begin with that.',
  'Somebody else there decides, whatever the title says.',
  'To be asked again after the holidays.',
];

export const mailSubjects: readonly string[] = [
  '{deal}',
  'Our offer: {deal}',
  'Questions on {deal}',
  'Next steps with {company}',
  'Dates for a call',
  'The contract for {company}',
];

export const greetings: readonly string[] = ['Hello', 'Dear', 'Hi', 'Good morning'];

/** Sentences of replies. */
export const answers: readonly string[] = [
  'Thank you for the quick answer.',
  'That works for us.',
  'I have asked my colleagues and come back to you on Thursday.',
  'Could you send me the numbers in a table?',
  'Let us talk about it on the phone.',
  'The offer is attached, as we agreed.',
  'We are nearly there; one question is left.',
];

export const shortMessages: readonly string[] = [
  'Are you free for a quick call?',
  'Yes, at three',
  'I am running five minutes late',
  'Got it, thanks!',
  'Did the offer arrive?',
  'It did, we look at it tomorrow',
  'See you at the office then',
  'Signed and on its way to you',
];

export const meetingTitles: readonly string[] = [
  'First talk with {company}',
  'Demonstration for {company}',
  '{deal}: the offer',
  'Review with {person}',
  'Workshop at {company}',
];
