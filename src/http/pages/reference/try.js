/** A request that is put together in a form, shown as a command line, sent, and answered. */
import { showAnswer } from './answer.js';
import { clientCallOf } from './client-call.js';
import { choice, copyButton, el } from './dom.js';
import { formOf } from './form.js';
import { curlOf, requestOf, send } from './request.js';

/** The parts of the page that belong to it; the address follows what the form says. */
export function tryOut(operation, { resolve, token, given }) {
  const form = formOf(operation, { resolve, given });
  const made = () => requestOf(operation, form.values(), form.body());
  const call = el('pre', { tabindex: '0', role: 'group', 'aria-label': 'Request' });
  const submit = el('button', { type: 'submit', class: 'primary' });
  const effect = el('span', { class: 'hint' });
  const clear = el('button', { type: 'button', class: 'plain' }, 'Clear');
  const answer = el('div', { class: 'answer' });
  const live = el('p', { class: 'unseen', role: 'status' });
  const card = el(
    'form',
    { class: 'card try', 'aria-label': `Try ${operation.title}` },
    form.rows,
    el('div', { class: 'line' }, submit, clear, el('span', { class: 'gap' }), effect),
  );

  const follow = () => {
    call.textContent = textOf(operation, form, made(), resolve);
    const { action, hint } = effectOf(operation, form.values());
    submit.replaceChildren(action, el('kbd', {}, 'Ctrl ↵'));
    effect.textContent = hint;
    rememberIn(location, operation, form.values());
  };
  card.addEventListener('input', follow);
  clear.addEventListener('click', () => {
    form.clear();
    follow();
  });
  card.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) card.requestSubmit();
  });
  card.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(() => send(made(), token), { submit, answer, live });
  });
  follow();
  return { form: card, request: callOf(call, follow), answer: el('div', {}, live, answer) };
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

/** In which of the ways requests are shown, whichever operation it is. */
let way = 'curl';

function textOf(operation, form, request, resolve) {
  if (way === 'curl') return curlOf(request, location.origin);
  const call = clientCallOf(operation, form.values(), form.body(), { origin: location.origin, resolve });
  return call ?? 'The client has no method for this.';
}

/** The request as text, in one of the ways; `changed` is called when another is chosen. */
function callOf(pane, changed) {
  const ways = choice(
    'As',
    ['curl', 'Client'],
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

/** What pressing the button does. */
function effectOf({ method }, values) {
  if (method === 'GET') return { action: 'Send', hint: 'Nothing is changed by a GET' };
  return values.some(({ name, value }) => name === 'dry_run' && value === 'true')
    ? { action: 'Dry run', hint: 'Nothing is kept while dry_run is true' }
    : { action: 'Send', hint: 'This changes the workspace' };
}

/** Path and query parameters stand in the address, which can be kept and passed on. */
function rememberIn({ hash }, { id }, values) {
  const told = values.filter(({ place }) => place !== 'header').map(({ name, value }) => [name, value]);
  const address = `#/${id}${told.length > 0 ? `?${new URLSearchParams(told)}` : ''}`;
  if (hash !== address) history.replaceState(null, '', address);
}
