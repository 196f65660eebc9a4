import { DirectionProvider } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { en } from './en.ts';
import { keepLanguage, type Language, loadTexts, preferredLanguage } from './language.ts';

export type TextKey = keyof typeof en;
export type Catalogue = Readonly<Record<TextKey, string>>;
/** The names of texts that are chosen by a number: `x` of `x.one` and `x.other`. */
export type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Name}.other`
    ? Name
    : never
  : never;
export type Values = Readonly<Record<string, string | number>>;

/** The names of the values in a text. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
/** A text without one of its values would show the name of that value: the compiler asks for all of them. */
export type ValuesOf<Text, Given = never> = [Exclude<NamesIn<Text>, Given>] extends [never]
  ? [values?: Values]
  : [values: Values & Readonly<Record<Exclude<NamesIn<Text>, Given>, string | number>>];

export interface Texts {
  readonly language: Language;
  readonly catalogue: Catalogue;
  choose(language: Language): void;
  /** The text of a key, with its values. */
  t<Key extends TextKey>(key: Key, ...values: ValuesOf<(typeof en)[Key]>): string;
  /** The text for a number, `{count}` in it. */
  count<Key extends CountedKey>(
    key: Key,
    count: number,
    ...values: ValuesOf<(typeof en)[`${Key}.other`], 'count'>
  ): string;
  /** The text of a key that may not exist. */
  maybe(key: string, values?: Values): string | undefined;
}

export const TextContext = createContext<Texts | undefined>(undefined);

export function useText(): Texts {
  const texts = use(TextContext);
  if (texts === undefined) throw new Error('There is no catalogue around this component.');
  return texts;
}

/** Gives the pages their texts. English is there at once, other languages are loaded. */
export function TextProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [catalogue, setCatalogue] = useState<Catalogue | undefined>(language === 'en' ? en : undefined);
  useEffect(() => {
    let isCurrent = true;
    // A language that cannot be loaded is no reason to show nothing.
    loadTexts(language).then((loaded) => isCurrent && setCatalogue(loaded ?? en));
    document.documentElement.lang = language;
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const texts = useMemo(
    () =>
      catalogue &&
      textsOf(catalogue, language, (chosen) => {
        keepLanguage(chosen);
        setLanguage(chosen);
      }),
    [catalogue, language],
  );
  if (texts === undefined) return null;
  return (
    <DirectionProvider>
      <TextContext value={texts}>{children}</TextContext>
    </DirectionProvider>
  );
}

export function textsOf(catalogue: Catalogue, language: Language, choose: Texts['choose']): Texts {
  const rules = new Intl.PluralRules(language);
  const maybe = (key: string, values: Values = {}) =>
    Object.hasOwn(catalogue, key)
      ? catalogue[key as TextKey].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
      : undefined;
  return {
    language,
    catalogue,
    choose,
    maybe,
    t: (key, ...[values]) => maybe(key, values) ?? key,
    count: (key, count, ...[values]) => {
      const chosen = maybe(`${key}.${rules.select(count)}`, { count, ...values });
      return chosen ?? maybe(`${key}.other`, { count, ...values }) ?? key;
    },
  };
}
