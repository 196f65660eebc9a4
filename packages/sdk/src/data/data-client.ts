import type { Wrapper } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type {
  ChangeBatch,
  ChangeEvent,
  CompanyConnection,
  CompanyConnectionRow,
  LogEntry,
  PublicKey,
  ServicePublicKey,
  Whoami,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { DecryptPool } from '../decrypt/decrypt-pool.ts';
import { Api, path } from '../http/api.ts';
import { Transport } from '../http/transport.ts';
import { ConfirmedKeys } from '../known-keys/confirmed-keys.ts';
import { openKeyStore } from '../known-keys/file-keys.ts';
import type { Change } from './change.ts';
import { ConnectRequests } from './connect-requests.ts';
import { connectionsOf, walkConnections } from './connections.ts';
import { Documents } from './documents.ts';
import { Flows } from './flows.ts';
import { KeyWalk, type ListPage } from './list-walk.ts';
import { Messages } from './messages.ts';
import { openChange } from './open-change.ts';
import { Opener } from './opener.ts';
import {
  checkedUrl,
  type DataClientOptions,
  loadPrivateKey,
  optionsFromEnvironment,
  optionsFromFile,
} from './options.ts';
import { PeopleKeys } from './people-keys.ts';
import { Reference } from './reference.ts';
import { type RequestField, requestField } from './request-field.ts';
import { TokenSource } from './token-source.ts';
import { TwoFactor } from './two-factor.ts';
import type { Connection, Log } from './value.ts';

export type ConnectionsOptions = {
  /** Connections in one request, 2 to 500. Default 200, or 500 for a long list, because requests are rate-limited. */
  pageSize?: number;
  /** False leaves values sealed. Default: decrypt when the client has a key. */
  decrypt?: boolean;
  /** Called with every page with the number of all connections, for a progress bar. */
  onTotal?: (total: number) => void;
  signal?: AbortSignal;
};

/**
 * Reads the connections of one service and its changes, for a company's backend.
 *
 * The client handles tokens, region moves, rate limits and pauses. Every method throws {@link SymbolonError}, or the
 * signal's reason when it is aborted. `close` ends the decryption threads; they do not keep the process alive.
 */
export class DataClient implements AsyncDisposable {
  readonly #api: Api;
  readonly #reference: Reference;
  readonly #pool: DecryptPool | undefined;
  readonly #opener: Opener;
  readonly #people: PeopleKeys;
  /** Asks enrolled people to approve a login. */
  readonly twoFactor: TwoFactor;
  /** Messages with connected people, and broadcasts to all of them. */
  readonly messages: Messages;
  /** Asks people to connect. */
  readonly connectRequests: ConnectRequests;
  /** Issues documents and contracts. */
  readonly documents: Documents;
  /** Flows, and the runs in which the company takes part. */
  readonly flows: Flows;

  /** @throws ConfigurationError `sdk.configuration`, `sdk.private_key` */
  constructor(options: DataClientOptions) {
    const transport = new Transport(options);
    this.#api = new Api(transport, new TokenSource(transport, checkedUrl(options.url), options));
    this.twoFactor = new TwoFactor(this.#api);
    this.#reference = new Reference(this.#api);
    this.#people = new PeopleKeys(this.#api, new ConfirmedKeys(openKeyStore(options)));
    const key = options.privateKey && loadPrivateKey(options.privateKey);
    this.documents = new Documents({ api: this.#api, people: this.#people, key });
    this.#pool = key && new DecryptPool(key, options);
    this.#opener = new Opener({
      api: this.#api,
      reference: this.#reference,
      pool: this.#pool,
      key,
      digestHeader: `x-${options.headerName ?? 'Platform'}-content-sha256`,
    });
    this.messages = new Messages({ api: this.#api, people: this.#people, opener: this.#opener, key });
    this.connectRequests = new ConnectRequests(this.#api);
    this.flows = new Flows({
      ...{ api: this.#api, people: this.#people, opener: this.#opener, reference: this.#reference, key },
      connection: (id, signal) => this.connection(id, { ...(signal && { signal }) }),
      transport: { runtime: options.runtime },
    });
  }

  /**
   * A client configured by `SYMBOLON_URL`, `SYMBOLON_CLIENT_ID`, `SYMBOLON_CLIENT_SECRET`,
   * `SYMBOLON_PRIVATE_KEY_FILE`, `SYMBOLON_PASSPHRASE` and `SYMBOLON_KNOWN_KEYS_FILE`, or by the file that `SYMBOLON_CONFIG` names.
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromEnvironment(env: Record<string, string | undefined> = process.env): DataClient {
    return new DataClient(optionsFromEnvironment(env));
  }

  /**
   * A client configured by a JSON file with `base_url`, `client_id`, `client_secret`, `private_key_file` (relative to
   * it) or `private_key_pem`, `passphrase`, and `known_keys_file` (relative to it).
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromFile(file: string): DataClient {
    return new DataClient(optionsFromFile(file));
  }

  /** Which company and service the credentials belong to. */
  whoami(signal?: AbortSignal): Promise<Whoami> {
    return this.#api.json({ method: 'GET', path: '/api/company-data/whoami', signal });
  }

  /** What the service asks for now. */
  async requestFields(signal?: AbortSignal): Promise<RequestField[]> {
    return (await this.#reference.requestFields(signal)).map(requestField);
  }

  /** The field-type registry; kept for an hour. */
  fieldTypes(): Promise<FieldTypeRegistry> {
    return this.#reference.registry();
  }

  /**
   * All connections, oldest first. One page is opened while the next is fetched, so at most two pages are in memory. Use
   * it for a first full sync, and then follow the feed with a {@link ChangePump}.
   *
   * @example
   * for await (const connection of client.connections()) console.log(connection.values.email?.value);
   */
  connections(options: ConnectionsOptions = {}): AsyncGenerator<Connection, void, void> {
    const { pageSize = limits.pageMost, decrypt, onTotal, signal } = options;
    const load = async (after: string, limit: number) => {
      const query = { after, limit };
      const page = await this.#page<CompanyConnectionRow>('/api/company-data/connections', query, signal);
      onTotal?.(page.total);
      return page;
    };
    const walk = new KeyWalk(load, (row) => row.connection_id, pageSize);
    // Threads start while the first page is on its way.
    if (decrypt !== false) this.#pool?.warm();
    return walkConnections(walk, this.#opener, { decrypt, signal, people: this.#people });
  }

  /** One connection. @throws NotFoundError `company_data.connection_not_found` */
  async connection(
    id: string,
    options: Omit<ConnectionsOptions, 'pageSize' | 'onTotal'> = {},
  ): Promise<Connection> {
    const call = { method: 'GET', path: path`/api/company-data/connections/${id}` } as const;
    const row = await this.#api.json<CompanyConnection>({ ...call, signal: options.signal });
    const asked = { ...row, connection_id: id };
    const [connection] = await connectionsOf([asked], this.#opener, { ...options, people: this.#people });
    return connection as Connection;
  }

  /**
   * Ends the service's side of a connection.
   *
   * @throws NotFoundError; ConflictError `company_connections.active_contract`
   */
  deleteConnection(id: string, signal?: AbortSignal): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/company-data/connections/${id}`, signal });
  }

  /** The service's log, newest first; the next page is fetched when it is needed. */
  async *logs(options: { pageSize?: number; signal?: AbortSignal } = {}): AsyncGenerator<Log, void, void> {
    const load = (before: string, limit: number) =>
      this.#page<LogEntry>('/api/company-data/logs', { before, limit }, options.signal);
    const walk = new KeyWalk(load, (entry) => entry.id, options.pageSize ?? limits.pageDefault);
    for (let page = await walk.next(); page; page = await walk.next()) {
      for (const { created_at: at, ...entry } of page) yield { ...entry, at };
    }
  }

  /**
   * Drains the feed once, as a {@link ChangePump} does again and again.
   *
   * @param options.after the id of the last event that is safely stored, '' when there is none: the platform deletes what it
   * gave this client up to that one, and gives the oldest events that are left. Without it the platform deletes what it
   * hands over as soon as that seems to have arrived
   * @param options.limit 1 to 500, default 100
   * @param options.webhookId drains that webhook's backlog instead
   * @param options.signal ends waiting; without `after` never a drain under way, whose rows would be lost
   */
  async changes(
    options: { limit?: number; after?: string; webhookId?: string; signal?: AbortSignal } = {},
  ): Promise<ChangeEvent[]> {
    const { limit, after, webhookId, signal } = options;
    const query = { limit, webhook_id: webhookId, after };
    const drain = after === undefined;
    const call = { method: 'GET', path: '/api/company-data/changes', query, drain, signal } as const;
    const { changes } = await this.#api.json<ChangeBatch>(call);
    return changes;
  }

  /** Opens and types an event of the feed or of a webhook. */
  openChange(event: ChangeEvent): Promise<Change> {
    return openChange(event, { opener: this.#opener, people: this.#people });
  }

  /**
   * The public key of a person or company by share code, or of a service by both codes, as the platform names it. It was
   * compared with nothing: {@link DataClient.sealFor} and {@link DataClient.publicKeys} compare.
   */
  publicKey(shareCode: string): Promise<PublicKey>;
  publicKey(companyCode: string, serviceCode: string): Promise<ServicePublicKey>;
  publicKey(code: string, serviceCode?: string): Promise<PublicKey | ServicePublicKey> {
    const address =
      serviceCode === undefined ? path`/api/keys/${code}` : path`/api/keys/${code}/${serviceCode}`;
    return this.#api.json({ method: 'GET', path: address });
  }

  /**
   * Public keys (base64 SPKI) by user id, any number of them; unknown ids are missing. A key is remembered at its first use.
   *
   * @throws UnconfirmedKeyError `sdk.person_key_changed`, with all of `user_ids` and the `words` of the first
   */
  publicKeys(userIds: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
    return this.#people.keys(userIds, signal);
  }

  /**
   * Seals a text to the key of a person. The key is remembered at its first use; a changed one is refused.
   *
   * @throws NotFoundError `keys.not_found`; UnconfirmedKeyError `sdk.person_key_changed`, with `fingerprint` and `words`
   */
  sealFor(userId: string, plaintext: string, signal?: AbortSignal): Promise<Wrapper> {
    return this.#people.seal(userId, plaintext, signal);
  }

  /**
   * Confirms the key that the platform names for a person, after it was compared with the person over another channel.
   *
   * @param compared the four words, or the fingerprint as 64 hexadecimal digits
   * @throws NotFoundError `sdk.key_unknown` when the platform names another key
   */
  confirmKey(userId: string, compared: string): Promise<void> {
    return this.#people.confirm(userId, compared);
  }

  /** Starts the decryption threads ahead of the first page; worth it before a large sync. */
  warm(): void {
    this.#pool?.warm();
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool?.close(), this.documents.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #page<T>(
    path: string,
    query: { limit: number; after: string } | { limit: number; before: string },
    signal: AbortSignal | undefined,
  ): Promise<ListPage<T>> {
    return this.#api.json({ method: 'GET', path, query, signal });
  }
}
