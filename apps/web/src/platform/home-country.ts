import { countries } from '@symbolon/field-types';

/** The country that a person most likely lives in. @param languages of the browser, the preferred one first; @param language of the page */
export function homeCountry(languages: readonly string[], language: string): string {
  const said = languages.map(regionOf).find((region) => region !== undefined);
  const found = said ?? new Intl.Locale(language).maximize().region ?? '';
  return countries.some(({ code }) => code === found) ? found : 'US';
}

/** Some systems call a language by what is no tag of one: `en-US@posix`. */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}
