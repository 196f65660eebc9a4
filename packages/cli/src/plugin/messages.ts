import type { PluginReply, PluginRequest } from '@symbolon/protocol';

/** What a worker runs. */
export interface DevPlugin {
  readonly file: string;
  readonly keyFile: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** What a worker tells. */
export type DevMessage =
  | {
      readonly type: 'ready';
      readonly name: string;
      readonly fields: readonly string[];
      readonly port: number;
    }
  /** The module cannot be loaded or served. */
  | { readonly type: 'unusable'; readonly message: string }
  | {
      readonly type: 'call';
      readonly request: PluginRequest;
      readonly reply: PluginReply;
      readonly durationMs: number;
    }
  /** The platform has read the manifest. */
  | { readonly type: 'described' }
  | { readonly type: 'refused'; readonly method: string; readonly path: string; readonly status: number }
  /** A function of the plugin threw. */
  | { readonly type: 'failed'; readonly message: string };
