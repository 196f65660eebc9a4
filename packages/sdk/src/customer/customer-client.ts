import type { KeyObject } from 'node:crypto';
import type { Wrapper } from '@symbolon/crypto';
import { openTextSync } from '@symbolon/crypto/node';
import type {
  ChangeEvent,
  CustomerChangeBatch,
  CustomerChangeEvent,
  CustomerConnection,
  CustomerConnectRequest,
  CustomerConsent,
  CustomerDecisionsRequest,
  CustomerLookup,
  DeclineRequest,
  PublicKey,
  ServiceLink,
  ServicePublicKey,
} from '@symbolon/protocol';
import { checkedUrl, loadPrivateKey, type PrivateKeySource } from '../data/options.ts';
import { Reference } from '../data/reference.ts';
import { TokenSource } from '../data/token-source.ts';
import { Api, path } from '../http/api.ts';
import { ConfigurationError, DecryptionError, NotFoundError } from '../http/errors.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { type CustomerChange, customerChange } from './customer-change.ts';
import { type CustomerAnswers, customerDecisions } from './decisions.ts';

export type CustomerClientOptions = TransportOptions & {
  /** The front door, for example `https://symbolon.example`. */
  url: string;
  /** `acct_…`, of an account client with `customer_connections`. */
  clientId: string;
  clientSecret: string;
  /** The company's account key, to open what is sealed for the company. */
  accountKey?: PrivateKeySource | undefined;
};

/** A link, addressed as the platform does: within its connection. */
export type LinkRef = { connectionId: string; serviceLinkId: string };

/**
 * A company as the customer of other companies' services, by machine (wire 4.8). Answers are checked against the registry
 * and sealed to the service's key here.
 *
 * Tokens, region moves, rate limits and pauses are taken care of. Every method throws {@link SymbolonError}.
 *
 * @example
 * const customer = CustomerClient.fromEnvironment();
 * await customer.connect('ACME', 'SHOP', { vat: { value: 'DE123456789' } });
 */
export class CustomerClient {
  readonly #api: Api;
  readonly #reference: Reference;
  readonly #accountKey: KeyObject | undefined;

  /** @throws ConfigurationError `sdk.configuration`, `sdk.private_key` */
  constructor(options: CustomerClientOptions) {
    const transport = new Transport(options);
    this.#api = new Api(transport, new TokenSource(transport, checkedUrl(options.url), options));
    this.#reference = new Reference(this.#api);
    this.#accountKey = options.accountKey && loadPrivateKey(options.accountKey);
  }

  /**
   * A client configured by `SYMBOLON_URL`, `SYMBOLON_ACCOUNT_CLIENT_ID`, `SYMBOLON_ACCOUNT_CLIENT_SECRET` and, to open what
   * is sealed for the company, `SYMBOLON_ACCOUNT_KEY_FILE` (a PEM).
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromEnvironment(env: Record<string, string | undefined> = process.env): CustomerClient {
    const url = env.SYMBOLON_URL;
    const clientId = env.SYMBOLON_ACCOUNT_CLIENT_ID;
    const clientSecret = env.SYMBOLON_ACCOUNT_CLIENT_SECRET;
    const file = env.SYMBOLON_ACCOUNT_KEY_FILE;
    const accountKey = file ? { file } : undefined;
    if (url && clientId && clientSecret)
      return new CustomerClient({ url, clientId, clientSecret, accountKey });
    const missing = VARIABLES.filter((name) => !env[name]);
    const message = `Missing: ${missing.join(', ')}.`;
    throw new ConfigurationError({ errorKey: 'sdk.configuration', message, details: { missing } });
  }

  /** What a service is and asks of companies. @throws NotFoundError `profile.not_found`; ForbiddenError `company_connections.persons_only` */
  lookup(companyCode: string, serviceCode: string): Promise<CustomerLookup> {
    return this.#get(path`/api/company-connections/lookup/${companyCode}/${serviceCode}`);
  }

