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
 * The texts of an app that others do not load, beside those of all pages.
 * @param german loads them
 */
export function addedTexts<Added extends Own>(
  english: Added,
  german: () => Promise<Readonly<Record<keyof Added, string>>>,
) {
  /** A language that cannot be loaded is no reason to show nothing. */
  const load = (language: string): Promise<Own> =>
    language === 'de' ? german().catch(() => english) : Promise.resolve(english);

  function Provider({ children }: { children: ReactNode }) {
    const { catalogue, language, choose } = useText();
    const [own, setOwn] = useState<Own | undefined>(language === 'en' ? english : undefined);
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
    return texts && <TextContext value={texts}>{children}</TextContext>;
  }

  return { Provider, useTexts: () => useText() as unknown as TextsWith<Added> };
}
