/** React context of the workspace. */
import { createContext, use, type ReactNode } from 'react';
import type { ObjectShape, Workspace } from '../api/workspace.ts';

const Context = createContext<Workspace | undefined>(undefined);

/** Provides the workspace to its children. */
export function WorkspaceProvider({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  return <Context value={workspace}>{children}</Context>;
}

/** The workspace of the signed-in user. */
export function useWorkspace(): Workspace {
  const workspace = use(Context);
  if (!workspace) throw new Error('There is no workspace around this component');
  return workspace;
}

/** An object by name; undefined if it does not exist or is hidden from this reader. */
export function useObject(name: string): ObjectShape | undefined {
  return useWorkspace().objects.get(name);
}
