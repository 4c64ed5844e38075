/** Saves an answer as a file, under the name in its headers, else `name`. */
export async function saveFile(response: Response, name: string): Promise<void> {
  const named = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = named ?? name;
  link.click();
  URL.revokeObjectURL(address);
}
