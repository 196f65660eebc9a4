import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type BegunConsent,
  type ConsentClaim,
  type ConsentRequest,
  limits,
  type OpenedConsent,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lookUp } from '../../../core/secrets.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { SignInApp, SignInApps } from '../../clients/index.ts';
import { companyById } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import { type ListedService, listedService } from '../../services/index.ts';
import type { PersonConnections } from '../../sharing/index.ts';
import { claimsOf, withAuthTime } from './claims.ts';
import {
  ConsentFault,
  type ConsentParameters,
  needsService,
  readParameters,
  SentParameters,
} from './parameters.ts';
import { originOf, redirectTo } from './redirects.ts';
import {
  choicesOf,
  insertRequest,
  ownRequest,
  requestById,
  requestByState,
  requestsOfPerson,
} from './store.ts';
import type { ConsentRequestRow } from './tables.ts';

/** What `2fa_enroll` comes to. */
export interface ConsentEnrolments {
  /** Whether the level of the company lets people enrol with its services. */
  canEnrol(reader: Reader, companyId: string): Promise<boolean>;
  isEnrolled(reader: Reader, serviceId: string, personId: string): Promise<boolean>;
  /** @throws {PlatformError} twofa.level_required, twofa.enrollments_limit */
  enrol(
    writer: Writer,
    enrolment: { personId: string; companyId: string; serviceId: string; appId: string },
  ): Promise<void>;
}

export interface ConsentDeps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly registry: FieldTypeRegistry;
  readonly signInApps: SignInApps;
  readonly personConnections: PersonConnections;
  readonly enrolments: ConsentEnrolments;
  readonly pluginSpecs: PluginSpecs;
}

/** Who opens a request. */
export interface Opening {
  /** The base URL of the page. */
  readonly issuer: string;
  /** Whether the page has a signed-in user. */
  readonly signedIn: boolean;
}

/** A request that is open, with what it is about. */
export interface OpenRequest {
  readonly row: ConsentRequestRow;
  readonly parameters: ConsentParameters;
  readonly claims: readonly ConsentClaim[];
  readonly app: SignInApp;
  /** The service of `connect` and `2fa_enroll`. */
  readonly service: ListedService | undefined;
}

/** Requests at the consent page: what an app asks of a person (wire 10.4). */
export class ConsentRequests {
  readonly #deps: ConsentDeps;

  constructor(deps: ConsentDeps) {
    this.#deps = deps;
  }

