/** Turns Markdown of the repository into HTML of the site, and into the Markdown that the site hands out. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt, { type Token } from 'markdown-it';
import { ROOT } from './root.ts';

for (const [name, language] of Object.entries({
  bash,
  http,
  ini,
  json,
  nginx,
  python,
  sql,
  typescript,
  xml,
  yaml,
}))
  hljs.registerLanguage(name, language);

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}
/** A part of a page below one of its headings, as the search finds it. */
export interface Part extends Omit<Heading, 'level'> {
  readonly body: string;
}
export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
}

/** @returns the address on the site for one in the repository, without the extension of pages; undefined where the site has none */
export type Place = (path: string) => { readonly address: string; readonly isPage: boolean } | undefined;

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** As GitHub makes them, so that a link works in both places. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function highlighted(code: string, language = ''): string {
  const known = hljs.getLanguage(language) !== undefined;
  return known ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escaped(code);
}

export function codeBlock(code: string, language = ''): string {
  const text = code.replace(/\n$/, '');
  return `<pre class="code" data-language="${escaped(language)}" tabindex="0"><code>${highlighted(text, language)}</code></pre>`;
}

/** What the tests read of a page, and readers need not. */
const withoutMarks = (text: string) => text.replace(/^<!-- docs: .*? -->\n/gms, '');

/** @param source path of the page in the repository @param slug its address, which links are relative to */
export function render(
  text: string,
  { source, slug, place }: { source: string; slug: string; place: Place },
): Rendered {
  const markdown = new MarkdownIt({
    html: false,
    linkify: false,
    typographer: false,
    highlight: highlighted,
  });
  const { rules } = markdown.renderer;
  const headings: Heading[] = [];
  const seen = new Map<string, number>();
  const tokens = markdown.parse(withoutMarks(text), {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const plain = plainText(tokens[index + 1]?.children ?? []);
      const base = anchorOf(plain);
      const count = seen.get(base) ?? 0;
      seen.set(base, count + 1);
      const id = count === 0 ? base : `${base}-${count}`;
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag.slice(1)), id, text: plain });
    }
    // The policy allows no style in a page.
    const aligned = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (aligned !== undefined) token.attrs = [['class', aligned]];
    if (token.type === 'inline')
      for (const child of token.children ?? []) pointed(child, source, slug, place);
  }
  rules.fence = (all, index) => codeBlock(all[index]?.content ?? '', all[index]?.info.trim());
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.image = (all, index) =>
    picture(String(all[index]?.attrGet('src')), all[index]?.content ?? '', source);
  // A corner without a heading heads nothing.
  const html = markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<th></th>', '<td></td>');
  return { html, headings, parts: partsOf(tokens, headings) };
}

const plainText = (children: readonly Token[]) =>
  children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

function pointed(token: Token, source: string, slug: string, place: Place): void {
  const attribute = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined;
  if (attribute === undefined) return;
  token.attrSet(
    attribute,
    target(String(token.attrGet(attribute)), { source, slug, place, extension: '.html' }),
  );
}

/** A link of the repository as one of the site, relative to the page that it stands on. */
function target(
  link: string,
  { source, slug, place, extension }: { source: string; slug: string; place: Place; extension: string },
): string {
  if (/^[a-z]+:|^#|^\//.test(link)) return link;
  const [path = '', hash] = link.split('#');
  const found = place(posix.join(posix.dirname(source), path));
  if (found === undefined) throw new Error(`${source} leads to ${link}, which the site has not.`);
  const address = posix.relative(posix.dirname(slug), found.address) + (found.isPage ? extension : '');
  return hash === undefined ? address : `${address}#${hash}`;
}

/** Drawn pictures stand in the page itself, so that they take its colours. */
function picture(address: string, title: string, source: string): string {
  const file = /(?:^|\/)pictures\/drawn\/([\w-]+\.svg)$/.exec(address)?.[1];
  if (file === undefined) return `<img src="${escaped(address)}" alt="${escaped(title)}" loading="lazy" />`;
  const path = join(ROOT, 'docs/pictures/drawn', file);
  if (!existsSync(path)) throw new Error(`${source} shows ${address}, which does not exist.`);
  const svg = readFileSync(path, 'utf8')
    .replace(/<style>.*?<\/style>/s, '')
    .replace('<svg ', `<svg role="img" aria-label="${escaped(title)}" `);
  return `<span class="drawn">${svg.trim()}</span>`;
}

function partsOf(tokens: readonly Token[], headings: readonly Heading[]): Part[] {
  const parts: { id: string; text: string; body: string }[] = [];
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = headings[next++];
      if (heading !== undefined) parts.push({ id: heading.id, text: heading.text, body: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const part = parts.at(-1);
      if (part !== undefined) part.body += `${plainText(token.children ?? [])} `;
    }
  }
  return parts;
}

/** The page as it is handed out in Markdown: without marks for tests, its links pointing to such pages. */
export function twin(text: string, about: { source: string; slug: string; place: Place }): string {
  let isCode = false;
  return withoutMarks(text)
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode) return line;
      return line.replace(
        /\]\(([^)\s]+)\)/g,
        (_all, link: string) => `](${target(link, { ...about, extension: '.md' })})`,
      );
    })
    .join('\n');
}

/** Whether there is such a file in the repository. */
export const isFile = (path: string) => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile();
