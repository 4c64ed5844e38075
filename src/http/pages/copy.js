// The buttons that copy the block of code below them. Without script there are none: a click marks the whole block.
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

/** Copies its text, and gives what is told of it; a browser that lets nobody write there has it marked. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return 'Copied';
  } catch {
    getSelection().selectAllChildren(code);
    return 'Marked';
  }
}
