import { PORTAL_FORMS } from '../../platform/forms.ts';
import { useKeptInTab } from '../use-kept-in-tab.ts';
import { usePortalLogin } from './portal-page.tsx';

/** Settings that a login types into a small form, kept in this tab until they are saved. @param name of the form */
export function useKeptForm<Value extends object>(name: string, first: () => Value) {
  return useKeptInTab(`${PORTAL_FORMS}${usePortalLogin().login.id}.${name}`, first);
}
