import type { PersonPluginPassRequest } from '@symbolon/protocol';
import { PluginFields } from '@symbolon/sdk/device';
import { call } from './inner/api.ts';

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

/** The plugin that answers a field, as this browser asks it. */
export const pluginsWith = (passFor: PassFor) =>
  new PluginFields(() => call('POST', '/api/person/plugin-pass', passFor));
