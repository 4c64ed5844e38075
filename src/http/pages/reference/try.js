/** A request that is put together in a form, shown as a command line, sent, and answered. */
import { showAnswer } from './answer.js';
import { copyButton, el } from './dom.js';
import { formOf } from './form.js';
import { curlOf, requestOf, send } from './request.js';

/** The parts of the page that belong to it; the address follows what the form says. */
export function tryOut(operation, { resolve, token, given }) {
  const form = formOf(operation, { resolve, given });
  const made = () => requestOf(operation, form.values(), form.body());
  const curl = el('pre', { tabindex: '0', role: 'group', 'aria-label': 'Request for a shell' });
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
    curl.textContent = curlOf(made(), location.origin);
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
  return { form: card, request: shellOf(curl), answer: el('div', {}, live, answer) };
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

function shellOf(curl) {
  const copy = copyButton(() => curl.textContent, curl);
  return el(
    'div',
    { class: 'code' },
    el('header', {}, el('strong', {}, 'curl'), el('span', { class: 'gap' }), copy),
    curl,
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
