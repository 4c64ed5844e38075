// The buttons that copy the block of code below them. Without script there are none: a click marks the whole block.
const toldMs = 1_500;

addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll('.code button')) {
    const code = button.closest('.code').querySelector('code');
    const [text, name] = [button.textContent, button.ariaLabel];
    const tell = (told) => ([button.textContent, button.ariaLabel] = [told, told]);
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        tell('Copied');
      } catch {
        // A browser that lets nobody write there copies what is marked.
        getSelection().selectAllChildren(code);
        tell('Marked');
      }
      setTimeout(() => ([button.textContent, button.ariaLabel] = [text, name]), toldMs);
    });
  }
});
