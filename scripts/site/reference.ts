/** The pages about the API: one for each operation of the OpenAPI document, and lists of them by their tags. */
import { errorCatalogue } from '../../packages/protocol/src/constants.ts';
import type { SitePage } from './layout.ts';
import { codeBlock, escaped } from './markdown.ts';
import { type Schema, SchemaReader, type Schemas } from './schemas.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<
    Record<string, Content & { readonly $ref?: string; readonly description?: string }>
  >;
  readonly 'x-callers'?: readonly string[];
  readonly 'x-capabilities'?: readonly string[];
  readonly 'x-portal-role'?: string;
  readonly 'x-errors': Readonly<Record<string, readonly string[]>>;
}
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
  readonly 'x-common-errors': Readonly<Record<string, readonly string[]>>;
}
/** An operation with where it stands. */
export interface Placed extends Operation {
  readonly method: string;
  readonly path: string;
  readonly slug: string;
  readonly tag: string;
}

const CALLERS: Readonly<Record<string, string>> = {
  data_client: 'a data client of a service',
  account_client: 'an account client',
  portal: 'a session of the portal',
  person: 'a person’s session',
  sign_in: 'the token of a sign-in',
};

export function operationsOf(document: ApiDocument): Placed[] {
  const order = document.tags.map(({ name }) => name);
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        slug: `reference/${operation.operationId}`,
        tag: operation.tags?.[0] ?? 'platform',
      })),
    )
    .sort((one, other) => order.indexOf(one.tag) - order.indexOf(other.tag));
}

/** Lists of the operations, and a page for each. */
export function referencePages(
  document: ApiDocument,
  { render, documentAt }: { render: (text: string) => string; documentAt: string },
): SitePage[] {
  const operations = operationsOf(document);
  const reader = new SchemaReader(document.components.schemas);
  return [
    listPage(document, operations, documentAt),
    ...operations.map((operation) => operationPage(operation, reader, render)),
  ];
}

const mark = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;
const routeOf = ({ method, path }: Placed) => `${mark(method)} <code>${escaped(path)}</code>`;

function listPage({ tags }: ApiDocument, operations: readonly Placed[], documentAt: string): SitePage {
  const groups = tags
    .map((tag) => ({ ...tag, own: operations.filter((operation) => operation.tag === tag.name) }))
    .filter(({ own }) => own.length > 0);
  const id = (name: string) => name.replaceAll(' ', '-');
  const html = `<h1>API reference</h1>
<p>${operations.length} operations, from the same schemas that check requests and answers. The <a href="${documentAt}">OpenAPI 3.1 document</a> has them for programs.
Every error has <a href="../errors/index.html">a page of its own</a>; the <a href="../wire/index.html">wire reference</a> says what a schema cannot.</p>
<label class="filter">Filter <input type="search" data-filter="operations" placeholder="webhook, /api/services, PUT …" autocomplete="off" /></label>
<div data-sign-in></div>
${groups
  .map(
    ({
      name,
      description,
      own,
    }) => `<section class="group"><h2 id="${id(name)}">${escaped(capital(name))}</h2><p>${escaped(description)}</p>
<ul class="operations">${own.map((each) => `<li data-operation><a href="${each.operationId}.html">${routeOf(each)} <span class="summary">${escaped(each.summary)}</span></a></li>`).join('\n')}</ul></section>`,
  )
  .join('\n')}`;
  return {
    slug: 'reference/index',
    title: 'API reference',
    summary: 'Every operation of the API, to read and to try.',
    section: 'API reference',
    html,
    headings: groups.map(({ name }) => ({ level: 2, id: id(name), text: capital(name) })),
    parts: [],
    markdown: `# API reference\n\n${groups
      .map(
        ({ name, description, own }) =>
          `## ${capital(name)}\n\n${description}\n\n${own.map((each) => `- [\`${each.method} ${each.path}\`](${each.operationId}.md): ${each.summary}`).join('\n')}`,
      )
      .join('\n\n')}\n`,
  };
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function operationPage(operation: Placed, reader: SchemaReader, render: (text: string) => string): SitePage {
  const { summary, description = '', parameters = [], requestBody, responses } = operation;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const sample = body === undefined ? undefined : reader.example(body.schema);
  const answers = Object.entries(responses).filter(([status]) => /^\d{3}$/.test(status));
  const curl = curlOf(operation, type, sample);
  const answered = answers.map(([status, answer]) => answerHtml(status, answer, reader));
  const html = `<h1>${escaped(summary)}</h1>
