import {
  decodeBase64,
  deriveLoginKeys,
  importPrivateKey,
  sealValue,
  serializeWrapper,
} from '@symbolon/crypto';
import { FieldTypeRegistry } from '@symbolon/field-types';
import type {
  ChangePasswordRequest,
  ConfirmVerificationRequest,
  ConnectRequest,
  CreatePersonFieldRequest,
  DecisionsRequest,
  DeclineRequest,
  FieldTypeRow,
  LoginParameters,
  Lookup,
  Person,
  PersonConnection,
  PersonConsent,
  PersonField,
  PersonSession,
} from '@symbolon/protocol';
import { Api, path } from '../http/api.ts';
import { ConflictError, NotFoundError } from '../http/errors.ts';
import { checkedBase, HeldSession } from '../http/held-session.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import { type AnswerContext, type Answers, decisionsOf } from './decisions.ts';
import { saveField } from './edit-field.ts';
import { type Field, openField } from './field.ts';
import { type Identity, login, loginAgain, passwordMembers, recover, register } from './identity.ts';

/** How often answers are given again when the fields they are from have changed meanwhile. */
const ATTEMPTS = 4;

export type PersonAccess = TransportOptions & { baseUrl: string; email: string };

export type NewField = {
  type: string;
  label: string;
  slug: string;
  /** Default: what the platform defaults to. */
  private?: boolean;
  value: ValueInput;
};

/**
 * What a person's device does: keeps the key, opens the person's fields, seals copies to services. Runs in browsers
 * and in Node. The password is not kept; the secret derived from it is, and signs in again when the token expires.
 */
export class PersonClient {
  readonly #api: Api;
  readonly #session: HeldSession;
  readonly #key: CryptoKey;
  readonly #pkcs8: Uint8Array<ArrayBuffer>;
  readonly #email: string;
  #person: Person;
  #loginSecret: string;
  #registry: Promise<FieldTypeRegistry> | undefined;

