import type { PlatformError } from '../core/errors.ts';
import { escapedHtml } from '../core/html.ts';

/** A page without scripts, in the look of a plain document. @param body HTML */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }
      small { font-weight: normal; opacity: 0.6; }
      th, td { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
      tr:target { outline: 2px solid; }
    </style>
  </head>
  <body>
    <main>
    ${body}
    </main>
  </body>
</html>
`;
}

export const HTML = 'text/html; charset=utf-8';
/** Of pages without scripts. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** What a browser shows instead of a page that cannot be shown now. */
export function refusalPage({ key, status, message }: PlatformError): string {
  const isForNow = status === 429 || status === 503;
  const [title, advice] = isForNow
    ? ['Try again in a moment', 'Nothing was lost. Wait a minute, then open the page again.']
    : status === 404
      ? ['There is no such page', '<a href="/">Go to the start page</a>']
      : ['This page cannot be shown', '<a href="/">Go to the start page</a>'];
  return htmlPage(
    title,
    `<h1>${title}</h1>\n    <p>${advice}</p>\n    <p><small>${escapedHtml(message)} (<code>${escapedHtml(key)}</code>)</small></p>`,
  );
}
