import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** In the page as it is built; the server puts the nonce of the answer in its place. */
export const NONCE_PLACEHOLDER = 'SYMBOLON_NONCE';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    // The first that know `light-dark()`, import maps and keys for passkeys.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Fonts and pictures stay files: the policy allows no data addresses for them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: `${import.meta.dirname}/index.html`,
        'service-worker': `${import.meta.dirname}/src/service-worker.ts`,
      },
      output: {
        // A browser looks for it at one address.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  worker: { format: 'es' },
  // For `npm run dev -w apps/web` beside a platform on its usual port.
  server: { proxy: { '/api': 'http://localhost:3000', '/oauth2': 'http://localhost:3000' } },
});
