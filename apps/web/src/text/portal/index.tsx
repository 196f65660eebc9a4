import { addedTexts } from '../added.tsx';
import { enPortal } from './en.ts';

export type PortalCatalogue = Readonly<Record<keyof typeof enPortal, string>>;

const texts = addedTexts(enPortal, () => import('./de.ts').then(({ dePortal }) => dePortal));

/** Adds the texts of the portal to those of all pages. */
export const PortalTextProvider = texts.Provider;
/** The texts of the portal, which people who answer companies do not load, and those of all pages. */
export const usePortalText = texts.useTexts;
export type PortalTexts = ReturnType<typeof usePortalText>;
