import { errorCatalogue } from '@symbolon/protocol/constants';
import { escapedHtml } from '../../../core/html.ts';
import { version } from '../../../core/version.ts';
import { htmlPage } from '../../../http/html-page.ts';

/** What is at the address of the platform for programs, and for browsers where the pages for people are not built. */
export const START_PAGE = htmlPage(
  'Symbolon',
  `<h1>Symbolon <small>${version}</small></h1>
    <p>This is a platform on which companies and people share data. Values are sealed on people's devices; only the company
    that they are meant for opens them.</p>
    <ul>
      <li><a href="/sign-in">Sign in</a>, or <a href="/register">create an account</a></li>
      <li><a href="/verify">Verify a sealed document</a></li>
      <li><a href="/docs/">Documentation</a>: guides, concepts, operating</li>
      <li><a href="/explorer">API reference</a>: every call, to read and to try</li>
      <li><a href="/openapi.json">OpenAPI document</a>: the same for programs</li>
      <li><a href="/errors">Errors</a>: every <code>error_key</code> with its status</li>
      <li><a href="/api/health">Health</a>: whether the platform serves</li>
    </ul>`,
);

/**
 * The error catalogue; each key is an anchor, so that a message can link to it.
 * @param hasSite whether the documentation is there, in which each key has a page that says what helps
 */
export const errorsPage = (hasSite: boolean): string =>
  htmlPage(
    'Errors of Symbolon',
    `<h1>Errors</h1>
    <p>Every error is JSON: <code>error</code> is a text for people and may change, <code>error_key</code> is stable.
    On the token route <code>error</code> is the OAuth code. A refusal that clears with time says in <code>retry_after</code> in how
    many seconds; <code>reason</code> says in a word which of several causes of a key it is.</p>
    <table>
      <thead><tr><th>error_key</th><th>status</th><th>text</th></tr></thead>
      <tbody>
${rows(hasSite)}
      </tbody>
    </table>
    <p><a href="/">Start</a></p>`,
  );

function rows(hasSite: boolean): string {
  return Object.entries(errorCatalogue)
    .map(([key, [status, text]]) => {
      const name = escapedHtml(key);
      const shown = hasSite ? `<a href="docs/errors/${name}.html">${name}</a>` : name;
      return `        <tr id="${name}"><td><code>${shown}</code></td><td>${status}</td><td>${escapedHtml(text)}</td></tr>`;
    })
    .join('\n');
}
