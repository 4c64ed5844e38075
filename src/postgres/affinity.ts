/** The connection among `count` that an organization prefers: always the same one, which has its plans. */
export function preferred(affinity: string, count: number): number {
  let hash = 0;
  for (let i = 0; i < affinity.length; i++) hash = (Math.imul(hash, 31) + affinity.charCodeAt(i)) | 0;
  return (hash >>> 0) % count;
}
