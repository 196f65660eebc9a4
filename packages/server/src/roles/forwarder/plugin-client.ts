import { isWrapper, type Wrapper } from '@symbolon/crypto';
import { limits, type PluginManifest } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { withoutMark } from '../../core/byte-order-mark.ts';
import type { Clock } from '../../core/clock.ts';
import { PlatformError } from '../../core/errors.ts';
import { type AddressRules, readBaseUrl } from '../../domains/plugins/index.ts';
import type { OutgoingResult } from '../../outgoing/result.ts';
import type { OutgoingSender } from '../../outgoing/sender.ts';
import { Circuits } from './circuit.ts';
import { readManifest } from './manifest.ts';

/** A plugin at an address of a company. */
export interface CalledPlugin {
  readonly id: string;
  readonly company_id: string;
  readonly base: string;
  readonly token: string | null;
}

/** What a plugin said to a call: its sealed reply, or its description when its key has changed. */
export type Called = { readonly reply: Wrapper | string } | { readonly manifest: PluginManifest };

/** Calls in hand at one time: of one plugin, of all plugins of one company, and of all. */
const CALLS_MOST = { ofPlugin: 250, ofCompany: 500, inAll: 2000 };
const BASES_MOST = 10_000;
const EMPTY = new Uint8Array(0);

interface Deps {
  readonly sender: Pick<OutgoingSender, 'send'>;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly addressRules: () => AddressRules;
}

/** Calls plugins: bounded in time, size and number, and not while they do not answer (wire 14.4). */
export class PluginClient {
  readonly #deps: Deps;
  readonly #circuits: Circuits;
  /** By the ids of plugins and of their companies. */
  readonly #inHand = new Map<string, number>();
  #allInHand = 0;
  /** Addresses that were checked. */
  readonly #bases = new LRUCache<string, ReturnType<typeof readBaseUrl>>({ max: BASES_MOST });

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#circuits = new Circuits(deps.clock);
  }

  /**
   * Hands a sealed request to a plugin.
   * @throws {PlatformError} plugin.not_responding, plugin.busy, plugin.unavailable
   */
  async call(plugin: CalledPlugin, request: unknown): Promise<Called> {
    return this.#guarded(plugin, async () => {
      const body = Buffer.from(JSON.stringify({ request }));
      const result = await this.#send(plugin, 'call', limits.pluginCallMs, body);
      const answer = result.kind === 'answered' ? parsed(result.body) : undefined;
      if (result.kind === 'answered' && result.status === 409 && answer?.error === 'key_unknown')
        return { manifest: await this.#manifest(plugin, limits.pluginRefetchMs) };
      if (result.kind === 'answered' && (result.status === 429 || result.status === 503))
        throw new PlatformError('plugin.busy', { headers: { 'retry-after': '1' } });
      if (result.kind !== 'answered' || result.status !== 200 || !isWrapper(answer?.reply))
        throw new PlatformError('plugin.not_responding');
      return { reply: answer.reply };
    });
  }

  /** What a plugin says of itself. @throws {PlatformError} as `call` does; the text is for the plugin's author */
  async manifest(plugin: CalledPlugin): Promise<PluginManifest> {
    return this.#guarded(plugin, () => this.#manifest(plugin, limits.pluginCallMs));
  }

  async #manifest(plugin: CalledPlugin, mostMs: number): Promise<PluginManifest> {
    const result = await this.#send(plugin, 'manifest', mostMs);
    if (result.kind === 'failed')
      throw new PlatformError('plugin.not_responding', {
        text: `The manifest was not read: ${result.reason}.`,
      });
    if (result.status !== 200)
      throw new PlatformError('plugin.not_responding', {
        text: `The manifest was answered with ${result.status}, not 200.`,
      });
    const read = await readManifest(result.body);
    if ('problem' in read) throw new PlatformError('plugin.not_responding', { text: read.problem });
    return read.manifest;
  }

  /** Lets a call through when the plugin answers and has not too many in hand, and learns from how it ends. */
  async #guarded<T>({ id, company_id }: CalledPlugin, call: () => Promise<T>): Promise<T> {
    const { ofPlugin, ofCompany, inAll } = CALLS_MOST;
    if (this.#of(id) >= ofPlugin || this.#of(company_id) >= ofCompany || this.#allInHand >= inAll)
      throw new PlatformError('plugin.busy', { headers: { 'retry-after': '1' } });
    const wait = this.#circuits.wait(id);
    if (wait > 0)
      throw new PlatformError('plugin.unavailable', {
        headers: { 'retry-after': String(Math.ceil(wait / 1000)) },
      });
    this.#count([id, company_id], 1);
    try {
      const answer = await call();
      this.#circuits.answered(id);
      return answer;
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'plugin.not_responding') this.#circuits.failed(id);
      throw error;
    } finally {
      this.#count([id, company_id], -1);
    }
  }

  #of(id: string): number {
    return this.#inHand.get(id) ?? 0;
  }

  #count(ids: readonly string[], by: 1 | -1): void {
    this.#allInHand += by;
    for (const id of ids) {
      const inHand = this.#of(id) + by;
      if (inHand === 0) this.#inHand.delete(id);
      else this.#inHand.set(id, inHand);
    }
  }

  async #send(
    { base, token, company_id }: CalledPlugin,
    path: 'call' | 'manifest',
    mostMs: number,
    body: Uint8Array = EMPTY,
  ): Promise<OutgoingResult> {
    const { sender, userAgent } = this.#deps;
    const read = this.#read(base);
    if ('problem' in read)
      return { kind: 'failed', reason: 'address_refused', detail: read.problem, durationMs: 0 };
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(path === 'call' ? { 'content-type': 'application/json' } : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    const method = path === 'call' ? 'POST' : 'GET';
    return sender.send({ url: `${read.base}/${path}`, party: company_id, method, headers, body, mostMs });
  }

  /** What may be called can have changed since the address was stored, and not while this process runs. */
  #read(base: string): ReturnType<typeof readBaseUrl> {
    const rules = this.#deps.addressRules();
    const key = `${rules.ownUrl} ${base}`;
    let read = this.#bases.get(key);
    if (read === undefined) {
      read = readBaseUrl(base, rules);
      this.#bases.set(key, read);
    }
    return read;
  }
}

function parsed(body: Uint8Array): { readonly error?: unknown; readonly reply?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(withoutMark(Buffer.from(body)).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
