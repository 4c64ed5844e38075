/** The reference page: asks for a token, fetches the document that is made for it, and shows the operation that the address names. */
import { readDocument } from './reference/document.js';
import { el } from './reference/dom.js';
import { showMenu } from './reference/menu.js';
import { showOperation } from './reference/operation.js';

const kept = 'kith-token';
const [form, input, status, main, welcome, menu, fold, forget, about] = [
  '#token-form',
  '#token',
  '#status',
  '#main',
  '#welcome',
  '#menu',
  '#fold',
  '#forget',
  '#about',
].map((selector) => document.querySelector(selector));

/** What is shown: the token, its document and the menu over it; undefined on the first page. */
let shown;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(input.value.trim().replace(/^Bearer\s+/i, ''));
});

forget.addEventListener('click', () => {
  sessionStorage.removeItem(kept);
  history.replaceState(null, '', location.pathname);
  close();
  input.focus();
});

// The address names the operation, not a place on the page.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

fold.addEventListener('click', () => unfold(fold.getAttribute('aria-expanded') !== 'true'));

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || isTyping || !shown || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  unfold(true);
  document.querySelector('#search').focus();
});

window.addEventListener('hashchange', () => {
  if (shown) route(true);
});

const token = sessionStorage.getItem(kept);
if (token !== null) void open(token);

async function open(token) {
  tell('Loading…');
  try {
    const reference = readDocument(await fetchDocument(token));
    sessionStorage.setItem(kept, token);
    shown = { token, reference, menu: showMenu(reference.groups) };
    about.textContent = reference.about;
    menu.hidden = fold.hidden = false;
    tell('');
    route(false);
  } catch (error) {
    close();
    tell(error.message);
  }
}

function close() {
  shown = undefined;
  menu.hidden = fold.hidden = true;
  unfold(false);
  input.value = '';
  tell('');
  document.title = 'Kith reference';
  main.replaceChildren(welcome);
}

async function fetchDocument(token) {
  // Other characters cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('This is not a token: tokens begin with svc_.');
  const response = await fetch('/api/v1/openapi.json', { headers: { authorization: `Bearer ${token}` } });
  if (response.ok) return response.json();
  const { message = `The service answers ${response.status}` } = await response.json().catch(() => ({}));
  throw new Error(message);
}

/** `#/listContacts?limit=3`: the operation, and what its form says. */
function route(moves) {
  const [name = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const { reference, token, menu } = shown;
  const { operations, resolve } = reference;
  const operation = name === '' ? operations[0] : operations.find(({ id }) => id === name);
  const title = operation?.title ?? `There is no operation ${name}`;
  document.title = `${title} · Kith reference`;
  menu.mark(operation?.id);
  unfold(false);
  const given = new URLSearchParams(query);
  main.replaceChildren(operation ? showOperation(operation, { resolve, token, given }) : nothing(title));
  window.scrollTo(0, 0);
  // Whoever follows a link reads on there; whoever opens the page begins at its top.
  if (moves) main.querySelector('h1').focus({ preventScroll: true });
}

function nothing(title) {
  const advice = 'The menu has all that your role may use.';
  return el('article', {}, el('h1', { tabindex: '-1' }, title), el('p', { class: 'lead' }, advice));
}

/** Narrow screens fold the menu away. */
function unfold(isOpen) {
  fold.setAttribute('aria-expanded', String(isOpen));
  menu.classList.toggle('open', isOpen);
}

function tell(message) {
  status.textContent = message;
}
