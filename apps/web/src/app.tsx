import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { InsecurePage } from './pages/insecure.tsx';
import { FormWords } from './parts/form-words.tsx';
import { keepFocus } from './parts/kept-focus.ts';
import { isForPeople } from './platform/for-people.ts';
import { dropIdleKeys, resume } from './platform/session.ts';
import { openRouter } from './router.tsx';
import { TextProvider } from './text/index.tsx';
import { theme, variables } from './theme.ts';

/** Puts the page in its place. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no place for its content.');
  // Under it this page may have styles of its own.
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  if (globalThis.isSecureContext) {
    // Other pages ask for no person; the first page for people that is opened from them does.
    if (isForPeople(location.pathname)) resume();
    setInterval(dropIdleKeys, 60_000);
  }
  // Sheets stand beside the place of the page.
  keepFocus(document.body);
  const router = await openRouter(location.pathname);
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <TextProvider>
        <FormWords />
        {globalThis.isSecureContext ? <RouterProvider router={router} /> : <InsecurePage />}
      </TextProvider>
    </MantineProvider>,
  );
}
