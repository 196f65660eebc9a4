import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import { redirectUriProblem } from './redirect-uri.ts';
import { appByClientId, rehashApp } from './store.ts';
import type { OAuthAppRow } from './tables.ts';

/** A sign-in app as sign-ins meet it. A service that is gone is null. */
export type SignInApp = Readonly<OAuthAppRow>;

/** What an unknown app's secret is compared with: the hash of nothing anyone knows. */
const NO_SECRET = '0'.repeat(64);

/** Finds sign-in apps by their client id, and checks their secrets. */
export class SignInApps {
  readonly #deps: Pick<Core, 'config' | 'database' | 'secrets'>;

  constructor(deps: Pick<Core, 'config' | 'database' | 'secrets'>) {
    this.#deps = deps;
  }

  async find(clientId: string): Promise<SignInApp | undefined> {
    const [row] = await appByClientId(this.#deps.database.vital, clientId);
    return row;
  }

  /** Whether people may come back to this address: one of the app's own, to the letter, by a scheme that is allowed now. */
  allowsRedirect(app: SignInApp, uri: string): boolean {
    const own = (JSON.parse(app.redirect_uris) as string[]).includes(uri);
    return (
      own && redirectUriProblem(uri, this.#deps.config.dangerouslyAllowPrivateHttpRedirects) === undefined
    );
  }

  /**
   * Checks the credentials of an app: a confidential one needs its secret, a public one has none and is refused with one. An
   * unknown app and a wrong secret take the same work and give the same answer.
   * @throws {PlatformError} invalid_client
   */
  async authenticate(clientId: string, secret: string | undefined): Promise<SignInApp> {
    const app = await this.find(clientId);
    const matches = this.#deps.secrets.matches(secret ?? '', app?.secret_hash ?? NO_SECRET);
    if (app === undefined) throw new PlatformError('invalid_client');
    if (app.app_type === 'public') {
      if (secret !== undefined) throw new PlatformError('invalid_client');
      return app;
    }
    if (!matches || secret === undefined || app.secret_hash === null)
      throw new PlatformError('invalid_client');
    if (!this.#deps.secrets.isCurrent(app.secret_hash)) await this.#rehash(app, secret);
    return app;
  }

  /** Stores the hash of a secret under the current version of the key. A failure must not fail the call. */
  async #rehash(app: SignInApp, secret: string): Promise<void> {
    const hash = this.#deps.secrets.hash(secret);
    await this.#deps.database.write((writer) => rehashApp(writer, app, hash)).catch(() => {});
  }
}
