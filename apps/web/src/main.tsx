import '@fontsource-variable/inter/wght.css';
import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { resume } from './platform/session.ts';
import { router } from './router.tsx';
import { TextProvider } from './text/index.tsx';
import { theme, variables } from './theme.ts';

/** The nonce under which this page may have styles of its own. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
const place = document.getElementById('root');
if (place === null) throw new Error('The page has no place for its content.');

resume();
createRoot(place).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={variables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <TextProvider>
      <RouterProvider router={router} />
    </TextProvider>
  </MantineProvider>,
);
