import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** In the page as it is built; the server puts the nonce of the answer in its place. */
export const NONCE_PLACEHOLDER = 'SYMBOLON_NONCE';

const PDFJS = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version: pdfjsVersion } = JSON.parse(readFileSync(join(PDFJS, 'package.json'), 'utf8')) as {
  version: string;
};
const PDF_RESOURCES = `/assets/pdfjs-${pdfjsVersion}/`;

const ROUTES = globSync('src/routes/*', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8'),
);
const PAGES = ROUTES.join('').match(/import\('\.\.\/pages\//g);
/** The part of all pages that load a module of the shared file. With a lower one, pages load what only others need: sheets, say, at the consent page. */
const LOADED_BY = 0.65;

/** What most pages load, but none that people see before they are signed in, and not the consent page. */
const INSIDE =
  /\/text\/(?:inside\/(?:en|index)|added)|\/ui\/(?:list|group|toast)\.tsx$|\/parts\/(?:when|undo)\.|\/platform\/undo\.|\/protocol\/src\/limits\./;
/** What an account is opened with, and a decision proven by. */
const MEANS =
  /\/@simplewebauthn\/|\/platform\/(?:passkeys|passkey-proof|security|recovery|sign-in-means)\.|\/parts\/(?:proof-form|second-of-proof)\./;

/**
 * Modules that share a file, with what they import that an earlier group does not have. Left alone, each set of pages that share
 * something gets a file of its own, and a first visit asks for seventy. What two groups need stands in an earlier one: a page
 * loads a file whole, and the files that it imports.
 */
const FILES = [
  {
    name: 'base',
    test: (id: string) => !INSIDE.test(id) && !MEANS.test(id),
    minShareCount: Math.ceil((PAGES?.length ?? 0) * LOADED_BY),
  },
  // What shows the first page, whichever it is, and what pages say to people who are not signed in. The small styles of groups
  // below stand here: a file of its own for each costs more than it has. So do the icons of fields, what values are sealed with, and
  // what is beside the form to sign in with.
  {
    name: 'start',
    test: /\/MantineProvider\/|\/src\/router\.tsx$|\/ui\/(?:note|status|icon)\.|\/parts\/(?:site-data|field-icon|password-sign-in|who-is-in)\.|\/Icon(?:DoorExit|AlertTriangle)\.|\/components\/Code\/|\/crypto\/src\/(?:keys|seal|bytes)\.|\/resolve-rows\.|\/platform\/(?:fields|answers)\.|\/use-open-fields\.|\/pages\/next\.|\/(?:list|group|shell|strip|me-frame|notices|signed-in-as|who-asks|field-choice|changed-key|desk|figure|steps|portal-page)\.module\.css$|\/styles\/(?:Overlay|Modal|ModalBase)\.layer\.css$/,
  },
  // Who asks at consent, and what requests and flows have of it.
  {
    name: 'answering',
    test: /\/(?:use-picked|share-buttons|changed-key)\.|\/parts\/consent\//,
  },
  // It has the icons, too, that no earlier group needs.
  { name: 'inside', test: new RegExp(`${INSIDE.source}|/@tabler/`), minShareCount: 2 },
  { name: 'means', test: MEANS },
  // The frame of a person's pages, and what their first page shows.
  {
    name: 'person',
    test: /\/parts\/(?:me-frame|happened|time-left)\.|\/platform\/(?:push|lately|connections|requests|document-list|thread-list)\.|\/(?:put-off|approvals-over|cards)\./,
  },
  // Which fields answer.
  { name: 'choices', test: /\/answers\/field-choices\./ },
  { name: 'sheets', test: /\/ui\/sheet\./ },
  { name: 'choosing', test: /\/components\/(?:Combobox|Select)\// },
  // The frame of the company's portal, and what its first page shows; and what it shares with the console of the operator.
  {
    name: 'portal',
    test: /\/parts\/portal\/(?:portal-page|new-service-button|go-to)\.|\/platform\/portal\/(?:services|session|account|issued|customers|webhooks|overview)\.|\/pages\/portal\/(?:overview\/go-live|webhooks\/state)\.|\/ui\/bars\.|\/src\/routes\/portal\./,
  },
  { name: 'desk', test: /\/ui\/(?:desk|figure|steps)\.|\/parts\/page-choices\./ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

/**
 * What the viewer of PDF files fetches when a file needs it: tables of characters, the fonts that every reader has, and
 * decoders of pictures without WebAssembly, which the policy of the pages does not allow. Their folder names the version, so
 * that browsers may keep them.
 */
function pdfResources(): Plugin {
  const files = globSync(['cmaps/*.bcmap', 'standard_fonts/*.{pfb,ttf}', 'wasm/*_nowasm_fallback.js'], {
    cwd: PDFJS,
  });
  const served = new Map(files.map((file) => [PDF_RESOURCES + basename(file), join(PDFJS, file)]));
  return {
    name: 'pdf-resources',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const file = served.get(request.url ?? '');
        if (file === undefined) return next();
        response.setHeader(
          'content-type',
          file.endsWith('.js') ? 'text/javascript' : 'application/octet-stream',
        );
        response.end(readFileSync(file));
      });
    },
    generateBundle() {
      for (const [address, file] of served) {
        this.emitFile({ type: 'asset', fileName: address.slice(1), source: readFileSync(file) });
      }
    },
  };
}

/** A build puts it at the top, where it may see all pages; out of its sources it comes from the same address. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url === '/service-worker.js') request.url = '/src/service-worker.ts';
        next();
      });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pdfResources(), serviceWorker()],
  define: { PDF_RESOURCES: JSON.stringify(PDF_RESOURCES) },
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
        codeSplitting: { groups: FILES },
      },
    },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  worker: { format: 'es' },
});
