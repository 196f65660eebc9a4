import { randomBytes } from 'node:crypto';
import {
  encryptPem,
  encryptPrivateKey,
  generatePassphrase,
  importPrivateKey,
  type KeyPair,
  openText,
  sealValue,
  serializeWrapper,
  type Wrapper,
} from '@symbolon/crypto';
import type { Capability, RequestFieldInput } from '@symbolon/protocol';
import { newCredentials } from '@symbolon/sdk/device';
import type { Callable } from '../platform/calls.ts';
import { valueMadeOnce } from '../platform/made-once.ts';
import { freshKeys } from '../platform/quick-cryptography.ts';
import { credentials, personAccount, portalAccount } from './accounts.ts';

/*
 * Companies and people for tests, acting through the API alone. Key pairs take long to make, so each kind of actor shares
 * one, in all files of a run; what a test proves never rests on two actors having different keys unless it makes them itself.
 */

interface SharedKeys {
  readonly pair: KeyPair;
  /** The same key as a service has it. */
  readonly service: {
    readonly encrypted: Awaited<ReturnType<typeof encryptPrivateKey>>;
    readonly file: { readonly pem: string; readonly passphrase: string };
  };
}

let shared: Promise<SharedKeys> | undefined;

function sharedKeys(): Promise<SharedKeys> {
  shared ??= readSharedKeys();
  return shared;
}

function readSharedKeys(): Promise<SharedKeys> {
  return valueMadeOnce('keys', async () => {
    const [pair] = (await freshKeys(1)) as [KeyPair];
    const passphrase = generatePassphrase();
    const [encrypted, pem] = await Promise.all([
      encryptPrivateKey(pair.privateKey, passphrase),
      encryptPem(pair.privateKey, passphrase),
    ]);
    return { pair, service: { encrypted, file: { pem, passphrase } } };
  });
}

/** What people type in tests. */
export const PASSWORD = 'lantern river copper 27';

let byPassword: ReturnType<typeof makePasswordLogin> | undefined;

/** A login that `PASSWORD` opens. Deriving its keys takes long: all who type it share them. */
export function passwordLogin() {
  byPassword ??= makePasswordLogin();
  return byPassword;
}

async function makePasswordLogin() {
  const { pair } = await sharedKeys();
  const made = await valueMadeOnce('login', () => newCredentials(PASSWORD, pair.privateKey, []));
  return { ...made, pkcs8: pair.privateKey, publicKey: pair.publicKey };
}

const unique = () => randomBytes(6).toString('hex');

type Login = ReturnType<typeof credentials>;

export interface TestCompany {
  readonly id: string;
  readonly code: string;
  /** Portal session. */
  readonly token: string;
  readonly email: string;
  /** Of the company's own login, with its recovery secret. */
  readonly loginSecret: string;
  readonly recoverySecret: string;
}

/** A company whose device made random secrets, unless said: the platform cannot tell them from derived ones. */
export async function registerCompany(
  platform: Pick<Callable, 'must'>,
  name = 'Acme',
  email = `company-${unique()}@example.com`,
  login: Login = credentials(),
): Promise<TestCompany> {
  const { pair } = await sharedKeys();
  const account = { ...portalAccount(pair.publicKey, name), ...login };
  const { token, company } = await platform.must('POST', '/api/portal/register', {
    body: { email, account },
  });
  return {
    id: company.company_user_id,
    code: company.company_code,
    token,
    email,
    loginSecret: account.login_secret,
    recoverySecret: account.recovery.secret,
  };
}

export interface TestService {
  readonly id: string;
  readonly code: string;
  readonly publicKey: string;
  readonly company: TestCompany;
  /** Request rows by slug. */
  readonly rows: Readonly<Record<string, string>>;
  /** Opens a wrapper sealed to the service. */
  open(wrapper: string): Promise<string>;
}

/** What a customer knows of a service. */
export type TestPlace = Pick<TestService, 'code' | 'rows'> & { readonly company: Pick<TestCompany, 'code'> };

/** Creates a service and publishes its request rows. */
export async function createService(
  platform: Pick<Callable, 'must'>,
  company: TestCompany,
  requestFields: readonly RequestFieldInput[] = [],
  name = 'Shop',
): Promise<TestService> {
  const { service: key, pair } = await sharedKeys();
  const service = await platform.must('POST', '/api/services', {
    token: company.token,
    body: {
      name,
      admin_email: 'admin@example.com',
      public_key: pair.publicKey,
      encrypted_private_key: key.encrypted,
    },
  });
  const rows = await publish(platform, company, service.id, requestFields);
  const privateKey = await importPrivateKey(pair.privateKey);
  return {
    id: service.id,
    code: service.share_code,
    publicKey: pair.publicKey,
    company,
    rows,
    open: (wrapper) => openText(wrapper, privateKey),
  };
}

/** Publishes request rows over whatever stands; gives their ids by slug. */
export async function publish(
  platform: Pick<Callable, 'must'>,
  company: TestCompany,
  serviceId: string,
  requestFields: readonly RequestFieldInput[],
): Promise<Record<string, string>> {
  const path = `/api/services/${serviceId}/request-fields`;
  const { config_token } = await platform.must('GET', path, { token: company.token });
  const published = await platform.must('PUT', path, {
    token: company.token,
    body: { config_token, request_fields: requestFields },
  });
  return Object.fromEntries(
    published.request_fields.map((row: { slug: string; id: string }) => [row.slug, row.id]),
  );
}

