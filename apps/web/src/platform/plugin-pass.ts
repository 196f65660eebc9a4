import type { PersonPluginPassRequest } from '@symbolon/protocol';

/** For what a pass is asked that lets the person's browser ask a plugin. */
export type PassFor = PersonPluginPassRequest;

export const passForService = (companyCode: string, shareCode: string): PassFor => ({
  company_code: companyCode,
  service_code: shareCode,
});

/** @param state as the site sent it */
export const passForApp = (clientId: string, state: string | null): PassFor => ({
  client_id: clientId,
  ...(state && { state }),
});
