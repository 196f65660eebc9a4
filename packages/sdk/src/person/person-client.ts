// biome-ignore-all lint/style/noExcessiveLinesPerFile: what a person can do, method by method
import {
  type CryptoKey,
  derivePinsKey,
  importPrivateKey,
  sealValue,
  serializeWrapper,
} from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type {
  ConfirmVerificationRequest,
  CreatePersonFieldRequest,
  Decision,
  Lookup,
  Person,
  PersonConnection,
  PersonConsent,
  PersonField,
  PluginPass,
  RequestField,
} from '@symbolon/protocol';
import { CustomerSide } from '../customer-side/customer-side.ts';
import type { Asked } from '../customer-side/decisions.ts';
import { Reference } from '../data/reference.ts';
import { Api, path } from '../http/api.ts';
import { checkedBase, SignedInSession } from '../http/signed-in-session.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { ConfirmedKeys, codeOf, connectionOf } from '../known-keys/confirmed-keys.ts';
import { keyLocked } from '../login/login-secret.ts';
import { Pins } from '../login/pins.ts';
import type { AskCode } from '../login/registration.ts';
import { PluginFields } from '../plugin-fields/plugin-fields.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import { Approvals } from './approvals.ts';
import type { Authenticator } from './authenticator.ts';
import { PersonConnectRequests } from './connect-requests.ts';
import { ConsentPage } from './consent-page.ts';
import { type Answer, type Answers, personDecisions } from './decisions.ts';
import { PersonDevices } from './devices.ts';
import { PersonDocuments } from './documents.ts';
import { liveSlots, saveField, usableSlots } from './edit-field.ts';
import { type PersonEvent, personEvents } from './events.ts';
import { type Field, openField, storedFields } from './field.ts';
import { PersonFiles } from './files.ts';
import { PersonFlows } from './flows.ts';
import {
  type AskSecondFactor,
  checkOwnKey,
  heldKey,
  type Identity,
  login,
  loginAgain,
  loginWithPasskey,
  recover,
  register,
} from './identity.ts';
import { PersonMessages } from './messages.ts';
import { PersonKeys } from './person-keys.ts';
import { PersonPresence } from './presence.ts';
import { PersonSecurity } from './security.ts';

export type PersonAccess = TransportOptions & { baseUrl: string; email: string };

/** What a client is made with beside the identity. */
type Opened = {
  key: CryptoKey | undefined;
  lastPinsCounter?: number | undefined;
  secondFactor?: AskSecondFactor | undefined;
};

/** Whose fields plugins answer: a service's rows, or the claims of a sign-in request. */
export type PluginsOf =
  | { companyCode: string; serviceCode: string }
  | { clientId: string; state?: string | undefined };

export type NewField = {
  type: string;
  label: string;
  slug: string;
  /** Default: the default of the platform. */
  private?: boolean;
  /** Not for a file: see {@link PersonFiles.save}. */
  value?: ValueInput;
};

/**
 * The client on a person's device. It holds the key, opens the person's fields and seals copies to services. It runs in
 * browsers and in Node. It does not keep the password, but a secret derived from it that signs in again when the token
 * expires.
 */
export class PersonClient extends CustomerSide<RequestField, PersonTypes> {
  readonly #session: SignedInSession;
  readonly #key: CryptoKey | undefined;
  readonly #identity: Identity;
  readonly #reference: Reference;
  readonly #pins: Pins;
  readonly #confirmed: ConfirmedKeys;

  /** The keys that values are sealed to: which are confirmed, and confirming one that changed. */
  readonly keys: PersonKeys;
  /** What sign-in apps ask, and the person’s answers. */
  readonly consent: ConsentPage;
  /** What services ask the person to approve. */
  readonly approvals: Approvals;
  /** Password, passkeys, authenticator app and sessions. */
  readonly security: PersonSecurity;
  /** Proofs that the person is present. */
  readonly presence: PersonPresence;
  /** Threads with services. */
  readonly messages: PersonMessages;
  /** Services that ask for a connection. */
  readonly connectRequests: PersonConnectRequests;
  /** Documents and contracts that services gave. */
  readonly documents: PersonDocuments;
  /** Runs of flows in which the person takes part. */
  readonly flows: PersonFlows;
  /** Photos and documents in fields. */
  readonly files: PersonFiles;
  /** Browsers that are woken by push messages. */
  readonly devices: PersonDevices;