/** Registers the service's data client and fetches a token for it. */
export async function dataToken(platform: Pick<Callable, 'must'>, service: TestService): Promise<string> {
  const { clientId, clientSecret } = await createDataClient(platform, service);
  return tokenFor(platform, clientId, clientSecret);
}

export interface TestAccountClient {
  readonly id: string;
  readonly secret: string;
  readonly token: string;
}

/** An account client of a company that was granted some capability groups, with a token. */
export async function createAccountClient(
  platform: Pick<Callable, 'must'>,
  company: TestCompany,
  capabilities: readonly Capability[] = [],
): Promise<TestAccountClient> {
  const { client_id: id, client_secret: secret } = await platform.must('POST', '/api/account/clients', {
    token: company.token,
    body: { name: 'Automation', capabilities },
  });
  return { id, secret, token: await tokenFor(platform, id, secret) };
}

/** The form of the token route. */
export const tokenForm = (client_id: string, client_secret: string) =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });

export async function tokenFor(
  platform: Pick<Callable, 'must'>,
  clientId: string,
  secret: string,
): Promise<string> {
  const body = tokenForm(clientId, secret);
  return (await platform.must('POST', '/oauth2/token', { body })).access_token;
}

/** Adds a webhook to a service. */
export function createWebhook(
  platform: Pick<Callable, 'must'>,
  { id, company: { token } }: TestService,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
): Promise<any> {
  return platform.must('POST', `/api/services/${id}/webhooks`, { token, body });
}

/** The data client of a service. */
export interface TestDataClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Registers the data client of a service. */
export async function createDataClient(
  platform: Pick<Callable, 'must'>,
  { id, company: { token } }: TestService,
): Promise<TestDataClient> {
  const made = await platform.must('POST', `/api/services/${id}/client`, { token });
  return { clientId: made.client_id, clientSecret: made.client_secret };
}

export interface TestPerson {
  readonly id: string;
  readonly shareCode: string;
  readonly email: string;
  readonly token: string;
  readonly loginSecret: string;
  readonly recoverySecret: string;
}

/** A person whose device made random secrets, unless said: the platform cannot tell them from derived ones. */
export async function registerPerson(
  platform: Pick<Callable, 'must'>,
  displayName = 'Ada',
  email = `person-${unique()}@example.com`,
  login: Login = credentials(),
): Promise<TestPerson> {
  const { pair } = await sharedKeys();
  const account = { ...personAccount(pair.publicKey, displayName), ...login };
  const { access_token, person } = await platform.must('POST', '/api/person/register', {
    body: { email, account },
  });
  return {
    id: person.person_user_id,
    shareCode: person.share_code,
    email,
    token: access_token,
    loginSecret: account.login_secret,
    recoverySecret: account.recovery.secret,
  };
}

/** The private key of every service, as the file that its company keeps. */
export async function serviceKeyFile() {
  return (await sharedKeys()).service.file;
}

/** The public key that the actors share. */
export async function sharedPublicKey(): Promise<string> {
  return (await sharedKeys()).pair.publicKey;
}

/** Its private key (PKCS#8), for clients that open values themselves. */
export async function sharedPrivateKey(): Promise<Uint8Array> {
  return (await sharedKeys()).pair.privateKey;
}

/** Opens what is sealed to the key the actors share: services' values, companies' recovery copies. */
export async function openSealed(wrapper: Wrapper | string): Promise<string> {
  const { pair } = await sharedKeys();
  return openText(wrapper, await importPrivateKey(pair.privateKey));
}

/** A value sealed to the key the actors share. */
export async function sealed(plaintext: string): Promise<string> {
  const { pair } = await sharedKeys();
  return serializeWrapper(await sealValue(plaintext, pair.publicKey));
}

/** Creates a field of a person; gives its id. */
export async function createField(
  platform: Pick<Callable, 'must'>,
  person: Pick<TestPerson, 'token'>,
  field: { type: string; slug: string; value: string; label?: string; private?: boolean },
): Promise<string> {
  const created = await platform.must('POST', '/api/person/fields', {
    token: person.token,
    body: { label: field.slug, ...field, value: await sealed(field.value) },
  });
  return created.id;
}

/**
 * How a test answers a row: live from a field, once from a field, or once typed in; as a company, typed in for good; or takes
 * its answer away.
 */
export type TestAnswer =
  | { field: string; value: string }
  | { field: string; once: string }
  | { once: string }
  | { typed: string }
  | 'remove';

export async function decisionsFor(
  rows: Readonly<Record<string, string>>,
  answers: Readonly<Record<string, TestAnswer>>,
): Promise<object[]> {
  return Promise.all(
    Object.entries(answers).map(async ([slug, answer]) => {
      const request_field_id = rows[slug];
      if (answer === 'remove') return { request_field_id, kind: 'remove' };
      if ('typed' in answer) return { request_field_id, kind: 'typed', value: await sealed(answer.typed) };
      return {
        request_field_id,
        kind: 'once' in answer ? 'one_time' : 'live',
        ...('field' in answer ? { field_id: answer.field } : {}),
        value: await sealed('once' in answer ? answer.once : answer.value),
      };
    }),
  );
}

/** Connects a person to a service; gives the connection id. */
export async function connect(
  platform: Pick<Callable, 'must'>,
  person: Pick<TestPerson, 'token'>,
  service: TestPlace,
  answers: Readonly<Record<string, TestAnswer>> = {},
): Promise<string> {
  const connection = await platform.must('POST', '/api/person/connections', {
    token: person.token,
    body: {
      company_code: service.company.code,
      service_code: service.code,
      decisions: await decisionsFor(service.rows, answers),
    },
  });
  return connection.connection_id;
}
