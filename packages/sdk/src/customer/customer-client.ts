import type { KeyObject } from 'node:crypto';
import { parseFileEnvelope, type Wrapper } from '@symbolon/crypto';
import { openTextSync } from '@symbolon/crypto/node';
import type {
  CancelDocumentRequest,
  ChangeEvent,
  CustomerChangeBatch,
  CustomerChangeEvent,
  CustomerConnection,
  CustomerConsent,
  CustomerDecision,
  CustomerDocument,
  CustomerLookup,
  CustomerRequestField,
  FileUpload,
  PublicKey,
  ServiceLink,
  ServicePublicKey,
} from '@symbolon/protocol';
import { accountCredentials } from '../account/environment.ts';
import { CustomerSide } from '../customer-side/customer-side.ts';
import { type Asked, sealedFor } from '../customer-side/decisions.ts';
import { checkedUrl, loadPrivateKey } from '../data/options.ts';
import { Reference } from '../data/reference.ts';
import { TokenSource } from '../data/token-source.ts';
import { Api, path } from '../http/api.ts';
import { DecryptionError, NotFoundError, ServerError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { ConfirmedKeys, codeOf, connectionOf, type KeyOwner } from '../known-keys/confirmed-keys.ts';
import { type KnownKeysOptions, openKeyStore } from '../known-keys/file-keys.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';
import { type CustomerChange, customerChange } from './customer-change.ts';
import { type CustomerAnswer, type CustomerAnswers, customerDecisions } from './decisions.ts';
import { CustomerFlows } from './flows.ts';

/**
 * A service's key is remembered when the client connects to it. Another one, and that of a service to which something else
 * connected, is used only after {@link CustomerClient.confirmKey}: give the client a file, so that the next process knows it.
 */
export type CustomerClientOptions = TransportOptions &
  KnownKeysOptions & {
    /** The front door, for example `https://symbolon.example`. */
    url: string;
    /** `acct_…`, of an account client with `customer_connections`. */
    clientId: string;
    clientSecret: string;
    /** The company's account key, to open what is sealed for the company. */
    accountKey?: PrivateKeySource | undefined;
  };

/** A link to a service is addressed within its connection. */
export type LinkRef = { connectionId: string; serviceLinkId: string };

/** And so is a document. */
export type DocumentRef = { connectionId: string; documentId: string };

/** A file of a document, opened. */
export type CustomerFile = { name: string; mimeType: string; bytes: Uint8Array };

/**
 * A company as the customer of other companies' services, for programs (wire 4.8). The client checks answers against the
 * registry and seals them to the service's key.
 *
 * The client handles tokens, region moves, rate limits and pauses. Every method throws {@link SymbolonError}.
 *
 * @example
 * const customer = CustomerClient.fromEnvironment();
 * await customer.connect('ACME', 'SHOP', { vat: { value: 'DE123456789' } });
 */
export class CustomerClient extends CustomerSide<CustomerRequestField, CompanyTypes> {
  readonly #reference: Reference;
  readonly #accountKey: KeyObject | undefined;
  readonly #keys: ConfirmedKeys;
  /** Runs of other companies' flows in which the company takes part. */
  readonly flows: CustomerFlows;

  /** @throws ConfigurationError `sdk.configuration`, `sdk.private_key` */
  constructor(options: CustomerClientOptions) {
    const transport = new Transport(options);
    super(new Api(transport, new TokenSource(transport, checkedUrl(options.url), options)), PATHS);
    this.#reference = new Reference(this.api);
    this.#accountKey = options.accountKey && loadPrivateKey(options.accountKey);
    this.#keys = new ConfirmedKeys(openKeyStore(options));
    this.flows = new CustomerFlows({
      ...{ api: this.api, keys: this.#keys, accountKey: this.#accountKey },
      fieldTypes: () => this.#reference.registry(),
      open: (wrapper) => this.openValue(wrapper),
    });
  }

  /**
   * A client configured by `SYMBOLON_URL`, `SYMBOLON_ACCOUNT_CLIENT_ID`, `SYMBOLON_ACCOUNT_CLIENT_SECRET`; to open what is
   * sealed for the company, `SYMBOLON_ACCOUNT_KEY_FILE` (a PEM, with `SYMBOLON_ACCOUNT_KEY_PASSPHRASE` when it is encrypted);
   * and `SYMBOLON_KNOWN_KEYS_FILE`, which keeps the keys of services.
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromEnvironment(env: Record<string, string | undefined> = process.env): CustomerClient {
    const file = env.SYMBOLON_ACCOUNT_KEY_FILE;
    const passphrase = env.SYMBOLON_ACCOUNT_KEY_PASSPHRASE;
    return new CustomerClient({
      ...accountCredentials(env),
      accountKey: file ? { file, ...(passphrase && { passphrase }) } : undefined,
      knownKeysFile: env.SYMBOLON_KNOWN_KEYS_FILE || undefined,
    });
  }

  /**
   * Changes answers to a service: `{ remove: true }` takes one away, and rows that are left out stay as they are.
   *
   * @throws NotFoundError `connections.not_found`; ConflictError `contact_data.mandatory`; InvalidRequestError
   * `sdk.answer_unknown`; ValueError
   */
  async remap(ref: LinkRef, answers: CustomerAnswers): Promise<ServiceLink> {
    const { connectionId, serviceLinkId } = ref;
    const { company, services } = await this.connection(connectionId);
    const link = services.find((candidate) => candidate.service_link_id === serviceLinkId);
    if (!link) {
      const message = 'There is no such connection.';
      throw new NotFoundError({ errorKey: 'connections.not_found', message });
    }
    const { service, request_fields } = await this.lookup(company.share_code, link.service_code);
    const { mappings } = link;
    const address = path`/api/company-connections/${connectionId}/services/${serviceLinkId}/mappings`;
    const of = connectionOf(connectionId, serviceLinkId);
    return this.sendAnswers('PUT', address, { service, request_fields, mappings, of }, answers);
  }

  /**
   * Confirms the key that a service has changed to, and that the codes lead to this service, after its fingerprint or its words were
   * compared with the company behind it. From then on answers are sealed to it. An event of the platform is a reason to ask, not a proof.
   *
   * @param compared the four words, or the fingerprint as 64 hexadecimal digits
   * @throws NotFoundError `sdk.key_unknown` when the service has another key
   */
  async confirmKey(companyCode: string, serviceCode: string, compared: string): Promise<void> {
    const { service } = await this.lookup(companyCode, serviceCode);
    const owner: KeyOwner = { kind: 'service', id: service.id };
    await this.#keys.confirm({ ...owner, publicKey: service.public_key }, compared);
    await this.#keys.confirmOwners({ ...codeOf(companyCode, serviceCode), owners: [owner] });
  }

  /** Ends the link to one service; the connection ends with its last link. */
  disconnectService({ connectionId, serviceLinkId }: LinkRef): Promise<void> {
    const address = path`/api/company-connections/${connectionId}/services/${serviceLinkId}`;
    return this.api.done({ method: 'DELETE', path: address });
  }

  /**
   * The file of a document, opened with the account key where it is sealed; the sealed PDF, once it is signed.
   *
   * @throws NotFoundError `documents.not_found`, `documents.file_not_found`; DecryptionError `sdk.key_missing`, `sdk.unreadable`
   */
  async documentFile(
    { connectionId, documentId }: DocumentRef,
    transfer: Transfer = {},
  ): Promise<CustomerFile> {
    const address = path`/api/company-connections/${connectionId}/documents/${documentId}/file`;
    const call = { method: 'GET', path: address, ...transfer } as const;
    const answer = await this.api.json<{ value?: Wrapper; file?: string }>(call);
    const text = answer.value === undefined ? JSON.stringify(answer) : this.openValue(answer.value);
    try {
      const envelope = parseFileEnvelope(text);
      if (envelope.kind !== 'file') throw new Error('It is no single file.');
      const { originalName: name = documentId, mimeType } = envelope.file;
      return { name, mimeType, bytes: envelope.file.bytes() };
    } catch (cause) {
      const message = 'The file does not have the shape of an envelope.';
      throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
    }
  }

  /**
   * Uploads a file for one service, sealed; the act that answers a row names it within an hour. Gives its id. {@link connect},
   * {@link provideConsent} and {@link remap} do so by themselves.
   *
   * @param envelope the text of `buildPhotoEnvelope`, `buildFileEnvelope` or `buildPagesEnvelope`
   * @throws ConflictError `contact_data.uploads_limit`, `account.storage_full`
   */
  async uploadFile(envelope: string, servicePublicKey: string, transfer: Transfer = {}): Promise<string> {
    const json = { value: await sealedFor({ public_key: servicePublicKey }, envelope) };
    const call = { method: 'POST', path: UPLOADS, json, ...transfer } as const;
    return (await this.api.json<FileUpload>(call)).upload_id;
  }

  /**
   * Cancels a document whose metadata allows it: at once, or on the day that its metadata names (wire 11.4). A repetition changes
   * nothing. Signing and accepting is for the company's owner, in the portal.
   *
   * @param note which the company that issued it reads
   * @throws NotFoundError `documents.not_found`; ConflictError `documents.not_cancellable`
   */
  cancelDocument({ connectionId, documentId }: DocumentRef, note?: string): Promise<CustomerDocument> {
    const json: CancelDocumentRequest = note === undefined ? {} : { note };
    const address = path`/api/company-connections/${connectionId}/documents/${documentId}/cancel`;
    return this.api.json({ method: 'POST', path: address, json, idempotent: true });
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
    return (await this.api.json<CustomerChangeBatch>({ ...call, query: { limit, after } })).changes;
  }

  /** Types an event of the account feed. */
  async openChange(event: ChangeEvent): Promise<CustomerChange> {
    return customerChange(event);
  }

  /** A `ChangePump` keeps the order of events within a connection. */
  laneOf(event: ChangeEvent): string {
    return event.connection_id ?? '';
  }

  /**
   * Opens what is sealed for the company.
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

  /**
   * The public key of a person or company by share code, or of a service by both codes, as the platform names it. It was
   * compared with nothing.
   */
  publicKey(shareCode: string): Promise<PublicKey>;
  publicKey(companyCode: string, serviceCode: string): Promise<ServicePublicKey>;
  publicKey(code: string, serviceCode?: string): Promise<PublicKey | ServicePublicKey> {
    return this.get(
      serviceCode === undefined ? path`/api/keys/${code}` : path`/api/keys/${code}/${serviceCode}`,
    );
  }

  /** A company can have links to several services of another one. */
  protected override async connected(
    { service }: Asked<CustomerRequestField>,
    connection: CustomerConnection,
  ): Promise<CustomerConnection> {
    const { id, services } = connection;
    const owners = [{ kind: 'service', id: service.id }] as const;
    const links = services.filter((link) => link.service_id === service.id);
    if (links.length === 0)
      throw new ServerError({
        errorKey: 'sdk.unexpected_answer',
        message: 'The platform answered without a link to the service.',
      });
    await this.#keys.assertOwners(
      links.map((link) => ({ ...connectionOf(id, link.service_link_id), owners })),
    );
    return connection;
  }

  protected async decisions(answers: CustomerAnswers, asked: Asked<CustomerRequestField>) {
    await this.#keys.requireFor(answers, asked);
    return customerDecisions(answers, asked, {
      registry: await this.#reference.registry(),
      upload: (envelope) => this.uploadFile(envelope, asked.service.public_key),
    });
  }
}

type CompanyTypes = {
  answer: CustomerAnswer;
  decision: CustomerDecision;
  lookup: CustomerLookup;
  connection: CustomerConnection;
  consent: CustomerConsent;
  answered: ServiceLink;
};

const UPLOADS = '/api/company-connections/uploads';
const PATHS = {
  lookup: '/api/company-connections/lookup',
  connections: '/api/company-connections',
  consents: '/api/company-connections/consents',
};
