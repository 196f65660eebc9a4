import { DirectionProvider } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { en } from './en.ts';

export type TextKey = keyof typeof en;
export type Catalogue = Readonly<Record<TextKey, string>>;
/** The names of texts that are chosen by a number: `x` of `x.one` and `x.other`. */
export type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Name}.other`
    ? Name
    : never
  : never;
export type Values = Readonly<Record<string, string | number>>;

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

interface Texts {
  readonly language: Language;
  choose(language: Language): void;
  /** The text of a key, with its values. */
  t(key: TextKey, values?: Values): string;
  /** The text for a number, `{count}` in it. */
  count(key: CountedKey, count: number, values?: Values): string;
  /** The text of a key that may not exist. */
  maybe(key: string, values?: Values): string | undefined;
}

const Context = createContext<Texts | undefined>(undefined);
const STORED = 'symbolon.language';

export function useText(): Texts {
  const texts = use(Context);
  if (texts === undefined) throw new Error('There is no catalogue around this component.');
  return texts;
}

/** Gives the pages their texts. English is there at once, other languages are loaded. */
export function TextProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferred);
  const [catalogue, setCatalogue] = useState<Catalogue | undefined>(language === 'en' ? en : undefined);
  useEffect(() => {
    let isCurrent = true;
    load(language).then((loaded) => isCurrent && setCatalogue(loaded));
    document.documentElement.lang = language;
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const texts = useMemo(
    () =>
      catalogue &&
      textsOf(catalogue, language, (chosen) => {
        localStorage.setItem(STORED, chosen);
        setLanguage(chosen);
      }),
    [catalogue, language],
  );
  if (texts === undefined) return null;
  return (
    <DirectionProvider>
      <Context value={texts}>{children}</Context>
    </DirectionProvider>
  );
}

function preferred(): Language {
  const wanted = [localStorage.getItem(STORED) ?? '', ...navigator.languages];
  for (const tag of wanted) {
    const [name = ''] = tag.split('-');
    if (Object.hasOwn(languages, name)) return name as Language;
  }
  return 'en';
}

async function load(language: Language): Promise<Catalogue> {
  // A language that cannot be loaded is no reason to show nothing.
  if (language === 'de')
    return import('./de.ts').then(
      ({ de }) => de,
      () => en,
    );
  return en;
}

export function textsOf(catalogue: Catalogue, language: Language, choose: Texts['choose']): Texts {
  const rules = new Intl.PluralRules(language);
  const maybe = (key: string, values: Values = {}) =>
    Object.hasOwn(catalogue, key)
      ? catalogue[key as TextKey].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
      : undefined;
  return {
    language,
    choose,
    maybe,
    t: (key, values) => maybe(key, values) ?? key,
    count: (key, count, values) => {
      const chosen = maybe(`${key}.${rules.select(count)}`, { count, ...values });
      return chosen ?? maybe(`${key}.other`, { count, ...values }) ?? key;
    },
  };
}
