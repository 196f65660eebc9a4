import { addedTexts } from '../added.tsx';
import { enInside } from './en.ts';

export type InsideCatalogue = Readonly<Record<keyof typeof enInside, string>>;

const texts = addedTexts(enInside, () => import('./de.ts').then(({ deInside }) => deInside));

/** Adds the texts of accounts to those of all pages. */
export const InsideTextProvider = texts.Provider;
/** The texts of accounts, which people who sign in and consent do not load, and those of all pages. */
export const useInsideText = texts.useTexts;
export type InsideTexts = ReturnType<typeof useInsideText>;
