import { countries } from '@symbolon/field-types';
import { useMemo } from 'react';
import { homeCountry } from '../platform/home-country.ts';
import { useText } from '../text/index.tsx';

/** All countries by their names in the language of the page, in the order of that language. */
export function useCountries(): readonly { code: string; name: string }[] {
  const { language } = useText();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const { compare } = new Intl.Collator(language);
    return countries
      .map(({ code, name }) => ({ code, name: names.of(code) ?? name }))
      .sort((one, other) => compare(one.name, other.name));
  }, [language]);
}

/** The country that the person most likely lives in, by the settings of the browser: a guess, which is shown and can be changed. */
export function useHomeCountry(): string {
  const { language } = useText();
  return homeCountry(navigator.languages, language);
}
