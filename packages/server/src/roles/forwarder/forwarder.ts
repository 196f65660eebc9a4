import { parseWrapper, type Wrapper } from '@symbolon/crypto';
import { type ForwarderCallRequest, limits, type PluginManifest } from '@symbolon/protocol';
import { counted, type Limiter, type LimitStore } from '../../access/limit-store.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { Clock } from '../../core/clock.ts';
import { refuseCryptoError } from '../../core/crypto-errors.ts';
import { PlatformError } from '../../core/errors.ts';
import { type PassContent, type Passes, platformPlugins } from '../../domains/plugins/index.ts';
import { callBuiltin } from './builtin-client.ts';
import type { CalledPlugin, PluginClient } from './plugin-client.ts';
import type { Reports } from './reports.ts';

interface Deps {
  readonly passes: Passes;
  readonly client: PluginClient;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly limitStore: LimitStore;
}

/**
 * Carries sealed requests to plugins and their sealed replies back. What it needs travels in the pass: it stores nothing, and opens
 * only what is for a plugin of the platform (wire 14.4).
 */
export class Forwarder {
  readonly #deps: Deps;
  readonly #perPass: Limiter;
  readonly #perCaller: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    const limiter = (keyPrefix: string, points: number) =>
      deps.limitStore.limiter({ keyPrefix, points, duration: 60 });
    this.#perPass = limiter('plugin-pass', limits.pluginPassCallsPerMinute);
    this.#perCaller = limiter('plugin-caller', limits.pluginCallerCallsPerMinute);
  }

  /**
   * Asks a plugin to describe itself, and has the API store what it said.
   * @throws {PlatformError} plugin.pass_invalid, plugin.rate_limited, plugin.not_responding, plugin.busy, plugin.unavailable
   */
  async registry(text: string): Promise<Omit<PluginManifest, 'public_key'> & { public_key: string | null }> {
    const pass = await this.#admit('registry', text);
    const [plugin] = pass.plugins;
    if (plugin === undefined) throw new PlatformError('plugin.pass_invalid');
    if ('builtin' in plugin) {
      const builtin = platformPlugins.find(plugin.builtin);
      if (builtin === undefined) throw new PlatformError('plugin.unavailable');
      return { name: builtin.name, public_key: null, field_types: [...builtin.field_types] };
    }
    const called = { ...plugin, company_id: pass.company_id };
    try {
      const manifest = await this.#deps.client.manifest(called);
      await this.#report(text, pass, called, { manifest });
      return manifest;
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'plugin.not_responding')
        await this.#report(text, pass, called, { error: error.message });
      throw error;
    }
  }

  /**
   * Hands a sealed request to a plugin that the pass names.
   * @throws {PlatformError} as `registry` does; plugin.key_changed, request.invalid, request.too_large
   */
  async call({ pass: text, plugin_id, request }: ForwarderCallRequest): Promise<Wrapper | string> {
    const pass = await this.#admit('call', text);
    const plugin = pass.plugins.find(({ id }) => id === plugin_id);
    if (plugin === undefined) throw new PlatformError('plugin.pass_invalid');
    const sealed = await refuseCryptoError('request.invalid', () => parseWrapper(request));
    if (sealed.d.length > limits.pluginRequestBytes) throw new PlatformError('request.too_large');
    if ('builtin' in plugin) return callBuiltin(plugin, sealed);
    const called = { ...plugin, company_id: pass.company_id };
    const answer = await this.#deps.client.call(called, request);
    if ('reply' in answer) return answer.reply;
    // A fresh pass must carry the new key: devices that do not trust the forwarder with it get one.
    await this.#report(text, pass, called, { manifest: answer.manifest });
    const { public_key } = answer.manifest;
    throw new PlatformError('plugin.key_changed', { details: { public_key } });
  }

  /** @throws {PlatformError} plugin.pass_invalid, plugin.rate_limited, rate_limit.unavailable */
  async #admit(purpose: 'call' | 'registry', text: string): Promise<PassContent> {
    const { passes, rateLimits } = this.#deps;
    const pass = passes.open(purpose, text);
    if (pass === undefined) throw new PlatformError('plugin.pass_invalid');
    await counted(this.#perPass.consume(pass.id), 'plugin.rate_limited');
    // Passes are for the asking: without this, one customer could use up the calls of the company.
    if (pass.caller !== undefined) await counted(this.#perCaller.consume(pass.caller), 'plugin.rate_limited');
    await rateLimits.consume('plugins', pass.company_id, 'plugin.rate_limited');
    return pass;
  }

  #report(
    text: string,
    pass: PassContent,
    { id }: CalledPlugin,
    said: { readonly manifest: PluginManifest } | { readonly error: string },
  ): Promise<void> {
    const { reports, clock } = this.#deps;
    return reports.send(
      { pass: text, regionUrl: pass.region_url },
      {
        company_id: pass.company_id,
        plugin_id: id,
        at: clock.now(),
        ...said,
      },
    );
  }
}
