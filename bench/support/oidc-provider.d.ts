/** What the benchmarks use of oidc-provider, which ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  export class Provider {
    proxy: boolean;
    readonly Client: { find(id: string): Promise<object> };
    readonly Grant: new (payload: {
      accountId: string;
      clientId: string;
    }) => Grant;
    readonly AuthorizationCode: new (
      payload: Record<string, unknown>,
    ) => { save(): Promise<string> };
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
  }
}