  /**
   * Opens the request of the page's address. The app learns of errors by a redirect, once it is known that the
   * redirect leads to the app; otherwise the page shows them.
   * @throws {PlatformError} oauth.client_unknown, oauth.redirect_uri_invalid, oauth.detached_off, oauth.connect_no_service, oauth.state_taken,
   *   oauth.request_expired, oauth.request_decided, invalid_request, and what a lookup of the service throws
   */
  async open(query: string, opening: Opening): Promise<OpenedConsent> {
    const sent = new SentParameters(query);
    const app = await this.#appOf(sent);
    const redirectUri = this.#redirectUriOf(sent, app);
    if (sent.detached && app.detached !== 1) throw new PlatformError('oauth.detached_off');
    try {
      const isPublic = app.app_type === 'public';
      const read = readParameters(sent, { isPublic, serviceId: app.service_id });
      const { registry, pluginSpecs, database } = this.#deps;
      const described = (...plugin: [id: string, fieldType: string]) =>
        pluginSpecs.snapshot(database.reader, app.company_id, ...plugin);
      const claims = await claimsOf(read, app, { registry, described });
      const parameters = withAuthTime(read);
      if (needsService(parameters) && parameters.serviceId === null) {
        throw new PlatformError('oauth.connect_no_service');
      }
      if (
        parameters.mode === '2fa_enroll' &&
        !(await this.#deps.enrolments.canEnrol(database.reader, app.company_id))
      )
        throw new ConsentFault(
          'unauthorized_client',
          'People can enrol with companies of the level pro alone.',
        );
      if (parameters.silent) throw silentRefusal(opening.signedIn);
      return await this.#view(await this.#keep(parameters, claims, app, opening.issuer));
    } catch (error) {
      if (!(error instanceof ConsentFault)) throw error;
      if (sent.detached || redirectUri === undefined) {
        throw new PlatformError('invalid_request', { text: error.message });
      }
      const answer = { error: error.code, description: error.message };
      return {
        redirect_to: redirectTo(redirectUri, answer, { state: sent.state, issuer: opening.issuer }),
      };
    }
  }

  /**
   * Makes a request the person's own, and tells the page what it needs of this person, who alone can answer it then.
   * @throws {PlatformError} those of `require`, oauth.request_owned
   */
  async begin(personId: string, id: string, token: string): Promise<BegunConsent> {
    const { database, personConnections, enrolments } = this.#deps;
    const request = await this.require(personId, id, token);
    const { row, parameters, service, claims } = request;
    if (row.person_id === null && !(await database.write((writer) => ownRequest(writer, row, personId)))) {
      throw new PlatformError('oauth.request_owned');
    }
    const remembered = await choicesOf(database.reader, { ...row, person_id: personId });
    const connection =
      parameters.mode === 'connect' && service !== undefined
        ? await personConnections.withService(personId, service.id)
        : undefined;
    const asked =
      parameters.mode === 'connect' && service !== undefined && connection === undefined
        ? (await personConnections.lookup(service.company_code, service.share_code)).request_fields
        : (connection?.pending_consent?.request_fields ?? []);
    return {
      request_id: row.id,
      remembered: Object.fromEntries(claims.flatMap(({ name }) => rememberedOf(remembered, name))),
      connected: connection !== undefined,
      enrolled:
        parameters.mode === '2fa_enroll' &&
        service !== undefined &&
        (await enrolments.isEnrolled(database.reader, service.id, personId)),
      request_fields: asked,
    };
  }

  /**
   * A request that a person may answer. One that leads back by a redirect is stored now, with the first person who has its token:
   * opening the page stores nothing.
   * @throws {PlatformError} oauth.request_not_found, oauth.request_expired, oauth.request_decided, oauth.request_owned
   */
  async require(personId: string, id: string, token: string): Promise<OpenRequest> {
    const { clock, database, secrets } = this.#deps;
    const [stored] = await requestById(database.reader, id);
    const sealed = stored?.state_hash ? undefined : this.#unseal(id, token);
    const isDetached = stored?.state_hash && secrets.matches(tokenOf(id), token);
    const row = isDetached ? stored : sealed && (stored ?? { ...sealed, person_id: personId });
    if (row === undefined) throw new PlatformError('oauth.request_not_found');
    if (row.person_id !== null && row.person_id !== personId) throw new PlatformError('oauth.request_owned');
    refuseEnded(row, clock.now());
    const request = await this.#load(row);
    // Unstored twice at once: the other call may have been another person's.
    if (stored === undefined && !(await database.write((writer) => insertRequest(writer, row))))
      return this.require(personId, id, token);
    return request;
  }

  /**
   * The claims of an open request that is the person's own.
   * @param state as the app sent it; undefined when it sent none
   * @throws {PlatformError} oauth.request_not_found
   */
  async ownClaims(
    personId: string,
    clientId: string,
    state: string | undefined,
  ): Promise<{ readonly companyId: string; readonly claims: readonly ConsentClaim[] }> {
    const { clock, database } = this.#deps;
    const detached = state && (await this.byState(clientId, stateSecret(clientId, state)));
    const rows = detached
      ? [detached].filter(({ person_id, client_id }) => person_id === personId && client_id === clientId)
      : await requestsOfPerson(database.reader, clientId, personId);
    const row = rows.find(({ status, expires_at, parameters }) => {
      const sent = (JSON.parse(parameters) as ConsentParameters).state ?? undefined;
      return status === 'open' && expires_at > clock.now() && (detached || sent === state);
    });
    if (row === undefined) throw new PlatformError('oauth.request_not_found');
    return { companyId: row.company_id, claims: JSON.parse(row.claims) as ConsentClaim[] };
  }

  /** What a person must prove in order to approve. */
  needsOf({ app, service, parameters }: OpenRequest): ConsentRequest['needs'] {
    const two_factor = app.require_2fa === 1 || service?.require_2fa === 1;
    return {
      two_factor,
      presence: two_factor || parameters.fresh,
      ...(parameters.detached && !isVouched(app) && { digits: true as const }),
    };
  }

  /**
   * The two digits that the waiting screen of a detached request shows, where no secret of the app says whose screen it is: who types them
   * sees it.
   */
  digitsOf(row: Pick<ConsentRequestRow, 'id'>): string {
    const hash = this.#deps.secrets.hash(`consent digits ${row.id}`);
    return String(Number.parseInt(hash.slice(0, 12), 16) % 100).padStart(2, '0');
  }

  async #appOf(sent: SentParameters): Promise<SignInApp> {
    const clientId = sent.get('client_id');
    const app =
      clientId === undefined || sent.isRepeated('client_id')
        ? undefined
        : await this.#deps.signInApps.find(clientId);
    if (app === undefined) throw new PlatformError('oauth.client_unknown');
    return app;
  }

