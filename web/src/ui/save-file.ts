/** Saves a file that the service sends, under the name that it gives, or this one. */
export async function saveFile(response: Response, name: string): Promise<void> {
  const named = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = named ?? name;
  link.click();
  URL.revokeObjectURL(address);
}