<p class="route">${routeOf(operation)}</p>
${description === '' ? '' : render(description)}
${whoHtml(operation)}
${parameters.length === 0 ? '' : `<h2 id="parameters">Parameters</h2>\n<ul class="members">${parameters.map((each) => parameterHtml(each, reader)).join('')}</ul>`}
${body === undefined ? '' : `<h2 id="body">Body</h2>\n<p><code>${escaped(type ?? '')}</code></p>${reader.html(body.schema)}${sample === undefined ? '' : codeBlock(JSON.stringify(sample, null, 2), 'json')}`}
<h2 id="call">Call</h2>
${codeBlock(curl, 'bash')}
<div data-try="${escaped(JSON.stringify({ method: operation.method, path: operation.path, type, sample, parameters: parameters.map(({ name, in: where, required = false }) => ({ name, in: where, required })) }))}"></div>
<h2 id="answers">Answers</h2>
${answered.map(({ html }) => html).join('\n')}
<h2 id="errors">Errors</h2>
${errorsHtml(operation)}`;
  return {
    slug: operation.slug,
    title: summary,
    summary: `${operation.method} ${operation.path}`,
    section: 'API reference',
    html,
    headings: [],
    parts: [{ id: '', text: `${operation.method} ${operation.path}`, body: `${summary} ${description}` }],
    markdown: [
      `# ${summary}`,
      `\`${operation.method} ${operation.path}\``,
      ...(description === '' ? [] : [description]),
      ...(operation['x-callers'] === undefined ? [] : [`Callers: ${operation['x-callers'].join(', ')}.`]),
      ...parameters.map(
        ({ name, in: where, required }) => `- \`${name}\` (${where}${required === true ? ', required' : ''})`,
      ),
      ...(sample === undefined ? [] : [`Body (${type}):\n\n${fenced(sample)}`]),
      `Call:\n\n\`\`\`sh\n${curl}\n\`\`\``,
      ...answered.map(({ markdown }) => markdown),
      `Errors: ${Object.values(operation['x-errors'])
        .flat()
        .map((key) => `[\`${key}\`](../errors/${key}.md)`)
        .join(', ')}`,
      '',
    ].join('\n\n'),
  };
}

const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function whoHtml(operation: Placed): string {
  const callers = operation['x-callers'];
  if (callers === undefined) return '<p class="who">Anyone may call it.</p>';
  const capabilities = operation['x-capabilities'] ?? [];
  const role = operation['x-portal-role'];
  const says = callers.map((caller) => {
    const name = CALLERS[caller] ?? caller;
    if (caller === 'account_client' && capabilities.length > 0 && !capabilities.includes('baseline'))
      return `${name} with ${capabilities.map((each) => `<code>${each}</code>`).join(' or ')}`;
    if (caller === 'portal' && role !== undefined) return `${name}, from the role <code>${role}</code> on`;
    return escaped(name);
  });
  return `<p class="who">Called by ${says.join('; ')}.</p>`;
}

function parameterHtml(
  { name, in: where, required = false, description, schema }: Parameter,
  reader: SchemaReader,
): string {
  const says = [description ?? reader.opened(schema).description].filter(Boolean).join('; ');
  return `<li><code>${escaped(name)}</code> <span class="type">${escaped(reader.typeOf(schema))} in the ${where}</span>${required ? '' : ' <span class="optional">optional</span>'}${says === '' ? '' : `<span class="says">${escaped(says)}</span>`}</li>`;
}

function answerHtml(
  status: string,
  { description = '', content = {} }: Content & { description?: string },
  reader: SchemaReader,
) {
  const [type, body] = Object.entries(content)[0] ?? [];
  const title = `${status} ${description}`;
  const sample = body === undefined || type !== 'application/json' ? undefined : reader.example(body.schema);
  if (body === undefined || sample === null)
    return {
      html: `<h3>${escaped(title)}</h3><p>Without a body.</p>`,
      markdown: `Answer ${title}, without a body.`,
    };
  if (sample === undefined)
    return {
      html: `<h3>${escaped(title)}</h3><p><code>${escaped(type ?? '')}</code></p>`,
      markdown: `Answer ${title}: ${type}.`,
    };
  return {
    html: `<h3>${escaped(title)}</h3>${reader.html(body.schema)}${codeBlock(JSON.stringify(sample, null, 2), 'json')}`,
    markdown: `Answer ${title}:\n\n${fenced(sample)}`,
  };
}

function errorsHtml(operation: Placed): string {
  const catalogue: Readonly<Record<string, readonly [number, string]>> = errorCatalogue;
  const rows = Object.entries(operation['x-errors']).flatMap(([status, keys]) =>
    keys.map(
      (key) =>
        `<tr><td>${status}</td><td><a href="../errors/${key}.html"><code>${key}</code></a></td><td>${escaped(catalogue[key]?.[1] ?? '')}</td></tr>`,
    ),
  );
  const common =
    '<p>Beside these, <a href="../errors/index.html#every-operation">what every operation may answer</a>.</p>';
  if (rows.length === 0) return common;
  return `<div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>Key</th><th>Text</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${common}`;
}

function curlOf(
  { method, path, 'x-callers': callers, parameters = [] }: Placed,
  type: string | undefined,
  sample: unknown,
): string {
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter((each) => each.in === 'query' && each.required === true)
    .map(({ name }) => `${name}=…`);
  const lines = [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} "$URL${address}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
  ];
  if (callers !== undefined) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (type === 'application/json')
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(sample).replaceAll("'", "'\\''")}'`,
    );
  else if (type === 'application/x-www-form-urlencoded')
    for (const [name, value] of Object.entries((sample ?? {}) as object)) lines.push(`-d ${name}='${value}'`);
  else if (type !== undefined) lines.push(`-H 'Content-Type: ${type}'`, '--data-binary @file');
  return lines.join(' \\\n  ');
}
