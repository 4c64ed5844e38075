/** The memory that is in use once all that can be given back was. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export async function heapUsed(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < 3; time++) {
    collect();
    await new Promise(setImmediate); // what is finalized is given back in the next turn
  }
}