  private constructor(transport: Transport, identity: Identity, key: CryptoKey) {
    this.#key = key;
    this.#pkcs8 = identity.pkcs8;
    this.#email = identity.email;
    this.#person = identity.person;
    this.#loginSecret = identity.loginSecret;
    this.#session = new HeldSession(identity.base, identity.token, async () => {
      const { body } = await loginAgain(transport, identity.base, this.#email, this.#loginSecret);
      return body.access_token;
    });
    this.#api = new Api(transport, this.#session);
  }

  /**
   * Registers a person. The recovery code is shown once: it is the only way back after a lost password.
   *
   * @throws ConflictError `people.email_taken`; InvalidRequestError `people.email_invalid`
   */
  static async register(
    access: PersonAccess & { displayName: string; password: string },
  ): Promise<{ client: PersonClient; recoveryCode: string }> {
    const transport = new Transport(access);
    const base = checkedBase(access.baseUrl);
    const { recoveryCode, ...identity } = await register(transport, base, access);
    return { client: await PersonClient.#of(transport, identity), recoveryCode };
  }

  /** @throws AuthenticationError `auth.credentials_invalid`; RateLimitError `auth.throttled` */
  static async login(access: PersonAccess & { password: string }): Promise<PersonClient> {
    const transport = new Transport(access);
    const base = checkedBase(access.baseUrl);
    return PersonClient.#of(transport, await login(transport, base, access.email, access.password));
  }

  /** Sets a new password with the recovery code. @throws AuthenticationError `people.recovery_invalid` */
  static async recover(
    access: PersonAccess & { recoveryCode: string; newPassword: string },
  ): Promise<PersonClient> {
    const transport = new Transport(access);
    const base = checkedBase(access.baseUrl);
    return PersonClient.#of(transport, await recover(transport, base, access));
  }

  static async #of(transport: Transport, identity: Identity): Promise<PersonClient> {
    return new PersonClient(transport, identity, await importPrivateKey(identity.pkcs8));
  }

  /** As at sign-in; `me` asks again. */
  get person(): Person {
    return this.#person;
  }

  async me(): Promise<Person> {
    this.#person = await this.#get<Person>('/api/person/me');
    return this.#person;
  }

  /** Every other device must sign in again. @throws AuthenticationError `auth.credentials_invalid` */
  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    const json = { email: this.#email };
    const call = { method: 'POST', path: '/api/person/login/parameters', json } as const;
    const parameters = await this.#api.json<LoginParameters>(call);
    const current = await deriveLoginKeys(currentPassword, decodeBase64(parameters.key_salt));
    const { loginSecret, ...members } = await passwordMembers(newPassword, this.#pkcs8);
    const request: ChangePasswordRequest = { current_login_secret: current.loginSecret, ...members };
    const session = await this.#put<PersonSession>('/api/person/password', request);
    this.#loginSecret = loginSecret;
    this.#session.hold(session.access_token);
  }

  /** The field-type registry, fetched once. */
  fieldTypes(): Promise<FieldTypeRegistry> {
    this.#registry ??= this.#get<FieldTypeRow[]>('/api/contact-field-types').then(
      (rows) => new FieldTypeRegistry(rows),
      (error) => {
        this.#registry = undefined;
        throw error;
      },
    );
    return this.#registry;
  }

  /** Every field of the person, opened. */
  async fields(): Promise<Field[]> {
    const { fields } = await this.#get<{ fields: PersonField[] }>('/api/person/fields');
    return Promise.all(fields.map((field) => this.#open(field)));
  }

  async field(id: string): Promise<Field> {
    return this.#open(await this.#get<PersonField>(path`/api/person/fields/${id}`));
  }

  /**
   * Checks the value against the registry, seals it to the person's own key and stores it.
   *
   * @throws ValueError; ConflictError `contact_data.slug_taken`
   */
  async createField(input: NewField): Promise<Field> {
    const { value, ...members } = input;
    const plaintext = plaintextOf(input.type, value, await this.fieldTypes());
    const wrapper = serializeWrapper(await sealValue(plaintext, this.#person.public_key));
    const json: CreatePersonFieldRequest = { ...members, value: wrapper };
    return this.#open(await this.#post<PersonField>('/api/person/fields', json));
  }

  /**
   * Gives a field a new value, here and with every service that follows it, in one act. Its verification ends.
   *
   * @throws ValueError; NotFoundError `contact_data.not_found`
   */
  async editField(
    id: string,
    value: ValueInput,
    changes: { label?: string; private?: boolean } = {},
  ): Promise<Field> {
    const { type } = await this.#get<PersonField>(path`/api/person/fields/${id}`);
    const plaintext = plaintextOf(type, value, await this.fieldTypes());
    const edit = { id, plaintext, publicKey: this.#person.public_key, ...changes };
    return this.#open(await saveField(this.#api, edit));
  }

  /** Changes what stands around a value, not the value. */
  async updateField(id: string, changes: { label?: string; private?: boolean }): Promise<Field> {
    return this.#open(await this.#put<PersonField>(path`/api/person/fields/${id}`, changes));
  }

  /** @throws ConflictError `contact_data.mandatory` while a service needs it */
  deleteField(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/person/fields/${id}` });
  }

  /** Has a code mailed to the address in the field: the one act in which the platform sees the value. */
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
    return this.#open(await this.#api.json<PersonField>(call));
  }

  /** What a service is and asks for. @throws NotFoundError `profile.not_found` */
  lookup(companyCode: string, serviceCode: string): Promise<Lookup> {
    return this.#get(path`/api/person/lookup/${companyCode}/${serviceCode}`);
  }

  /**
   * Connects to a service, each answer sealed to its key.
   *
   * @example
   * await client.connect('ACME', 'SHOP', { email: { field: 'my_email' }, size: { value: '42' } });
   * @throws InvalidRequestError `contact_data.mandatory_missing`, `contact_data.type_mismatch`,
   * `contact_data.verification_required`; ConflictError `connections.exists`; ValueError
   */
  async connect(companyCode: string, serviceCode: string, answers: Answers): Promise<PersonConnection> {
    const { service, request_fields: requestFields } = await this.lookup(companyCode, serviceCode);
    return this.#answering(async () => {
      const decisions = await this.#decisions(answers, { service, requestFields });
      const json: ConnectRequest = { company_code: companyCode, service_code: serviceCode, decisions };
      return this.#post('/api/person/connections', json);
    });
  }

  async connections(): Promise<PersonConnection[]> {
    return (await this.#get<{ connections: PersonConnection[] }>('/api/person/connections')).connections;
  }

  connection(id: string): Promise<PersonConnection> {
    return this.#get(path`/api/person/connections/${id}`);
  }

  /**
   * Replaces the whole set of answers: a row left out is unmapped, `{ keep: true }` leaves an answer as it is.
   *
   * @throws ConflictError `contact_data.mandatory`
   */
  async remap(id: string, answers: Answers): Promise<PersonConnection> {
    const { service, request_fields: requestFields } = await this.connection(id);
    return this.#answering(async () => {
      const json: DecisionsRequest = {
        decisions: await this.#decisions(answers, { service, requestFields }),
      };
      return this.#put(path`/api/person/connections/${id}/mappings`, json);
    });
  }

  /** Ends the connection. @throws ConflictError `company_connections.active_contract` */
  disconnect(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/person/connections/${id}` });
  }

  /** What services have asked for since the person connected. */
  async consents(): Promise<PersonConsent[]> {
    return (await this.#get<{ consents: PersonConsent[] }>('/api/person/consents')).consents;
  }

  /** Answers some or all rows of a consent. @throws NotFoundError `consents.not_found` */
  async provideConsent(id: string, answers: Answers): Promise<PersonConnection> {
    const { service, request_fields: requestFields } = await this.#consent(id);
    return this.#answering(async () => {
      const json: DecisionsRequest = {
        decisions: await this.#decisions(answers, { service, requestFields }),
      };
      return this.#post(path`/api/person/consents/${id}/provide`, json);
    });
  }

  /** Declines all rows of a consent, or those with these slugs. */
  async declineConsent(id: string, slugs?: readonly string[]): Promise<PersonConnection> {
    const rows = slugs && (await this.#consent(id)).request_fields;
    const named = rows?.filter(({ slug }) => slugs?.includes(slug)).map((row) => row.id);
    const json: DeclineRequest = named ? { request_field_ids: named } : {};
    return this.#post(path`/api/person/consents/${id}/decline`, json);
  }

  /** Forgets token and login secret; this client is of no use afterwards. */
  close(): void {
    this.#session.hold(undefined);
    this.#loginSecret = '';
    this.#pkcs8.fill(0);
  }

  async #consent(id: string): Promise<PersonConsent> {
    const consent = (await this.consents()).find((candidate) => candidate.id === id);
    if (consent) return consent;
    throw new NotFoundError({ errorKey: 'consents.not_found', message: 'There is no such open consent.' });
  }

  /** Answers again, with the values as they then are, when another device saved one meanwhile. */
  async #answering<T>(answer: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await answer();
      } catch (error) {
        const changed = error instanceof ConflictError && error.errorKey === 'contact_data.field_changed';
        if (!changed || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #decisions(answers: Answers, context: Pick<AnswerContext, 'service' | 'requestFields'>) {
    const needsFields = Object.values(answers).some((answer) => 'field' in answer);
    const [fields, registry] = await Promise.all([needsFields ? this.fields() : [], this.fieldTypes()]);
    return decisionsOf(answers, { ...context, fields, registry });
  }

  async #textOf(id: string): Promise<string> {
    return (await this.field(id)).text ?? '';
  }

  async #open(field: PersonField): Promise<Field> {
    return openField(field, this.#key, await this.fieldTypes(), this.#api.transport.runtime.now());
  }

  #get<T>(path: string): Promise<T> {
    return this.#api.json({ method: 'GET', path });
  }

  #post<T>(path: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'POST', path, json });
  }

  #put<T>(path: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'PUT', path, json });
  }
}
