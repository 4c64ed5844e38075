/** The application: the providers around every page, and what is shown until the workspace is loaded. */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keys, leaveWhereSignedOut, queries } from '../api/queries.ts';
import { loadWorkspace } from '../api/load-workspace.ts';
import { LanguageProvider } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { router } from './router.tsx';
import { WorkspaceProvider } from './workspace-context.tsx';

// Loads the page's code in parallel with the workspace.
void router.load();

/** The root component. */
export function App() {
  return (
    <LanguageProvider>
      <QueryClientProvider client={queries}>
        <Signed />
        <Toasts />
      </QueryClientProvider>
    </LanguageProvider>
  );
}

function Signed() {
  const { data, error, refetch } = useQuery({ queryKey: keys.workspace, queryFn: loadWorkspace, staleTime: Infinity });
  const isKnown = data !== undefined;
  // A page that is already open may hold typed text, so it stays: its frame asks to sign in again.
  useEffect(() => {
    if (!isKnown) leaveWhereSignedOut(error);
  }, [error, isKnown]);
  if (data)
    return (
      <WorkspaceProvider workspace={data}>
        <RouterProvider router={router} />
      </WorkspaceProvider>
    );
  return error ? <Failure error={error} again={() => void refetch()} /> : <div className="frame" aria-busy="true" />;
}