  private constructor(transport: Transport, identity: Identity, options: Opened) {
    const { key, lastPinsCounter: lastCounter, secondFactor } = options;
    const session = new SignedInSession(identity.base, identity.token, async () => {
      const { email, loginSecret } = identity;
      if (loginSecret === undefined) return undefined;
      const { body } = await loginAgain(transport, identity.base, { email, loginSecret, secondFactor });
      return body.access_token;
    });
    super(new Api(transport, session), PATHS);
    this.#session = session;
    this.#key = key;
    this.#identity = identity;
    this.#reference = new Reference(this.api);
    const pinsKey = async () => derivePinsKey(heldKey(identity));
    this.#pins = new Pins(this.api, { address: '/api/person/pins', pinsKey, lastCounter });
    this.#confirmed = new ConfirmedKeys(this.#pins);
    const connections = () => this.connections();
    this.keys = new PersonKeys({ api: this.api, confirmed: this.#confirmed, connections });
    this.consent = new ConsentPage({
      api: this.api,
      keys: this.keys,
      fields: () => this.fields(),
      fieldTypes: () => this.fieldTypes(),
      decisions: (answers, asked) => this.decisions(answers, asked),
    });
    this.presence = new PersonPresence(this.api, identity);
    this.approvals = new Approvals(this.api, this.presence);
    this.security = new PersonSecurity({
      api: this.api,
      presence: this.presence,
      identity,
      setToken: (token) => session.setToken(token),
    });
    this.devices = new PersonDevices(this.api);
    this.messages = new PersonMessages({
      api: this.api,
      identity,
      key,
      confirmed: this.#confirmed,
      connection: (id) => this.connection(id),
    });
    this.connectRequests = new PersonConnectRequests({
      api: this.api,
      presence: this.presence,
      send: async (address, { company, service }, answers, { members, isNew }) => {
        const codes = [company.company_code, service.share_code] as const;
        const asked = { ...(await this.lookup(...codes)), isNew, of: codeOf(...codes) };
        return this.connected(asked, await this.sendAnswers('POST', address, asked, answers, members));
      },
    });
    this.documents = new PersonDocuments({
      api: this.api,
      key: () => this.#openingKey(),
      prove: (act, proof) => this.presence.prove(act, proof),
      openRun: (id) => this.flows.run(id),
    });
    this.flows = new PersonFlows({
      api: this.api,
      person: () => identity.person,
      confirmed: this.#confirmed,
      fieldTypes: () => this.fieldTypes(),
      key: () => this.#openingKey(),
    });
    this.files = new PersonFiles({
      api: this.api,
      keys: this.#confirmed,
      publicKey: () => identity.person.public_key,
      key: () => this.#openingKey(),
      fieldTypes: () => this.fieldTypes(),
    });
  }

  /**
   * Registers a person. The recovery code is shown once: it is the only way back after a lost password.
   *
   * @param access.code asks for the code that is mailed to the address. Without it the person is registered in one step,
   * which only closed installations allow
   * @throws InvalidRequestError `sdk.password_weak`, `account.email_invalid`; AuthenticationError `account.code_invalid`;
   * ForbiddenError `account.confirmation_required`
   */
  static async register(
    access: PersonAccess & { displayName: string; password: string; code?: AskCode },
  ): Promise<{ client: PersonClient; recoveryCode: string }> {
    const transport = new Transport(access);
    const base = checkedBase(access.baseUrl);
    const { recoveryCode, ...identity } = await register(transport, base, access);
    return { client: await PersonClient.#of(transport, identity), recoveryCode };
  }

  /**
   * @param access.lastVersion {@link PersonClient.loginVersion} of the last sign-in, where the device remembers it
   * @param access.lastPinsCounter {@link PersonClient.pinsCounter}, likewise
   * @param access.secondFactor asked when the second factor is on, and again when the token has expired; without it that is an
   * AuthenticationError
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`, `auth.second_factor_invalid`,
   * `sdk.login_version_lowered`; RateLimitError `auth.throttled`
   */
  static async login(
    access: PersonAccess & {
      password: string;
      lastVersion?: number;
      lastPinsCounter?: number;
      secondFactor?: AskSecondFactor;
    },
  ): Promise<PersonClient> {
    const transport = new Transport(access);
    const identity = await login(transport, checkedBase(access.baseUrl), access);
    return PersonClient.#of(transport, identity, access);
  }

  /**
   * Signs in by a passkey, without address and password. A passkey that does not open the private key gives a client that
   * approves and reads lists; what opens or seals with the key is then a DecryptionError `sdk.key_locked`. When the token
   * expires, sign in again.
   *
   * @throws AuthenticationError `auth.passkey_invalid`; RateLimitError `auth.throttled`
   */
  static async loginWithPasskey(
    access: Omit<PersonAccess, 'email'> & { passkey: Authenticator; lastPinsCounter?: number },
  ): Promise<PersonClient> {
    const transport = new Transport(access);
    const identity = await loginWithPasskey(transport, checkedBase(access.baseUrl), access.passkey);
    return PersonClient.#of(transport, identity, access);
  }

  /**
   * Sets a new password with the recovery code. That code is void afterwards; the new one is shown once.
   *
   * @param access.secondFactor asked when the second factor is on
   * @throws AuthenticationError `account.recovery_invalid`, `auth.two_factor_required`; InvalidRequestError `sdk.password_weak`
   */
  static async recover(
    access: PersonAccess & { recoveryCode: string; newPassword: string; secondFactor?: AskSecondFactor },
  ): Promise<{ client: PersonClient; recoveryCode: string }> {
    const transport = new Transport(access);
    const base = checkedBase(access.baseUrl);
    const { recoveryCode, ...identity } = await recover(transport, base, access);
    return { client: await PersonClient.#of(transport, identity), recoveryCode };
  }

  static async #of(
    transport: Transport,
    identity: Identity,
    options: Omit<Opened, 'key'> = {},
  ): Promise<PersonClient> {
    const key = identity.pkcs8 && (await importPrivateKey(identity.pkcs8));
    await checkOwnKey(identity);
    return new PersonClient(transport, identity, { ...options, key });
  }

  /** The person as of the sign-in or the last call of `me`. */
  get person(): Person {
    return this.#identity.person;
  }

  async me(): Promise<Person> {
    const { pkcs8 } = this.#identity;
    const person = await this.get<Person>('/api/person/me');
    await checkOwnKey({ pkcs8, person });
    this.#identity.person = person;
    return person;
  }

  /** Whether this client can open and seal values. False after a sign-in by a passkey that does not open the key. */
  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  /** Which recipe derives the login keys; 0 while no password was used. A device that keeps it gives it to the next `login`. */
  get loginVersion(): number {
    return this.#identity.version;
  }

  /** Of the list of confirmed keys. A device that keeps it gives it to the next `login`, which then refuses an older list. */
  get pinsCounter(): number {
    return this.#pins.counter;
  }

  /**
   * Hears what happens, and connects again when the connection breaks. Ends with its signal, or when the caller leaves the
   * loop.
   *
   * @example
   * for await (const { kind } of person.events({ signal })) {
   *   if (kind !== 'session_changed') show(await person.approvals.pending());
   * }
   * @throws AuthenticationError when the session has ended; ConflictError `sdk.too_many_streams`; the signal's reason
   */
  events({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<PersonEvent, void> {
    return personEvents(this.api, signal);
  }

  /**
   * The fields of a service's request rows, or of a sign-in request's claims, that plugins answer, by slug or name. What
   * `pluginAnswer` makes of them is the value of the answer.
   *
   * @param of the codes of the service, or the app and the state of a request that the person has begun
   */
  pluginFields(of: PluginsOf): PluginFields {
    const json =
      'companyCode' in of
        ? { company_code: of.companyCode, service_code: of.serviceCode }
        : { client_id: of.clientId, ...(of.state === undefined ? {} : { state: of.state }) };
    const call = { method: 'POST', path: '/api/person/plugin-pass', json, idempotent: true } as const;
    return new PluginFields(() => this.api.json<PluginPass>(call));
  }

  /** The field-type registry, at most an hour old. */
  fieldTypes(): Promise<FieldTypeRegistry> {
    return this.#reference.registry();
  }

  /** Every field of the person, opened. */
  async fields(): Promise<Field[]> {
    const fields = await storedFields(this.api);
    return Promise.all(fields.map((field) => this.#open(field)));
  }

  async field(id: string): Promise<Field> {
    return this.#open(await this.get<PersonField>(path`/api/person/fields/${id}`));
  }

  /**
   * Checks the value against the registry, seals it to the person's own key and stores it.
   *
   * @throws ValueError; ConflictError `contact_data.slug_taken`
   */
  async createField(input: NewField): Promise<Field> {
    const { value, ...members } = input;
    const json: CreatePersonFieldRequest =
      value === undefined ? members : { ...members, value: await this.#sealed(input.type, value) };
    return this.#open(await this.#post<PersonField>('/api/person/fields', json));
  }

  /**
   * Gives a field a new value for the person and for every service that follows it, in one request. This ends its
   * verification. A service whose changed key is not confirmed keeps the former value, and so does one that this person has
   * answered on no device that keeps a list: see {@link PersonKeys.withheldSlots}.
   *
   * @throws ValueError; NotFoundError `contact_data.not_found`
   */
  async editField(
    id: string,
    value: ValueInput,
    changes: { label?: string; private?: boolean } = {},
  ): Promise<Field> {
    const { type } = await this.get<PersonField>(path`/api/person/fields/${id}`);
    const plaintext = plaintextOf(type, value, await this.fieldTypes());
    const edit = { id, plaintext, publicKey: this.#identity.person.public_key, ...changes };
    return this.#open(await saveField({ api: this.api, keys: this.#confirmed }, edit));
  }

  /** Changes the label or privacy of a field, not its value. */
  async updateField(id: string, changes: { label?: string; private?: boolean }): Promise<Field> {
    return this.#open(await this.#put<PersonField>(path`/api/person/fields/${id}`, changes));
  }

  /** @throws ConflictError `contact_data.mandatory` while a service needs it */
  deleteField(id: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: path`/api/person/fields/${id}` });
  }

  /** Has a code mailed to the address in the field. This call alone shows the value to the platform. */
  async startVerification(id: string): Promise<{ expiresAt: string }> {
    const json = { value: await this.#textOf(id) };
    type Started = { expires_at: string };
    const { expires_at } = await this.#post<Started>(path`/api/person/fields/${id}/verification`, json);
    return { expiresAt: expires_at };
  }

  /** @throws InvalidRequestError `verification.code_invalid`; ConflictError `verification.value_changed` */
  async confirmVerification(id: string, code: string): Promise<Field> {
    const json: ConfirmVerificationRequest = { value: await this.#textOf(id), code };
    return this.#open(
      await this.#post<PersonField>(path`/api/person/fields/${id}/verification/confirm`, json),
    );
  }

  async dropVerification(id: string): Promise<Field> {
    const call = { method: 'DELETE', path: path`/api/person/fields/${id}/verification` } as const;
    return this.#open(await this.api.json<PersonField>(call));
  }

  /**
   * Changes answers: `{ remove: true }` takes one away, and rows that are left out stay as they are.
   *
   * @throws ConflictError `contact_data.mandatory`
   */
  async remap(id: string, answers: Answers): Promise<PersonConnection> {
    const { service, request_fields, mappings } = await this.connection(id);
    const address = path`/api/person/connections/${id}/mappings`;
    const of = connectionOf(id);
    return this.sendAnswers('PUT', address, { service, request_fields, mappings, of }, answers);
  }

  /**
   * Sends the present value of a field to the slots that kept a former one, where the service's key is known by now: after
   * {@link PersonKeys.confirm}.
   *
   * @returns the slugs of the slots that have the present value now
   */
  async sendWithheld(id: string): Promise<string[]> {
    const slots = (await liveSlots(this.api, id)).filter(({ withheld }) => withheld);
    const isKnown = await usableSlots(this.#confirmed, slots);
    const sent: string[] = [];
    for (const { connection_id, slug } of slots.filter((_, index) => isKnown[index])) {
      await this.remap(connection_id, { [slug]: { field: id } });
      sent.push(slug);
    }
    return sent;
  }

  /** Forgets the token, the login secret and the key. The client cannot be used afterwards. */
  close(): void {
    this.#session.setToken(undefined);
    this.#identity.loginSecret = undefined;
    this.#identity.pkcs8?.fill(0);
  }

  protected override async connected({ service }: Asked<RequestField>, connection: PersonConnection) {
    const owners = [{ kind: 'service', id: service.id }] as const;
    await this.#confirmed.assertOwners([{ ...connectionOf(connection.connection_id), owners }]);
    return connection;
  }

  protected async decisions(answers: Answers, asked: Asked<RequestField>) {
    await this.#confirmed.requireFor(answers, asked);
    const needsFields = Object.values(answers).some((answer) => 'field' in answer);
    const [fields, registry] = await Promise.all([needsFields ? this.fields() : [], this.fieldTypes()]);
    return personDecisions(answers, asked, { fields, registry, files: this.files });
  }

  async #sealed(type: string, value: ValueInput): Promise<string> {
    const plaintext = plaintextOf(type, value, await this.fieldTypes());
    return serializeWrapper(await sealValue(plaintext, this.#identity.person.public_key));
  }

  #openingKey(): CryptoKey {
    if (this.#key === undefined) throw keyLocked();
    return this.#key;
  }

  async #textOf(id: string): Promise<string> {
    return (await this.field(id)).text ?? '';
  }

  async #open(field: PersonField): Promise<Field> {
    return openField(field, this.#openingKey(), await this.fieldTypes(), this.api.transport.runtime.now());
  }

  #post<T>(path: string, json: unknown): Promise<T> {
    return this.api.json({ method: 'POST', path, json });
  }

  #put<T>(path: string, json: unknown): Promise<T> {
    return this.api.json({ method: 'PUT', path, json });
  }
}

type PersonTypes = {
  answer: Answer;
  decision: Decision;
  lookup: Lookup;
  connection: PersonConnection;
  consent: PersonConsent;
  answered: PersonConnection;
};

const PATHS = {
  lookup: '/api/person/lookup',
  connections: '/api/person/connections',
  consents: '/api/person/consents',
};
