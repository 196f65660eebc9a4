import { addedTexts } from '../added.tsx';
import { enInside } from '../inside/en.ts';
import { enPortal } from './en.ts';

export type PortalCatalogue = Readonly<Record<keyof typeof enPortal, string>>;

const texts = addedTexts({ ...enInside, ...enPortal }, async () => {
  const [{ deInside }, { dePortal }] = await Promise.all([import('../inside/de.ts'), import('./de.ts')]);
  return { ...deInside, ...dePortal };
});

/** Adds the texts of accounts and of the portal to those of all pages. */
export const PortalTextProvider = texts.Provider;
/** The texts of the portal, which people who answer companies do not load, those of accounts, and those of all pages. */
export const usePortalText = texts.useTexts;
export type PortalTexts = ReturnType<typeof usePortalText>;
