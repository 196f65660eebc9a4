import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { en } from './en.ts';
import { TextContext, type TextKey, type Texts, textsOf, useText, type ValuesOf } from './index.tsx';

type Own = Readonly<Record<string, string>>;
type CountedOf<Added extends Own> = keyof Added extends infer Key
  ? Key extends `${infer Name}.other`
    ? Name
    : never
  : never;

/** As an added text, else as one of all pages. */
type TextOf<Added extends Own, Key> = Key extends keyof Added
  ? Added[Key]
  : Key extends TextKey
    ? (typeof en)[Key]
    : never;

interface TextsWith<Added extends Own> extends Omit<Texts, 't' | 'count'> {
  t<Key extends (keyof Added & string) | TextKey>(key: Key, ...values: ValuesOf<TextOf<Added, Key>>): string;
  count<Key extends CountedOf<Added>>(
    key: Key,
    count: number,
    ...values: ValuesOf<Added[`${Key}.other`], 'count'>
  ): string;
}

/**
 * The texts of pages that others do not load, beside those of all pages.
 * @param german loads them
 */
export function addedTexts<Added extends Own>(
  english: Added,
  german: () => Promise<Readonly<Record<keyof Added, string>>>,
) {
  let loadedGerman: Own | undefined;
  const atHand = (language: string): Own | undefined => (language === 'de' ? loadedGerman : english);
  const load = async (language: string): Promise<Own> => {
    if (language !== 'de') return english;
    try {
      loadedGerman ??= await german();
    } catch {
      // A language that cannot be loaded is no reason to show nothing.
    }
    return loadedGerman ?? english;
  };

  /** @param loading is shown until the texts are there */
  function Provider({ children, loading }: { children: ReactNode; loading?: ReactNode }) {
    const { catalogue, language, choose } = useText();
    const [own, setOwn] = useState(() => atHand(language));
    useEffect(() => {
      let isCurrent = true;
      load(language).then((loaded) => isCurrent && setOwn(loaded));
      return () => {
        isCurrent = false;
      };
    }, [language]);
    const texts = useMemo(
      () => own && textsOf({ ...catalogue, ...own }, language, choose),
      [own, catalogue, language, choose],
    );
    return texts ? <TextContext value={texts}>{children}</TextContext> : loading;
  }

  const [first = ''] = Object.keys(english);
  function useTexts(): TextsWith<Added> {
    const texts = useText();
    if (!(first in texts.catalogue))
      throw new Error('The provider of these texts is not around this component.');
    return texts as unknown as TextsWith<Added>;
  }

  return { Provider, useTexts };
}
