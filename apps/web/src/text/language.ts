import type { Catalogue } from './index.tsx';
import { settings } from './settings.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const STORED = 'symbolon.language';

/** The language that was chosen here, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const wanted = [settings.read(STORED) ?? '', ...navigator.languages];
  for (const tag of wanted) {
    const [name = ''] = tag.split('-');
    if (Object.hasOwn(languages, name)) return name as Language;
  }
  return 'en';
}

export function keepLanguage(language: Language): void {
  settings.keep(STORED, language);
}

/** The texts of a language that is not part of the page; undefined for English, which is, and where they cannot be loaded. */
export async function loadTexts(language: Language): Promise<Catalogue | undefined> {
  if (language === 'en') return undefined;
  return import('./de.ts').then(
    ({ de }) => de,
    () => undefined,
  );
}
