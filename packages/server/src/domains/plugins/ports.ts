import type { PluginUse } from '@symbolon/protocol';
import type { Reader } from '../../db/database.ts';

/** Those who use plugins: flows, request rows and claims of sign-in apps. Each hands this in. */
export interface PluginUses {
  /** What of a company uses which of its plugins. */
  of(reader: Reader, companyId: string): Promise<readonly (PluginUse & { readonly plugin_id: string })[]>;
}
