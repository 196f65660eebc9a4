import { addedTexts } from '../added.tsx';
import { enOperator } from './en.ts';

export type OperatorCatalogue = Readonly<Record<keyof typeof enOperator, string>>;

const texts = addedTexts(enOperator, () => import('./de.ts').then(({ deOperator }) => deOperator));

/** Adds the texts of the operator's pages to those of all pages. */
export const OperatorTextProvider = texts.Provider;
/** The texts of the operator's pages and those of all pages. */
export const useOperatorText = texts.useTexts;
export type OperatorTexts = ReturnType<typeof useOperatorText>;
