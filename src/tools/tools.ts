/** The tools, in the order in which agents are told of them. */
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [];
