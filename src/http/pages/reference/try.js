/** Builds a request in a form, shows it as a command, sends it, and shows the answer. */
import { showAnswer } from './answer.js';
import { clientCallOf } from './client-call.js';
import { choice, copyButton, el } from './dom.js';
import { formOf } from './form.js';
import { addressOf } from './place.js';
import { curlOf, requestOf, send } from './request.js';
import { toolCallOf } from './tool-call.js';

/** The elements of the form; the address follows its values. */
export function tryOut(operation, { resolve, token, given }) {
  const form = formOf(operation, { resolve, given });
  const made = () => requestOf(operation, form.values(), form.body());
  const call = el('pre', { tabindex: '0', role: 'group', 'aria-label': 'Request' });
  const submit = el('button', { type: 'submit', class: 'primary' });
  const effect = el('span', { class: 'hint' });
  const keep = el('button', { type: 'button' }, 'Send');
  const clear = el('button', { type: 'button', class: 'plain' }, 'Clear');
  const answer = el('div', { class: 'answer' });
  const live = el('p', { class: 'unseen', role: 'status' });
  const card = el(
    'form',
    { class: 'card try', 'aria-label': `Try ${operation.title}` },
    form.rows,
    el('div', { class: 'line' }, submit, keep, clear, el('span', { class: 'gap' }), effect),
  );

  const notes = el('div', { class: 'hint' });
  const follow = () => {
    const { text, notes: told = [] } = toldAs(operation, form, made(), resolve);
    call.textContent = text;
    notes.replaceChildren(...told.map((note) => el('p', {}, note)));
    const { action, hint, isTrial = false } = effectOf(operation, form.values());
    keep.hidden = !isTrial;
    submit.replaceChildren(action, el('kbd', {}, 'Ctrl ↵'));
    effect.textContent = hint;
    rememberIn(location, operation, form.values());
  };
  card.addEventListener('input', follow);
  clear.addEventListener('click', () => {
    form.clear();
    follow();
  });
  keep.addEventListener('click', () => {
    form.keep();
    follow();
    card.requestSubmit();
  });
  card.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(() => send(made(), token), { submit, answer, live });
  });
  follow();
  const curl = () => curlOf(made(), location.origin);
  return { curl, form: card, request: el('div', {}, callOf(call, follow), notes), answer: el('div', {}, live, answer) };
}

async function run(sending, { submit, answer, live }) {
  submit.disabled = true;
  try {
    const came = await sending();
    answer.replaceChildren(...showAnswer(came));
    live.textContent = `Answered with ${came.response.status} in ${Math.round(came.ms)} milliseconds`;
  } catch (error) {
    answer.replaceChildren(el('p', { class: 'problem' }, `No answer: ${error.message}`));
    live.textContent = 'There was no answer';
  } finally {
    submit.disabled = false;
  }
  if (answer.getBoundingClientRect().top > innerHeight) answer.scrollIntoView({ block: 'start' });
}

/** The chosen notation of requests, kept across operations. */
let way = 'curl';

/** The request in the chosen notation, with a note. */
function toldAs(operation, form, request, resolve) {
  if (way === 'curl') return { text: curlOf(request, location.origin) };
  const said = [operation, form.values(), form.body()];
  if (way === 'Agent')
    return toolCallOf(...said, { resolve }) ?? { text: 'No tool does this. An agent asks over HTTP, with its token.' };
  const call = clientCallOf(...said, { origin: location.origin, resolve });
  return { text: call ?? 'The client has no method for this.' };
}

/** The request as text; `changed` is called when another notation is chosen. */
function callOf(pane, changed) {
  const ways = choice(
    'As',
    ['curl', 'Client', 'Agent'],
    (name) => {
      way = name;
      changed();
    },
    way,
  );
  const copy = copyButton(() => pane.textContent, pane);
  return el(
    'div',
    { class: 'code' },
    el('header', {}, el('strong', {}, 'Request'), el('span', { class: 'gap' }), ways, copy),
    pane,
  );
}

/** The label and hint of the send button. */
function effectOf({ method }, values) {
  if (method === 'GET') return { action: 'Send', hint: 'Nothing is changed by a GET' };
  return values.some(({ name, value }) => name === 'dry_run' && value === 'true')
    ? { action: 'Dry run', hint: 'Nothing is kept while dry_run is true', isTrial: true }
    : { action: 'Send', hint: 'This changes the workspace' };
}

/** Keeps path and query parameters in the address, which can be shared. */
function rememberIn({ pathname, search, hash }, operation, values) {
  const told = values.filter(({ place }) => place !== 'header').map(({ name, value }) => [name, value]);
  const query = told.length > 0 ? `?${new URLSearchParams(told)}` : '';
  const address = addressOf(operation) + query;
  if (pathname + search + hash !== address) history.replaceState(null, '', address);
}
