/** The reference page: asks for a token, fetches the document that is made for it, and shows it. The tab alone keeps the token. */
const kept = 'kith-token';
const explorerBundle = '/docs/explorer.js';
const form = document.querySelector('#token-form');
const input = document.querySelector('#token');
const forget = document.querySelector('#forget');
const status = document.querySelector('#status');
const main = document.querySelector('#main');
const welcome = document.querySelector('#welcome');

const looks = {
  'hide-server-selection': '',
  collapse: '',
  'schema-expand-level': '2',
  'primary-color': '#0f766e',
  'secondary-color': '#5eead4',
  'nav-bg-color': '#0f172a',
  'nav-text-color': '#e2e8f0',
  'nav-hover-bg-color': '#1e293b',
  'nav-hover-text-color': '#ffffff',
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(input.value.trim().replace(/^Bearer\s+/i, ''));
});

forget.addEventListener('click', () => {
  sessionStorage.removeItem(kept);
  input.value = '';
  forget.hidden = true;
  tell('');
  main.replaceChildren(welcome);
  input.focus();
});

const token = sessionStorage.getItem(kept);
if (token !== null) {
  input.value = token;
  void show(token);
}

async function show(token) {
  tell('Loading…');
  try {
    const document = await fetchDocument(token);
    await import(explorerBundle);
    sessionStorage.setItem(kept, token);
    forget.hidden = false;
    await render(document, token);
    tell('');
  } catch (error) {
    tell(error.message);
    main.replaceChildren(welcome);
  }
}

async function fetchDocument(token) {
  // Other characters cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('This is not a token: tokens begin with svc_.');
  const response = await fetch('/api/v1/openapi.json', { headers: { authorization: `Bearer ${token}` } });
  if (response.ok) return response.json();
  const { message = `The service answers ${response.status}` } = await response.json().catch(() => ({}));
  throw new Error(message);
}

async function render(spec, token) {
  const explorer = document.createElement('openapi-explorer');
  for (const [name, value] of Object.entries(looks)) explorer.setAttribute(name, value);
  main.replaceChildren(explorer);
  await explorer.loadSpec(spec);
  await explorer.setAuthenticationConfiguration('token', { token });
}

function tell(message) {
  status.textContent = message;
}
