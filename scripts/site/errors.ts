/** A page for each key of the error catalogue, and the list of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '../../packages/protocol/src/constants.ts';
import type { SitePage } from './layout.ts';
import { codeBlock, escaped } from './markdown.ts';
import { type ApiDocument, operationsOf, type Placed } from './reference.ts';
import { ROOT } from './root.ts';

/** A row of the wire reference, with the heading that it stands below. */
const ROW = /^\| `([^`]+)` \| \d{3} \| (.*) \|$/;

/** @param render of Markdown in one line that stands on the page of a key */
export function errorPages(document: ApiDocument, render: (text: string) => string): SitePage[] {
  const meanings = meaningsByKey();
  const common = document['x-common-errors'];
  const isCommon = new Set(Object.values(common).flat());
  const answered = new Map<string, Placed[]>();
  for (const operation of operationsOf(document))
    for (const key of Object.values(operation['x-errors']).flat())
      answered.set(key, [...(answered.get(key) ?? []), operation]);
  const keys = Object.entries(errorCatalogue).sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    listPage(keys, isCommon),
    ...keys.map(([key, [status, text]]) => {
      const meaning = meanings.get(key) ?? text;
      const operations = answered.get(key) ?? [];
      const advice = OWN_ADVICE[key] ?? adviceFor(status, meaning);
      const where = isCommon.has(key)
        ? 'Every operation may answer it.'
        : operations.length === 0
          ? 'It is answered outside of the operations of the reference, for instance by a page or by a part of a longer act.'
          : '';
      const html = `<h1><code>${escaped(key)}</code></h1>
<p class="route"><span class="status">${status}</span> ${escaped(text)}</p>
<h2 id="when">When</h2>${render(meaning)}
<h2 id="what-to-do">What to do</h2><p>${escaped(advice)}</p>
<h2 id="body">Body</h2>${codeBlock(JSON.stringify({ error: text, error_key: key }, null, 2), 'json')}
<p><code>error</code> is a text for people and may change. Tell errors apart by <code>error_key</code>.</p>
<h2 id="where">Where</h2>${where === '' ? '' : `<p>${where}</p>`}${
        operations.length === 0
          ? ''
          : `<ul class="operations">${operations.map(({ operationId, method, path, summary }) => `<li><a href="../reference/${operationId}.html"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code> <span class="summary">${escaped(summary)}</span></a></li>`).join('')}</ul>`
      }`;
      return {
        slug: `errors/${key}`,
        title: key,
        summary: text,
        section: 'Errors',
        html,
        headings: [],
        parts: [{ id: '', text: key, body: `${status} ${text} ${meaning}` }],
        markdown: [
          `# \`${key}\``,
          `Status ${status}. ${text}`,
          `When: ${meaning}`,
          `What to do: ${advice}`,
          where,
          ...operations.map(
            ({ operationId, method, path }) => `- [\`${method} ${path}\`](../reference/${operationId}.md)`,
          ),
        ]
          .filter((part) => part !== '')
          .join('\n\n'),
      };
    }),
  ];
}

function meaningsByKey(): Map<string, string> {
  const lines = readFileSync(join(ROOT, 'docs/wire/7-errors.md'), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, key, meaning] = ROW.exec(line) ?? [];
      return key === undefined || meaning === undefined ? [] : [[key, sectionsNamed(meaning)]];
    }),
  );
}

/** `2.3`, as the wire reference cites its sections, with what it is a section of. */
const sectionsNamed = (text: string) =>
  text.replace(/(?<![\w.])(\d{1,2}\.\d{1,2})(?![\w.])/g, 'section $1 of the wire reference');

/** Where the advice for the status would be wrong. */
const OWN_ADVICE: Readonly<Record<string, string>> = {
  'twofa.pending_cap':
    'Offer another way in. Where the body has retry_after, the person denied a moment ago: ask once more after so many seconds. Without it, repeating the call does not help.',
  'twofa.not_enrolled': 'Have the person enrol with your service first; the code may also be wrong.',
  invalid_client: 'Correct client_id and client_secret. The portal makes a new secret.',
};

function adviceFor(status: number, meaning: string): string {
  if (status === 429)
    return 'Wait for the seconds in Retry-After, then make the same call again. Slow down before you meet it: the limits are in part 8 of the wire reference.';
  if (status === 503)
    return 'Wait for the seconds in Retry-After, then make the same call again. The SDK does so by itself.';
  if (status === 421) return 'Call again at the base URL in api_url, and keep it. The SDK does so by itself.';
  if (status === 401)
    return 'Sign in again, or ask for a fresh token, then make the call once more. A second refusal means that the credentials are wrong.';
  if (status === 403)
    return 'Repeating the call does not help: call with a client, a role or a session that may do this.';
  if (status === 404)
    return 'Check the id and the region that it belongs to. What was deleted is answered in the same way.';
  if (status === 409) return 'Read the present state, decide again, and make the call that fits it.';
  if (status === 410) return 'It is gone for good: begin again.';
  if (status >= 500)
    return 'Look whether the act took place before you repeat it. Give the request id to whoever runs the platform.';
  if (/issues/.test(meaning))
    return 'Read issues: each names the path of a member and what is wrong with it.';
  return 'Correct the request; the same one is refused again. Nothing was changed.';
}

function listPage(
  keys: readonly [string, readonly [number, string]][],
  isCommon: ReadonlySet<string>,
): SitePage {
  const row = ([key, [status, text]]: readonly [string, readonly [number, string]]) =>
    `<tr data-operation><td>${status}</td><td><a href="${key}.html"><code>${escaped(key)}</code></a></td><td>${escaped(text)}</td></tr>`;
  const table = (rows: readonly (readonly [string, readonly [number, string]])[]) =>
    `<div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>Key</th><th>Text</th></tr></thead><tbody>${rows.map(row).join('\n')}</tbody></table></div>`;
  const [common, others] = [
    keys.filter(([key]) => isCommon.has(key)),
    keys.filter(([key]) => !isCommon.has(key)),
  ];
  const id = 'every-operation';
  return {
    slug: 'errors/index',
    title: 'Errors',
    summary: 'Every error key, with its status, its meaning and what to do.',
    section: 'Errors',
    html: `<h1>Errors</h1>
<p>Every error is JSON: <code>error</code> is a text for people and may change, <code>error_key</code> is stable. On the token route <code>error</code> is the OAuth code.</p>
<label class="filter">Filter <input type="search" data-filter="operations" placeholder="services, 409, limit …" autocomplete="off" /></label>
<h2 id="${id}">Of every operation</h2>${table(common)}
<h2 id="others">Of some operations</h2>${table(others)}`,
    headings: [],
    parts: [],
    markdown: `# Errors\n\n${keys.map(([key, [status, text]]) => `- [\`${key}\`](${key}.md) (${status}): ${text}`).join('\n')}\n`,
  };
}
