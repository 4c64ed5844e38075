/** Whether the machine has `curl`, which requests of the documents are sent with; without it, their tests say so and skip. */
import { spawnSync } from 'node:child_process';

export const hasCurl = spawnSync('curl', ['--version']).status === 0;
