import { generateKeyPair, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import type { PluginPass, PluginReply, PluginRequest, PluginSpec } from '@symbolon/protocol';
import { flowLimits, limits } from '@symbolon/protocol/constants';
import { SymbolonError } from '../http/errors.ts';
import { jsonOf, Transport, type TransportOptions } from '../http/transport.ts';

type Values = PluginRequest['values'];

/** What was filled so far: ids of picked options and typed values by block, and inputs of the flow. */
export type Filled = { picks?: Values; values?: Values; inputs?: Values };
export type PluginOption = { readonly id: string; readonly label: string };
/** Options for one block, or word that something picked before is no longer there. */
export type OfferedOptions =
  | { readonly options: readonly PluginOption[]; readonly more: boolean }
  | { readonly picksInvalid: true };
export type ComputedOutputs = { readonly outputs: Values } | { readonly picksInvalid: true };

/** Passes are good for ten minutes; one is renewed a minute earlier. */
const RENEWED_AFTER_MS = limits.pluginPassMs - 60_000;

/**
 * Fields that plugins answer, as a device fills them: requests are sealed to the plugin, replies to this device, and the
 * forwarder between them reads neither (wire 14.4).
 */
export class PluginFields {
  readonly #transport: Transport;
  readonly #newPass: () => Promise<PluginPass>;
  #pass: { readonly at: number; readonly value: Promise<PluginPass> } | undefined;
  #keys: Promise<Keys> | undefined;

  /** @param newPass gets a pass from the platform, such as that of a run */
  constructor(newPass: () => Promise<PluginPass>, options: TransportOptions = {}) {
    this.#newPass = newPass;
    // A user is typing and waits.
    this.#transport = new Transport({
      retry: { attempts: 1, budgetMs: 3000 },
      timeoutMs: 10_000,
      ...options,
    });
  }

  /** What a field asks. @throws SymbolonError `sdk.plugin_unknown` when the pass does not name it */
  async spec(slug: string): Promise<PluginSpec> {
    return specOf(await this.#currentPass(), slug);
  }

  /** Options for a block, while the user types. @throws SymbolonError */
  async options(slug: string, block: string, query: string, filled: Filled = {}): Promise<OfferedOptions> {
    const asked = query.slice(0, limits.pluginQueryMost);
    const reply = await this.#ask(slug, { op: 'options', block, query: asked }, filled);
    if ('picks_invalid' in reply) return { picksInvalid: true };
    if (!('options' in reply) || !Array.isArray(reply.options)) throw notUnderstood();
    const options = reply.options.filter(isOption).slice(0, limits.pluginOptionsMost);
    return { options, more: reply.more === true || reply.options.length > options.length };
  }

  /** What the plugin computes from what was filled: the known outputs alone, null where there is no value. @throws SymbolonError */
  async outputs(slug: string, filled: Filled = {}): Promise<ComputedOutputs> {
    const reply = await this.#ask(slug, { op: 'outputs' }, filled);
    if ('picks_invalid' in reply) return { picksInvalid: true };
    if (!('outputs' in reply) || typeof reply.outputs !== 'object' || reply.outputs === null)
      throw notUnderstood();
    const { snapshot } = await this.spec(slug);
    const computed = new Map(Object.entries(reply.outputs));
    return {
      outputs: Object.fromEntries(snapshot.outputs.map(({ key }) => [key, scalarOf(computed.get(key))])),
    };
  }

  async #ask(
    slug: string,
    what: { op: 'outputs' } | { op: 'options'; block: string; query: string },
    { picks = {}, values = {}, inputs = {} }: Filled,
  ): Promise<PluginReply> {
    const send = async () => {
      const pass = await this.#currentPass();
      const { plugin_id, field_type } = specOf(pass, slug);
      const publicKey = pass.plugins.find(({ id }) => id === plugin_id)?.public_key;
      if (publicKey == null) throw unknownPlugin(slug);
      const { public: reply_key, open } = await this.#ownKeys();
      const request = { ...what, field_type, picks, values, inputs, reply_key };
      const sealed = await sealValue(JSON.stringify(request), publicKey);
      const json = { pass: pass.pass, plugin_id, request: sealed };
      const call = { method: 'POST', path: '/call', json, idempotent: false } as const;
      const { reply } = jsonOf(await this.#transport.send(pass.forwarder_url, call)) as { reply: string };
      return open(reply);
    };
    try {
      return await send();
    } catch (error) {
      // A changed key is taken from a fresh pass, which the platform makes, and not from the forwarder.
      const isStale =
        error instanceof SymbolonError &&
        (error.errorKey === 'plugin.key_changed' || error.errorKey === 'plugin.pass_invalid');
      if (!isStale) throw error;
      this.#pass = undefined;
      return send();
    }
  }

  #currentPass(): Promise<PluginPass> {
    const now = this.#transport.runtime.now();
    if (this.#pass === undefined || now - this.#pass.at > RENEWED_AFTER_MS) {
      const pass = { at: now, value: this.#newPass() };
      this.#pass = pass;
      pass.value.catch(() => {
        if (this.#pass === pass) this.#pass = undefined;
      });
    }
    return this.#pass.value;
  }

  #ownKeys(): Promise<Keys> {
    this.#keys ??= newKeys();
    return this.#keys;
  }
}

interface Keys {
  readonly public: string;
  open(reply: string): Promise<PluginReply>;
}

async function newKeys(): Promise<Keys> {
  const pair = await generateKeyPair();
  const key = await importPrivateKey(pair.privateKey);
  return {
    public: pair.publicKey,
    open: async (reply) => JSON.parse(await openText(reply, key)) as PluginReply,
  };
}

function specOf(pass: PluginPass, slug: string): PluginSpec {
  const spec = Object.hasOwn(pass.specs, slug) ? pass.specs[slug] : undefined;
  if (spec === undefined) throw unknownPlugin(slug);
  return spec;
}

const unknownPlugin = (slug: string) =>
  new SymbolonError({ errorKey: 'sdk.plugin_unknown', message: `No plugin answers ${slug} now.` });
const notUnderstood = () =>
  new SymbolonError({
    errorKey: 'sdk.plugin_reply_malformed',
    message: 'The plugin gave no reply of this kind.',
  });

/** The plugin is the company's: whatever it sends is shown as text, and no longer than a label. */
const isOption = (option: unknown): option is PluginOption => {
  if (typeof option !== 'object' || option === null) return false;
  const { id, label } = option as Partial<PluginOption>;
  return isShort(id) && isShort(label);
};
const isShort = (text: unknown) => typeof text === 'string' && text.length <= flowLimits.labelMost;

function scalarOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return value.slice(0, flowLimits.bodyMost);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
