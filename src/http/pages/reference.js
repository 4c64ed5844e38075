/** The reference page: fetches the document of the session or the given token, and shows the operation in the address. */
import { readDocument } from './reference/document.js';
import { el } from './reference/dom.js';
import { showMenu } from './reference/menu.js';
import { nearest } from './reference/nearest.js';
import { showOperation } from './reference/operation.js';
import { linkTo, placeIn } from './reference/place.js';
import { showQuickStart } from './reference/start.js';
import { authorized, madeFor } from './reference/request.js';

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

/** The current token, document and menu; undefined on the start page. A session has no token. */
let shown;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(input.value.trim().replace(/^Bearer\s+/i, ''));
});
// Before the script is there, the browser itself would send the token, in the address.
form.querySelector('button').disabled = false;

forget.addEventListener('click', () => {
  sessionStorage.removeItem(kept);
  history.replaceState(null, '', linkTo().href);
  close();
  input.focus();
});

// The address names an operation, so it must not become an anchor.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

fold.addEventListener('click', () => unfold(fold.getAttribute('aria-expanded') !== 'true'));

// Ctrl+Enter works anywhere on an operation's page; in the menu and on links, Enter is theirs.
document.addEventListener('keydown', (event) => {
  const isElsewhere = event.target instanceof Element && event.target.closest('a, nav') !== null;
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isElsewhere) return;
  event.preventDefault();
  main.querySelector('form.try')?.requestSubmit();
});

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || isTyping || !shown || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  unfold(true);
  document.querySelector('#search').focus();
});

for (const moved of ['popstate', 'hashchange'])
  window.addEventListener(moved, () => {
    if (shown) route(true);
  });

// The page is not reloaded: its document may be large.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-operation]') : null;
  const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || !shown || isElsewhere) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  route(true);
});

// Sign-in returns to this page.
const signIn = welcome.querySelector('a[href^="/signin"]');
signIn.href = `/signin?next=${encodeURIComponent(location.pathname + location.search)}`;

const token = sessionStorage.getItem(kept);
// Scripts cannot see whether there is a session.
if (token === null) open(undefined).catch(() => {});
else void open(token);

async function open(token) {
  if (token !== undefined) tell('Loading…');
  try {
    const me = await fetched('/api/v1/me', token);
    if (token === undefined) madeFor(me.workspaceUserId);
    const found = await fetched('/api/v1/openapi.json', token);
    // A token typed meanwhile takes precedence.
    if (token === undefined && (shown || status.textContent !== '')) return;
    const reference = readDocument(found);
    if (token !== undefined) sessionStorage.setItem(kept, token);
    shown = { token, me, reference, menu: showMenu(reference.groups) };
    about.textContent = token === undefined ? `You are signed in as ${me.profile?.name}.` : reference.about;
    forget.hidden = token === undefined;
    menu.hidden = fold.hidden = false;
    tell('');
    route(false);
  } catch (error) {
    if (token === undefined) return;
    close();
    tell(error.message);
  }
}

function close() {
  shown = undefined;
  menu.hidden = fold.hidden = true;
  unfold(false);
  form.reset();
  tell('');
  document.title = 'Reference · Kith';
  main.replaceChildren(welcome);
}

async function fetched(path, token) {
  // Other characters are invalid in a header.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new Error('This is not a token: tokens begin with svc_.');
  const response = await fetch(path, { headers: authorized(token) });
  if (response.ok) return response.json();
  const { message = `The service answers ${response.status}` } = await response.json().catch(() => ({}));
  throw new Error(message);
}

/** The operation and form values in an address such as `/docs/contacts/listContacts?limit=3`. */
function route(moves) {
  const { id: name, given } = placeIn(location);
  const { reference, token, me, menu } = shown;
  const { operations, resolve } = reference;
  const operation = operations.find(({ id }) => id === name);
  menu.mark(operation?.id ?? name);
  unfold(false);
  main.replaceChildren(
    operation
      ? showOperation(operation, { resolve, token, given })
      : name === ''
        ? showQuickStart(reference, { token, me })
        : nothing(name, operations),
  );
  const heading = main.querySelector('h1');
  document.title = `${heading.textContent} · Kith reference`;
  window.scrollTo(0, 0);
  // A followed link moves the focus to the heading; a loaded page starts at its top.
  if (moves) heading.focus({ preventScroll: true });
}

function nothing(name, operations) {
  const near = nearest(name, operations).map((operation) => el('li', {}, el('a', linkTo(operation), operation.title)));
  return el(
    'article',
    {},
    el('h1', { tabindex: '-1' }, `There is no operation ${name}`),
    el('p', { class: 'lead' }, 'The menu has all that your role may use. Nearest to this one:'),
    el('ul', {}, near),
  );
}

/** Opens or closes the menu, which narrow screens fold. */
function unfold(isOpen) {
  fold.setAttribute('aria-expanded', String(isOpen));
  menu.classList.toggle('open', isOpen);
}

function tell(message) {
  status.textContent = message;
}
