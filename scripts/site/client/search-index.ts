import MiniSearch from 'minisearch';
import { searchOptions } from './search-options.ts';

/** Opens the index that was made with the site. */
export const searchIndex = (text: string): MiniSearch => MiniSearch.loadJSON(text, searchOptions);
