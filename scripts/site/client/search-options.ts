import type { Options } from 'minisearch';

/** Of the index, where it is made and where it is read. */
export const searchOptions: Options = {
  fields: ['title', 'page', 'body'],
  storeFields: ['title', 'page', 'section'],
  // Also the words of keys and addresses: `services.not_found` is found by each of them.
  tokenize: (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u),
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};
