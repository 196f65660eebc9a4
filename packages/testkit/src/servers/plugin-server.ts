import type { IncomingHttpHeaders } from 'node:http';
import { generateKeyPair, importPrivateKey, type KeyPair, openText, sealValue } from '@symbolon/crypto';
import type { PluginManifest, PluginReply, PluginRequest } from '@symbolon/protocol';
import { type Receiver, startReceiver } from './receiver.ts';

/** Registers plugins of this machine. */
export const LOOPBACK_PLUGINS = { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' };

/** What a plugin does with a call: a reply that is sealed, a status with a body, or nothing at all. */
type Reaction = PluginReply | { readonly status: number; readonly body?: unknown } | 'hang';

/** A plugin on this machine, which answers what a test tells it to. */
export class TestPlugin implements AsyncDisposable {
  #receiver!: Receiver;
  #key: KeyPair;
  manifest: Partial<PluginManifest> & Record<string, unknown>;
  /** Of requests to `/manifest` and `/call`. */
  readonly headers: IncomingHttpHeaders[] = [];
  readonly requests: PluginRequest[] = [];
  react: (request: PluginRequest) => Reaction | Promise<Reaction> = () => ({ options: [], more: false });
  reactToManifest: () => { readonly status: number } | 'hang' | undefined = () => undefined;

  private constructor(key: KeyPair) {
    this.#key = key;
    this.manifest = manifestWith(key);
  }

  static async start(): Promise<TestPlugin> {
    const plugin = new TestPlugin(await generateKeyPair());
    plugin.#receiver = await startReceiver(async ({ headers, url = '' }, body, response) => {
      plugin.headers.push(headers);
      const answer = await plugin.#answer(url, body.toString());
      if (answer === 'hang') return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body ?? {}));
    });
    return plugin;
  }

  get base(): string {
    return this.#receiver.base;
  }

  get publicKey(): string {
    return this.#key.publicKey;
  }

  /** Takes another key; the manifest says it. */
  async changeKey(): Promise<void> {
    this.#key = await generateKeyPair();
    this.manifest = { ...this.manifest, public_key: this.#key.publicKey };
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #answer(path: string, text: string): Promise<{ status: number; body?: unknown } | 'hang'> {
    if (path === '/manifest') return this.reactToManifest() ?? { status: 200, body: this.manifest };
    let request: PluginRequest;
    try {
      const key = await importPrivateKey(this.#key.privateKey);
      request = JSON.parse(await openText(JSON.parse(text).request, key)) as PluginRequest;
    } catch {
      return { status: 409, body: { error: 'key_unknown' } };
    }
    this.requests.push(request);
    const reaction = await this.react(request);
    if (reaction === 'hang' || 'status' in reaction) return reaction;
    return {
      status: 200,
      body: { reply: await sealValue(JSON.stringify(reaction), request.reply_key) },
    };
  }
}

const manifestWith = ({ publicKey }: KeyPair): PluginManifest => ({
  name: 'Streets',
  public_key: publicKey,
  field_types: [
    {
      key: 'street',
      label: 'Street',
      blocks: [
        { key: 'city', kind: 'search_select', label: 'City', required: true },
        { key: 'number', kind: 'number', label: 'Number', required: false },
      ],
      inputs: [],
      outputs: [{ key: 'zip', type: 'text', label: 'ZIP' }],
    },
  ],
});

/** A device that calls plugins through a forwarder. */
export class PluginCaller {
  readonly #key: KeyPair;

  private constructor(key: KeyPair) {
    this.#key = key;
  }

  static async create(): Promise<PluginCaller> {
    return new PluginCaller(await generateKeyPair());
  }

  /** The body of a call. @param publicKey of the plugin */
  async bodyOf(
    pass: { readonly pass: string },
    plugin: { readonly id: string; readonly public_key: string },
    request: Partial<PluginRequest>,
  ) {
    const sent = { picks: {}, values: {}, inputs: {}, reply_key: this.#key.publicKey, ...request };
    return {
      pass: pass.pass,
      plugin_id: plugin.id,
      request: await sealValue(JSON.stringify(sent), plugin.public_key),
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async open(reply: any): Promise<any> {
    return JSON.parse(await openText(reply, await importPrivateKey(this.#key.privateKey)));
  }
}
