import { createHash, timingSafeEqual } from 'node:crypto';
import { derivePublicKey, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import { readPluginRequest } from '@symbolon/flows';
import type { PluginFieldType, PluginManifest, PluginReply, PluginRequest } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';

/** A request that a plugin opened: what was picked and typed so far, by block, and the inputs of the flow. */
export type FieldRequest = Pick<PluginRequest, 'picks' | 'values' | 'inputs'>;
export type OptionsRequest = FieldRequest & { readonly block: string; readonly query: string };
type Options = readonly { readonly id: string; readonly label: string }[];

/** A kind of field that a plugin answers, with what it answers. */
export type PluginField = Omit<PluginFieldType, 'blocks' | 'inputs' | 'outputs'> &
  Partial<Pick<PluginFieldType, 'blocks' | 'inputs' | 'outputs'>> & {
    /** Options of a block; undefined when something picked is no longer there. More than 50 are cut off. */
    readonly onOptions?: (request: OptionsRequest) => Options | undefined | Promise<Options | undefined>;
    /** Values of the outputs; undefined as above. */
    readonly onOutputs?: (
      request: FieldRequest,
    ) => FieldRequest['values'] | undefined | Promise<FieldRequest['values'] | undefined>;
  };

/** What a plugin is, without what it runs with: what a module exports for `symbolon plugin dev`. */
export type PluginDefinition = {
  readonly name: string;
  readonly fields: readonly PluginField[];
};

export type PluginOptions = PluginDefinition & {
  /** PKCS#8 DER, as `pluginKey` reads it. */
  readonly key: Uint8Array;
  /** What the company gave the platform: calls without it are refused. */
  readonly token?: string | undefined;
  /** Hears of every call that was opened, once it was answered. */
  readonly onCall?: (request: PluginRequest, reply: PluginReply, durationMs: number) => void;
  /** Hears of what was thrown; the caller gets a 500. */
  readonly onError?: (error: unknown) => void;
};

/** A request as it came over HTTP. */
export type PluginHttpRequest = {
  readonly method: string;
  /** Without the base, such as `/call`. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
};
export type PluginHttpReply = { readonly status: number; readonly body: unknown };

/** A plugin of a company: it describes itself, opens requests and seals replies (wire 14.3). */
export class Plugin {
  /** Bytes of a request that are read. */
  readonly maxBytes = 2 * limits.pluginRequestBytes;
  readonly #options: PluginOptions;
  readonly #manifest: Promise<PluginManifest>;
  readonly #privateKey: ReturnType<typeof importPrivateKey>;

  constructor(options: PluginOptions) {
    this.#options = options;
    this.#privateKey = importPrivateKey(options.key);
    this.#manifest = derivePublicKey(options.key).then((public_key) => ({
      name: options.name,
      public_key,
      field_types: options.fields.map(({ key, label, blocks = [], inputs = [], outputs = [] }) => ({
        key,
        label,
        blocks,
        inputs,
        outputs,
      })),
    }));
    // A bad key fails the first call.
    for (const made of [this.#privateKey, this.#manifest]) made.catch(() => undefined);
  }

  /** Answers a request to `/manifest` or `/call`, whatever serves it. It never throws. */
  async handle({ method, path, authorization, body }: PluginHttpRequest): Promise<PluginHttpReply> {
    try {
      if (!this.#isAuthorized(authorization)) return refusal(401, 'unauthorized');
      if (method === 'GET' && path === '/manifest') return { status: 200, body: await this.#manifest };
      if (method === 'POST' && path === '/call') return await this.#call(body);
      return refusal(404, 'not_found');
    } catch (error) {
      this.#options.onError?.(error);
      return refusal(500, 'internal');
    }
  }

  async #call(body: string): Promise<PluginHttpReply> {
    const opened = await this.#open(body);
    if (opened === undefined) return refusal(409, 'key_unknown');
    const request = readPluginRequest(opened);
    const field = this.#options.fields.find(({ key }) => key === request?.field_type);
    if (request === undefined || field === undefined) return refusal(400, 'request_invalid');
    const started = performance.now();
    const reply = await answer(field, request);
    const sealed = await sealValue(JSON.stringify(reply), request.reply_key);
    this.#options.onCall?.(request, reply, performance.now() - started);
    return { status: 200, body: { reply: sealed } };
  }

  /** Undefined for what is sealed to another key. */
  async #open(body: string): Promise<string | undefined> {
    try {
      return await openText(JSON.parse(body).request, await this.#privateKey);
    } catch {
      return undefined;
    }
  }

  #isAuthorized(authorization: string | undefined): boolean {
    const { token } = this.#options;
    if (token === undefined) return true;
    // Digests have one length, so the comparison takes one time.
    return timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''));
  }
}

async function answer(field: PluginField, request: PluginRequest): Promise<PluginReply> {
  if (request.op === 'outputs') {
    const outputs = await (field.onOutputs ?? (() => ({})))(request);
    return outputs === undefined ? { picks_invalid: true } : { outputs };
  }
  const options = await (field.onOptions ?? (() => []))(request);
  if (options === undefined) return { picks_invalid: true };
  return {
    options: options.slice(0, limits.pluginOptionsMost).map(({ id, label }) => ({ id, label })),
    more: options.length > limits.pluginOptionsMost,
  };
}

const refusal = (status: number, error: string): PluginHttpReply => ({ status, body: { error } });
const digest = (text: string) => createHash('sha256').update(text).digest();
