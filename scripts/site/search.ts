/** What the search of the site reads: an index of all parts of all pages, made when the site is built. */
import MiniSearch from 'minisearch';
import { searchOptions } from './client/search-options.ts';
import type { SitePage } from './layout.ts';

export function searchIndex(pages: readonly SitePage[]): string {
  const search = new MiniSearch(searchOptions);
  search.addAll(
    pages.flatMap(({ slug, title, section, summary, parts }) => {
      const own = parts.length === 0 ? [{ id: '', text: title, body: summary }] : parts;
      return own.map(({ id, text, body }, index) => ({
        id: `${slug}.html${id === '' || index === 0 ? '' : `#${id}`}`,
        title: text,
        page: title,
        section,
        body,
      }));
    }),
  );
  return JSON.stringify(search);
}
