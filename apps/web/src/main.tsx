import '@fontsource-variable/inter/wght.css';
import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { InsecurePage } from './pages/insecure.tsx';
import { dropIdleKeys, resume } from './platform/session.ts';
import { router } from './router.tsx';
import { TextProvider } from './text/index.tsx';
import { theme, variables } from './theme.ts';

/** The nonce under which this page may have styles of its own. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
const place = document.getElementById('root');
if (place === null) throw new Error('The page has no place for its content.');

// Browsers give keys and passkeys to the name, not to the numbers.
const isByNumbers = location.hostname === '127.0.0.1' || location.hostname === '[::1]';
if (isByNumbers) location.replace(location.href.replace(location.hostname, 'localhost'));
else start(place);

function start(root: HTMLElement): void {
  if (globalThis.isSecureContext) {
    resume();
    setInterval(dropIdleKeys, 60_000);
  }
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <TextProvider>
        {globalThis.isSecureContext ? <RouterProvider router={router} /> : <InsecurePage />}
      </TextProvider>
    </MantineProvider>,
  );
}