  /**
   * Connects the company to a service, each answer sealed to its key. Gives the connection to the service's company.
   *
   * @throws InvalidRequestError `contact_data.mandatory_missing`, `contact_data.verification_required`,
   * `company_connections.own_service`; ConflictError `connections.exists`; ValueError
   */
  async connect(
    companyCode: string,
    serviceCode: string,
    answers: CustomerAnswers = {},
  ): Promise<CustomerConnection> {
    const { service, request_fields: requestFields } = await this.lookup(companyCode, serviceCode);
    const registry = await this.#reference.registry();
    const decisions = await customerDecisions(answers, { service, requestFields, registry });
    const json: CustomerConnectRequest = {
      company_code: companyCode,
      service_code: serviceCode,
      decisions,
    };
    return this.#api.json({ method: 'POST', path: '/api/company-connections', json });
  }

  async connections(): Promise<CustomerConnection[]> {
    type List = { connections: CustomerConnection[] };
    return (await this.#get<List>('/api/company-connections')).connections;
  }

  /** @throws NotFoundError `connections.not_found` */
  connection(id: string): Promise<CustomerConnection> {
    return this.#get(path`/api/company-connections/${id}`);
  }

  /**
   * Gives a service new answers and leaves all others as they are.
   *
   * @throws NotFoundError `connections.not_found`; InvalidRequestError `sdk.answer_unknown`; ValueError
   */
  async answer(link: LinkRef, answers: CustomerAnswers): Promise<ServiceLink> {
    return this.#map(link, answers, true);
  }

  /**
   * Replaces the whole set of answers: a row left out is unmapped, `{ keep: true }` leaves an answer as it is.
   *
   * @throws ConflictError `contact_data.mandatory`; and as {@link answer}
   */
  async remap(link: LinkRef, answers: CustomerAnswers): Promise<ServiceLink> {
    return this.#map(link, answers, false);
  }

  /** Ends the links to all services of a company. */
  disconnect(connectionId: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/company-connections/${connectionId}` });
  }

  /** Ends the link to one service; the connection ends with its last link. */
  disconnectService({ connectionId, serviceLinkId }: LinkRef): Promise<void> {
    const address = path`/api/company-connections/${connectionId}/services/${serviceLinkId}`;
    return this.#api.done({ method: 'DELETE', path: address });
  }

  /** What services have asked for since the company connected. */
  async consents(): Promise<CustomerConsent[]> {
    type List = { consents: CustomerConsent[] };
    return (await this.#get<List>('/api/company-connections/consents')).consents;
  }

  /** Answers some or all rows of a consent. @throws NotFoundError `consents.not_found` */
  async provideConsent(id: string, answers: CustomerAnswers): Promise<ServiceLink> {
    const { service, request_fields: requestFields } = await this.#consent(id);
    const registry = await this.#reference.registry();
    const decisions = await customerDecisions(answers, { service, requestFields, registry });
    const json: CustomerDecisionsRequest = { decisions };
    return this.#api.json({
      method: 'POST',
      path: path`/api/company-connections/consents/${id}/provide`,
      json,
    });
  }

  /** Declines all rows of a consent, or those with these slugs. */
  async declineConsent(id: string, slugs?: readonly string[]): Promise<ServiceLink> {
    const rows = slugs && (await this.#consent(id)).request_fields;
    const named = rows?.filter(({ slug }) => slugs?.includes(slug)).map((row) => row.id);
    const json: DeclineRequest = named ? { request_field_ids: named } : {};
    return this.#api.json({
      method: 'POST',
      path: path`/api/company-connections/consents/${id}/decline`,
      json,
    });
  }

  /**
   * Drains the account feed once, as a `ChangePump` does again and again.
   *
   * @param options.after the id of the last event that is safely stored, '' when there is none: the platform deletes what it
   * gave this client up to that one, and gives the oldest events that are left. Without it the platform deletes what it
   * hands over as soon as that seems to have arrived
   * @param options.limit 1 to 500, default 100
   * @param options.signal ends waiting; without `after` never a drain under way, whose rows would be lost
   */
  async changes(
    options: { limit?: number; after?: string; signal?: AbortSignal } = {},
  ): Promise<CustomerChangeEvent[]> {
    const { limit, after, signal } = options;
    const drain = after === undefined;
    const call = { method: 'GET', path: '/api/customer/changes', drain, signal } as const;
    return (await this.#api.json<CustomerChangeBatch>({ ...call, query: { limit, after } })).changes;
  }

  /** Types an event of the account feed. */
  async openChange(event: ChangeEvent): Promise<CustomerChange> {
    return customerChange(event);
  }

  /** A `ChangePump` hands out what concerns one connection in its order. */
  laneOf(event: ChangeEvent): string {
    return event.connection_id ?? '';
  }

  /**
   * The text of what is sealed for the company.
   *
   * @param wrapper the object or its JSON text
   * @throws DecryptionError `sdk.key_missing`, `sdk.unreadable`
   */
  openValue(wrapper: string | Wrapper): string {
    if (!this.#accountKey) {
      const message = 'The client has no account key.';
      throw new DecryptionError({ errorKey: 'sdk.key_missing', message });
    }
    try {
      return openTextSync(typeof wrapper === 'string' ? wrapper : JSON.stringify(wrapper), this.#accountKey);
    } catch {
      const message = 'The account key does not open this value.';
      throw new DecryptionError({ errorKey: 'sdk.unreadable', message });
    }
  }

  /** The public key of a person or company by share code, or of a service by both codes. */
  publicKey(shareCode: string): Promise<PublicKey>;
  publicKey(companyCode: string, serviceCode: string): Promise<ServicePublicKey>;
  publicKey(code: string, serviceCode?: string): Promise<PublicKey | ServicePublicKey> {
    return this.#get(
      serviceCode === undefined ? path`/api/keys/${code}` : path`/api/keys/${code}/${serviceCode}`,
    );
  }

  async #map(ref: LinkRef, answers: CustomerAnswers, keepOthers: boolean): Promise<ServiceLink> {
    const { connectionId, serviceLinkId } = ref;
    const { company, services } = await this.connection(connectionId);
    const link = services.find((candidate) => candidate.service_link_id === serviceLinkId);
    if (!link) throw notFound('connections.not_found', 'There is no such connection.');
    const [{ service, request_fields: requestFields }, registry] = await Promise.all([
      this.lookup(company.share_code, link.service_code),
      this.#reference.registry(),
    ]);
    const { mappings } = link;
    const kept = keepOthers ? mappings.map(({ slug }) => [slug, { keep: true }] as const) : [];
    const all: CustomerAnswers = { ...Object.fromEntries(kept), ...answers };
    const json: CustomerDecisionsRequest = {
      decisions: await customerDecisions(all, { service, requestFields, mappings, registry }),
    };
    const address = path`/api/company-connections/${connectionId}/services/${serviceLinkId}/mappings`;
    return this.#api.json({ method: 'PUT', path: address, json });
  }

  async #consent(id: string): Promise<CustomerConsent> {
    const consent = (await this.consents()).find((candidate) => candidate.id === id);
    if (consent) return consent;
    throw notFound('consents.not_found', 'There is no such open consent.');
  }

  #get<T>(path: string): Promise<T> {
    return this.#api.json({ method: 'GET', path });
  }
}

function notFound(errorKey: string, message: string): NotFoundError {
  return new NotFoundError({ errorKey, message });
}

const VARIABLES = ['SYMBOLON_URL', 'SYMBOLON_ACCOUNT_CLIENT_ID', 'SYMBOLON_ACCOUNT_CLIENT_SECRET'];
