/** Creates elements without HTML text, so that data cannot become markup. */

/** An element with attributes and children. `on…` are listeners; false, null and undefined are skipped. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Text with `code` in backticks. */
export function inline(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? el('code', {}, part) : part));
}

/** Paragraphs and lists of a description: blank lines separate, `- ` starts an item. */
export function prose(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block !== '')
    .map((block) => {
      const lines = block.split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return el('p', {}, inline(block));
      return el(
        'ul',
        {},
        lines.map((line) => el('li', {}, inline(line.slice(2)))),
      );
    });
}

/** A button that copies the result of `text`; if the browser denies it, the text of `source` is selected. */
export function copyButton(text, source, label = 'Copy') {
  const button = el('button', { type: 'button', class: 'plain small', onclick: copy }, label);
  async function copy() {
    let told = 'Copied';
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      getSelection().selectAllChildren(source);
      told = 'Selected';
    }
    button.textContent = told;
    setTimeout(() => (button.textContent = label), 1500);
  }
  return button;
}

/** A group of buttons of which one is pressed, by default the first; `choose` is called with its name. */
export function choice(label, names, choose, pressed = names[0]) {
  const buttons = names.map((name) => el('button', { type: 'button', onclick: () => press(name) }, name));
  function press(wanted) {
    names.forEach((name, at) => buttons[at].setAttribute('aria-pressed', String(name === wanted)));
    choose(wanted);
  }
  names.forEach((name, at) => buttons[at].setAttribute('aria-pressed', String(name === pressed)));
  return el('span', { class: 'choice', role: 'group', 'aria-label': label }, buttons);
}
