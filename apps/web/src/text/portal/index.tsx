import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { en } from '../en.ts';
import { TextContext, type TextKey, type Texts, textsOf, useText, type ValuesOf } from '../index.tsx';
import { enPortal } from './en.ts';

type PortalKey = keyof typeof enPortal;
export type PortalCatalogue = Readonly<Record<PortalKey, string>>;
type CountedPortalKey = PortalKey extends infer Key
  ? Key extends `${infer Name}.other`
    ? Name
    : never
  : never;

/** As a text of the portal, else as one of all pages. */
type TextOf<Key> = Key extends PortalKey
  ? (typeof enPortal)[Key]
  : Key extends TextKey
    ? (typeof en)[Key]
    : never;

export interface PortalTexts extends Omit<Texts, 't' | 'count'> {
  t<Key extends PortalKey | TextKey>(key: Key, ...values: ValuesOf<TextOf<Key>>): string;
  count<Key extends CountedPortalKey>(
    key: Key,
    count: number,
    ...values: ValuesOf<(typeof enPortal)[`${Key}.other`], 'count'>
  ): string;
}

/** The texts of the portal, which people who answer companies do not load, and those of all pages. */
export function usePortalText(): PortalTexts {
  return useText() as unknown as PortalTexts;
}

/** Adds the texts of the portal to those of all pages. */
export function PortalTextProvider({ children }: { children: ReactNode }) {
  const { catalogue, language, choose } = useText();
  const [own, setOwn] = useState<PortalCatalogue | undefined>(language === 'en' ? enPortal : undefined);
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

/** A language that cannot be loaded is no reason to show nothing. */
async function load(language: string): Promise<PortalCatalogue> {
  if (language !== 'de') return enPortal;
  return import('./de.ts').then(
    ({ dePortal }) => dePortal,
    () => enPortal,
  );
}
