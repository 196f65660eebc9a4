import { createHmac } from 'node:crypto';
import { limits, type PluginManifest } from '@symbolon/protocol';
import type { Clock } from '../../../core/clock.ts';
import type { Ids } from '../../../core/ids.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import { openText, sealText, versionOf } from './sealed.ts';

/** A plugin as a pass names it: everything that the forwarder needs in order to call it. */
export type PassedPlugin = { readonly id: string } & (
  | { readonly base: string; readonly token: string | null; readonly public_key: string | null }
  /** One of the platform, with its private key: PKCS#8, base64. */
  | { readonly builtin: string; readonly private_key: string }
);

export interface PassContent {
  /** Names the pass where its calls are counted. */
  readonly id: string;
  readonly company_id: string;
  /** Of a pass for a customer: stands for the customer where the calls of all their passes are counted, and says nothing else. */
  readonly caller?: string;
  /** Where the plugin's description is reported to: the base URL of the company's region. */
  readonly region_url: string;
  readonly plugins: readonly PassedPlugin[];
  readonly expires_at: number;
}

/** A pass opens one thing: `/call` or `/registry` of the forwarder. */
export type PassPurpose = 'call' | 'registry';

/** How a plugin described itself, or why that failed, from the forwarder to the API. */
export interface PluginReport {
  readonly company_id: string;
  readonly plugin_id: string;
  readonly at: number;
  readonly manifest?: PluginManifest;
  readonly error?: string;
}

/** A report is taken to the API at once. */
const REPORT_MS = 60_000;

interface Deps {
  readonly keys: Pick<KeyRing, 'current' | 'has' | 'key'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Passes and reports: what the API and the forwarder tell each other through those who call (wire 14.4). Nothing is stored. */
export class Passes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  mint(purpose: PassPurpose, content: Omit<PassContent, 'id' | 'expires_at'>): string {
    const { keys, clock, ids } = this.#deps;
    const expires_at = clock.now() + limits.pluginPassMs;
    return sealText(keys, purpose, JSON.stringify({ ...content, id: ids.uuid(), expires_at }));
  }

  /** What stands for a customer in passes of a company. */
  callerOf(companyId: string, customerId: string): string {
    const { keys } = this.#deps;
    const hmac = createHmac('sha256', keys.key('forwarder', keys.current));
    return hmac.update(`${companyId} ${customerId}`).digest('base64url');
  }

  /** Undefined for a pass that is not good for this, or no longer. */
  open(purpose: PassPurpose, pass: string): PassContent | undefined {
    return this.#read<PassContent>(purpose, pass, ({ expires_at }) => expires_at);
  }

  /** Seals a report under the version of the secret that made a pass: the API has that one. */
  report(report: PluginReport, pass: string): string {
    return sealText(this.#deps.keys, 'report', JSON.stringify(report), versionOf(pass));
  }

  openReport(sealed: string): PluginReport | undefined {
    return this.#read<PluginReport>('report', sealed, ({ at }) => at + REPORT_MS);
  }

  #read<T>(purpose: PassPurpose | 'report', sealed: string, endOf: (content: T) => number): T | undefined {
    const { keys, clock } = this.#deps;
    const text = openText(keys, purpose, sealed);
    if (text === undefined) return undefined;
    const content = JSON.parse(text) as T;
    return clock.now() < endOf(content) ? content : undefined;
  }
}
