// Copy buttons for blocks of code. Without script there are none, and a click selects the whole block.
const toldMs = 1_500;

addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll('.code button')) {
    const code = button.closest('.code').querySelector('code');
    const [text, name] = [button.textContent, button.ariaLabel];
    button.hidden = false;
    button.addEventListener('click', () => {
      void copy(code).then((told) => {
        [button.textContent, button.ariaLabel] = [told, told];
        setTimeout(() => ([button.textContent, button.ariaLabel] = [text, name]), toldMs);
      });
    });
  }
});

/** Copies the code and returns the feedback; if the browser denies the clipboard, the code is selected. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return 'Copied';
  } catch {
    getSelection().selectAllChildren(code);
    return 'Marked';
  }
}
