import type { Page } from '../support/browser.ts';

/** Drops a file with these bytes on the page of imports. */
export async function dropFile(page: Page, bytes: Buffer, name: string): Promise<void> {
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (sign) => sign.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    document.querySelector('#main p').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  })()`);
}
