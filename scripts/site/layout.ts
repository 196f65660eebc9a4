/** The frame around every page of the documentation site. All its links are relative, so that it works in any folder. */
import { posix } from 'node:path';
import { escaped, type Heading, type Part } from './markdown.ts';

export interface SitePage {
  /** Address without its extension. */
  readonly slug: string;
  readonly title: string;
  /** What stands in lists of pages, and in `llms.txt`. */
  readonly summary: string;
  readonly section: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
  /** The same in Markdown. */
  readonly markdown: string;
}
export interface ListedSection {
  readonly title: string;
  readonly pages: readonly Pick<SitePage, 'slug' | 'title'>[];
  /** Shown open only where the reader is in it. */
  readonly isLong?: boolean;
}

/** Of a page in one of its sections. */
export interface Frame {
  readonly version: string;
  readonly sections: readonly ListedSection[];
  /** Whether a platform serves it, which then can be called from its pages. */
  readonly isServed: boolean;
}

const MARK =
  '<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"><path d="M10.6 3.6a8.5 8.5 0 0 0-3 15.6"/><path d="M13.4 20.4a8.5 8.5 0 0 0 3-15.6"/></g></svg>';

export function htmlOf(page: SitePage, { version, sections, isServed }: Frame): string {
  const up = '../'.repeat(page.slug.split('/').length - 1);
  const to = (slug: string) => `${posix.relative(posix.dirname(page.slug), slug)}.html`;
  const inPage = page.headings.filter(({ level }) => level === 2 || level === 3);
  const contents =
    inPage.length < 3
      ? ''
      : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${inPage
          .map(
            ({ level, id, text }) =>
              `<li class="level-${level}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
          )
          .join('')}</ul></nav>`;
  const lists = sections
    .map(({ title, pages, isLong = false }) => {
      const isHere = title === page.section;
      const items = pages
        .map(
          ({ slug, title }) =>
            `<li><a href="${to(slug)}"${slug === page.slug ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
        )
        .join('');
      return `<details${isHere || !isLong ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items}</ul></details>`;
    })
    .join('');
  return `<!doctype html>
<html lang="en" data-root="${up || './'}"${isServed ? ' data-served' : ''}>
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${escaped(page.summary)}" />
<title>${escaped(page.title)} · Symbolon</title>
<script src="${up}theme.js"></script>
<link rel="stylesheet" href="${up}site.css" />
<link rel="alternate" type="text/markdown" href="${posix.basename(page.slug)}.md" />
<script type="module" src="${up}site.js"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="pages">Menu</button>
<a class="home" href="${to('index')}">${MARK}<span>Symbolon</span></a> <a class="version" href="${to('changelog')}">${escaped(version)}</a>
<button type="button" class="search" aria-haspopup="dialog">Search <kbd>/</kbd></button>
<button type="button" class="theme" aria-label="Dark mode" aria-pressed="false">◐</button>
</header>
<div class="frame">
<nav id="pages" class="pages" aria-label="Pages">${lists}</nav>
<main id="content" tabindex="-1">
${page.html}
<p class="foot"><a href="${posix.basename(page.slug)}.md">This page as Markdown</a></p>
</main>
${contents}
</div>
</body>
</html>
`;
}