  /** Where the person goes back to; undefined for a detached request that names no address. */
  #redirectUriOf(sent: SentParameters, app: SignInApp): string | undefined {
    const uri = sent.get('redirect_uri');
    if (sent.isRepeated('redirect_uri')) throw new PlatformError('oauth.redirect_uri_invalid');
    if (uri === undefined && sent.detached) return undefined;
    if (uri === undefined || !this.#deps.signInApps.allowsRedirect(app, uri)) {
      throw new PlatformError('oauth.redirect_uri_invalid');
    }
    return uri;
  }

  /**
   * Makes a request. A detached one is stored: its first opening says what it is, and every later one must say the same.
   */
  async #keep(
    parameters: ConsentParameters,
    claims: readonly ConsentClaim[],
    app: SignInApp,
    issuer: string,
  ): Promise<OpenRequest> {
    const { clock, database, ids, secrets } = this.#deps;
    const now = clock.now();
    const secret = parameters.detached ? stateSecret(app.client_id, parameters.state ?? '') : undefined;
    const row: ConsentRequestRow = {
      company_id: app.company_id,
      id: ids.uuid(),
      client_id: app.client_id,
      issuer,
      // Who has the state can fetch the result.
      parameters: JSON.stringify(parameters.detached ? { ...parameters, state: null } : parameters),
      claims: JSON.stringify(claims),
      public_key_sha256: app.public_key_sha256,
      state_hash: secret === undefined ? null : secrets.hash(secret),
      person_id: null,
      status: 'open',
      result: null,
      wrong_digits: 0,
      delivered: 0,
      claim_owner: null,
      claimed_until: null,
      created_at: now,
      expires_at: now + limits.consentLifetimeMs,
    };
    if (secret === undefined) return this.#load(row);
    let present = await this.byState(app.client_id, secret);
    if (present === undefined) {
      if (await database.write((writer) => insertRequest(writer, row))) return this.#load(row);
      // Two screens opened the link at once.
      present = await this.byState(app.client_id, secret);
    }
    if (present === undefined) throw new PlatformError('oauth.request_expired');
    if (present.parameters !== row.parameters) throw new PlatformError('oauth.state_taken');
    refuseEnded(present, now);
    return this.#load(present);
  }

  async byState(clientId: string, secret: string): Promise<ConsentRequestRow | undefined> {
    const { database, secrets } = this.#deps;
    return lookUp(secrets.hashes(secret), async (hash) => {
      const [row] = await requestByState(database.reader, clientId, hash);
      return row;
    });
  }

  /** The token of a request that is not stored: the request itself, which only this platform reads and makes. */
  #seal(row: ConsentRequestRow): string {
    return this.#deps.secrets.encrypt(Buffer.from(JSON.stringify(row)), placeOfRequest(row.id));
  }

  #unseal(id: string, token: string): ConsentRequestRow | undefined {
    try {
      return JSON.parse(
        this.#deps.secrets.decrypt(token, placeOfRequest(id)).toString(),
      ) as ConsentRequestRow;
    } catch {
      return undefined;
    }
  }

  /**
   * @throws {PlatformError} oauth.request_not_found once the app is gone, oauth.connect_no_service without its service,
   *   oauth.request_expired once it has another one
   */
  async #load(row: ConsentRequestRow): Promise<OpenRequest> {
    const app = await this.#deps.signInApps.find(row.client_id);
    if (app === undefined) throw new PlatformError('oauth.request_not_found');
    const parameters = JSON.parse(row.parameters) as ConsentParameters;
    const service =
      needsService(parameters) && app.service_id !== null
        ? await listedService(this.#deps.database.reader, app.service_id)
        : undefined;
    if (needsService(parameters) && service === undefined)
      throw new PlatformError('oauth.connect_no_service');
    // The person was shown the service of before.
    if (service !== undefined && service.id !== parameters.serviceId)
      throw new PlatformError('oauth.request_expired');
    return { row, parameters, claims: JSON.parse(row.claims) as ConsentClaim[], app, service };
  }

  async #view(request: OpenRequest): Promise<ConsentRequest> {
    const { database, personConnections, secrets } = this.#deps;
    const { row, parameters, claims, app, service } = request;
    const company = await companyById(database.reader, app.company_id);
    if (company === undefined) throw new PlatformError('oauth.client_unknown');
    const [firstUri = ''] = JSON.parse(app.redirect_uris) as string[];
    return {
      request_id: row.id,
      request_token: parameters.detached ? secrets.hash(tokenOf(row.id)) : this.#seal(row),
      expires_at: isoTime(row.expires_at),
      mode: parameters.mode,
      detached: parameters.detached,
      app: {
        client_id: app.client_id,
        name: app.name,
        origin: originOf(parameters.redirectUri ?? firstUri),
        public_key: app.public_key,
        public_key_sha256: app.public_key_sha256,
      },
      company: {
        company_user_id: company.id,
        display_name: company.name,
        company_code: company.code,
        level: company.level,
        since: isoTime(company.created_at),
      },
      service:
        service === undefined ? null : { id: service.id, name: service.name, share_code: service.share_code },
      claims: [...claims],
      connect:
        parameters.mode === 'connect' && service !== undefined
          ? await personConnections.lookup(service.company_code, service.share_code)
          : null,
      needs: this.needsOf(request),
    };
  }
}

