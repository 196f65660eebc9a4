import { settings, tabSettings } from '../text/settings.ts';

/** What begins the names of what is kept of forms that are not sent: drafts in this browser, the rest in its tab alone. */
export const DRAFTS = 'symbolon.draft.';
export const FORMS = 'symbolon.form.';
export const PORTAL_DRAFTS = 'symbolon.portal.draft.';
export const PORTAL_FORMS = 'symbolon.portal.form.';
/** The same of the views of lists that a login has named, and of where it is in a list: its tab alone. */
export const PORTAL_VIEWS = 'symbolon.portal.views.';
export const PORTAL_PLACES = 'symbolon.portal.place.';

/** Forms outlive a session that ends by itself, but no sign-out of the person. */
export function forgetForms(): void {
  settings.dropAll(DRAFTS);
  tabSettings.dropAll(FORMS);
}

/** The same for a login of a company, with what may name its customers. */
export function forgetPortalForms(): void {
  settings.dropAll(PORTAL_DRAFTS);
  settings.dropAll(PORTAL_VIEWS);
  tabSettings.dropAll(PORTAL_FORMS);
  tabSettings.dropAll(PORTAL_PLACES);
}
