/** The files of the documentation site. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rolldown } from 'rolldown';
import { allWritten, sections, type Written } from './contents.ts';
import { errorPages } from './errors.ts';
import { htmlOf, type ListedSection, type SitePage } from './layout.ts';
import { codeBlock, escaped, isFile, type Place, render, twin } from './markdown.ts';
import { type ApiDocument, referencePages } from './reference.ts';
import { ROOT } from './root.ts';
import { searchIndex } from './search.ts';

/** A file of the site: its text, or the file that it is a copy of. */
export type Content = string | { readonly copyOf: string };

/** Names of languages by the endings of files. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.mjs': 'typescript',
  '.js': 'typescript',
  '.json': 'json',
  '.py': 'python',
  '.sh': 'bash',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.sql': 'sql',
  '.service': 'ini',
  '.conf': 'nginx',
  '.html': 'xml',
};

/** @param isServed whether a platform serves them, which their forms then call */
export async function filesOf(document: ApiDocument, isServed: boolean): Promise<Map<string, Content>> {
  const files = new Map<string, Content>();
  const sources = new Map<string, SitePage>();
  const place = placing(files, sources);
  const written = allWritten.map((page) => writtenPage(page, place));
  const inOne = (folder: string) => (text: string) =>
    render(text, { source: 'docs/wire/7-errors.md', slug: `${folder}/page`, place }).html;
  const reference = referencePages(document, {
    render: inOne('reference'),
    documentAt: isServed ? '../../openapi.json' : '../openapi.json',
  });
  const errors = errorPages(document, inOne('errors'));
  const listed = listedSections(reference, errors);
  const { version } = document.info;
  const frame = { version, sections: listed, isServed };
  const pages = [...written, ...reference, ...errors];
  for (const page of [...pages, ...sources.values()]) {
    files.set(`${page.slug}.html`, htmlOf(page, frame));
    files.set(`${page.slug}.md`, page.markdown);
  }
  files.set('search.json', searchIndex(pages));
  const styles = ['frame.css', 'content.css'].map((name) => join(import.meta.dirname, name));
  files.set('site.css', styles.map((path) => readFileSync(path, 'utf8')).join('\n'));
  files.set('llms.txt', llms(version, listed, new Map(pages.map((page) => [page.slug, page]))));
  files.set('versions.json', JSON.stringify([version]));
  if (!isServed) files.set('openapi.json', JSON.stringify(document));
  for (const [name, code] of await scripts()) files.set(name, code);
  return files;
}

function writtenPage({ source, slug, title, text }: Written, place: Place): SitePage {
  const about = { source, slug, place };
  const { html, headings, parts } = render(text, about);
  const section = sections.find(({ pages }) => pages.some((page) => page.slug === slug))?.title ?? 'Project';
  const summary = summaryOf(text);
  return { slug, title, summary, section, html, headings, parts, markdown: twin(text, about) };
}

/** The first sentence after the heading, without its marks. */
function summaryOf(text: string): string {
  const [, first = ''] = /^# .+\n+([^\n#<|`-][\s\S]*?)(?:\n\n|$)/m.exec(text) ?? [];
  const plain = first
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

function listedSections(reference: readonly SitePage[], errors: readonly SitePage[]): ListedSection[] {
  const api = {
    title: 'API reference',
    pages: [...reference.slice(0, 1), { slug: 'errors/index', title: 'Errors' }],
  };
  const [start, guides, ...rest] = sections;
  if (start === undefined || guides === undefined || errors.length === 0)
    throw new Error('The site has no pages.');
  return [start, { ...guides }, api, ...rest.map((section) => ({ ...section, isLong: true }))];
}

/** Where a file of the repository is on the site: as a page, as a picture, or as a page with its text. */
function placing(files: Map<string, Content>, sources: Map<string, SitePage>): Place {
  const bySource = new Map(allWritten.map((page) => [page.source, page.slug]));
  const slugOf = (path: string) => bySource.get(path) ?? bySource.get(`${path.replace(/\/$/, '')}/README.md`);
  return (path) => {
    const slug = slugOf(path);
    if (slug !== undefined) return { address: slug, isPage: true };
    if (path.startsWith('..') || !existsSync(join(ROOT, path))) return undefined;
    if (/\.(?:png|svg)$/.test(path)) {
      const address = path.replace(/^docs\//, '');
      // Drawn ones stand in their pages; there, and in Markdown, the file is what is named.
      files.set(address, { copyOf: join(ROOT, path) });
      return { address, isPage: false };
    }
    const address = `source/${path.replace(/\/$/, '')}`;
    if (!sources.has(address))
      sources.set(address, isFile(path) ? sourcePage(path, address) : folderPage(path, address));
    return { address, isPage: true };
  };
}

/** What is in a folder of the repository, by name. */
function folderPage(path: string, slug: string): SitePage {
  const names = readdirSync(join(ROOT, path)).filter(
    (name) => name !== 'node_modules' && !name.startsWith('.'),
  );
  return {
    slug,
    title: path,
    summary: `The folder ${path}.`,
    section: 'Project',
    html: `<h1><code>${escaped(path)}</code></h1><p>A folder of the repository:</p><ul>${names.map((name) => `<li><code>${escaped(name)}</code></li>`).join('')}</ul>`,
    headings: [],
    parts: [],
    markdown: `# ${path}\n\n${names.map((name) => `- ${name}`).join('\n')}\n`,
  };
}

function sourcePage(path: string, slug: string): SitePage {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const language = LANGUAGES[posix.extname(path)] ?? '';
  return {
    slug,
    title: path,
    summary: `The file ${path}.`,
    section: 'Project',
    html: `<h1><code>${escaped(path)}</code></h1>${codeBlock(text, language)}`,
    headings: [],
    parts: [],
    markdown: `# ${path}\n\n\`\`\`${language}\n${text}\`\`\`\n`,
  };
}

/** What programs that read the documentation begin with (llmstxt.org). */
function llms(
  version: string,
  listed: readonly ListedSection[],
  pages: ReadonlyMap<string, SitePage>,
): string {
  const lists = listed.map(({ title, pages: own }) => {
    const lines = own.map(
      ({ slug, title: name }) => `- [${name}](${slug}.md): ${pages.get(slug)?.summary ?? ''}`,
    );
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Symbolon ${version}

> A self-hosted platform on which companies and people share data. Values are sealed on people's devices to a company's key; the
> platform stores ciphertext. Companies read connections, drain a feed or receive webhooks, and open values themselves.

Every page is here in HTML and, with \`.md\` in place of \`.html\`, in Markdown. The page of an operation is \`reference/OPERATION_ID.md\`, that of
an error \`errors/KEY.md\`. The OpenAPI 3.1 document of a platform is at its \`/openapi.json\`.

${lists.join('\n\n')}
`;
}

/** What runs in the browser. */
async function scripts(): Promise<[string, string][]> {
  const bundle = async (input: Record<string, string>, format: 'esm' | 'iife') => {
    const made = await rolldown({ input, logLevel: 'warn' });
    const { output } = await made.generate({
      format,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      minify: true,
    });
    await made.close();
    return output.flatMap((file): [string, string][] =>
      file.type === 'chunk' ? [[file.fileName, file.code]] : [],
    );
  };
  const client = (name: string) => join(import.meta.dirname, 'client', `${name}.ts`);
  return [
    ...(await bundle({ site: client('site') }, 'esm')),
    ...(await bundle({ theme: client('theme') }, 'iife')),
  ];
}
