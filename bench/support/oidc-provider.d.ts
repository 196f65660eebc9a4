/** What the benchmark uses of oidc-provider, which ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';
  export class Provider {
    proxy: boolean;
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
  }
}
