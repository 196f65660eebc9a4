import type { Language } from './language.ts';

/** Only pages that ask load this. */
const whyTexts: Readonly<Record<Language, string>> = { en: 'Why: {reason}', de: 'Warum: {reason}' };

/** Why something is asked, with what the company says of it. */
export const whyText = (reason: string, language: Language): string =>
  whyTexts[language].replace('{reason}', () => reason);