/** An app chooses the names of claims: they may be those of members that every object has. */
function rememberedOf(remembered: Readonly<Record<string, string>>, name: string): [string, string][] {
  const id = Object.hasOwn(remembered, name) ? remembered[name] : undefined;
  return id === undefined ? [] : [[name, id]];
}

/** Whether only the app itself can fetch what a detached request comes to. */
export const isVouched = (app: Pick<SignInApp, 'app_type'>) => app.app_type === 'confidential';
/** What is hashed of the state of a detached request. */
export const stateSecret = (clientId: string, state: string) => `consent state ${clientId} ${state}`;
/** A request in its token. */
const placeOfRequest = (id: string) => ({ table: 'consent_requests', column: 'request_token', id });
/** What the token of a detached request is the hash of. */
const tokenOf = (id: string) => `consent request ${id}`;

/** @throws {PlatformError} oauth.request_decided, oauth.request_expired */
function refuseEnded(row: ConsentRequestRow, now: number): void {
  if (row.status !== 'open') throw new PlatformError('oauth.request_decided');
  if (row.expires_at <= now) throw new PlatformError('oauth.request_expired');
}

/** Nothing is approved without the person, so a request that may ask nothing is refused (OpenID Connect Core 3.1.2.6). */
function silentRefusal(signedIn: boolean): ConsentFault {
  return signedIn
    ? new ConsentFault('consent_required', 'The person must approve every sign-in.')
    : new ConsentFault('login_required', 'The person must sign in and approve.');
}
