/** The workspace for every component below. */
import { createContext, use, type ReactNode } from 'react';
import type { ObjectShape, Workspace } from '../api/workspace.ts';

const Context = createContext<Workspace | undefined>(undefined);

/** Makes the workspace known below it. */
export function WorkspaceProvider({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  return <Context value={workspace}>{children}</Context>;
}

/** The workspace of whoever is signed in. */
export function useWorkspace(): Workspace {
  const workspace = use(Context);
  if (!workspace) throw new Error('There is no workspace around this component');
  return workspace;
}

/** An object by its name; undefined where there is none, or none for this reader. */
export function useObject(name: string): ObjectShape | undefined {
  return useWorkspace().objects.get(name);
}
