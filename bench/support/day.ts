import { createField, registerPerson, sealed, type TestPerson } from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import {
  createApp,
  parametersFor,
  signIn,
  type TestApp,
  told,
  VERIFIER,
} from '@symbolon/testkit/actors/consent';
import { leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { exchangeForm } from '@symbolon/testkit/actors/sign-ins';
import type { Callable } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import {
  type BenchService,
  connectField,
  createService,
  dataToken,
  editOf,
  type Slot,
  tokenForm,
} from './actors.ts';
import type { TimedCall } from './calls.ts';
import { enrol, makePasskey, proofOf, type StoredPasskey } from './second-factor.ts';
import { copyRows, type Sql } from './sql.ts';

/** Calls that may be made at the same time; the next step is made from the bodies of their answers. */
export interface Step {
  readonly calls: readonly TimedCall[];
  /** They lead to what is looked at, and are not part of it. */
  readonly prepares?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: benchmarks look into answers freely
export type Steps = AsyncGenerator<Step, void, readonly any[]>;

/** Something that companies and people do all day. */
export interface Act {
  /** What is written past the API before it is done so often. */
  readonly prepare?: (count: number) => Promise<void>;
  /** Its calls, when it is done so often. */
  readonly steps: (count: number) => Steps;
}

/** A customer of the service. */
export interface Customer extends Slot {
  readonly person: TestPerson;
  readonly fieldId: string;
  /** What another service is answered with, so that an edit of the first field never misses a copy for it. */
  readonly noteId: string;
  readonly authenticator: SoftwareAuthenticator;
}

export interface Day {
  readonly service: BenchService;
  readonly customers: readonly Customer[];
  /** Of the data client. */
  readonly token: string;
  readonly acts: Readonly<Record<ActName, Act>>;
}

export type ActName = keyof ReturnType<typeof actsOf>;

const DATA = '/api/company-data';
/** Changes of a drain, connections of a page at most. */
export const PAGE = 100;
const DOCUMENTS = 20;
/** An RSA signature would be most of an exchange. */
const ALGORITHM = { id_token_signed_response_alg: 'EdDSA' };
const OPENID = { mode: '', response_mode: '', response_type: 'code', scope: 'openid', nonce: 'n' };

/**
 * A company with customers, and what they do: the budget of a call, the plan and the soak are made of the same acts.
 *
 * @param sql the database of the platform
 * @param count of customers, who can act at the same time
 */
export async function openDay(platform: Callable, sql: Sql, count: number): Promise<Day> {
  const service = await createService(platform);
  await sql.run(`update companies set level = 'pro' where id = '${service.company.id}'`);
  const token = await dataToken(platform, service);
  const customers: Customer[] = [];
  const passkeys: StoredPasskey[] = [];
  while (customers.length < count) {
    const person = await registerPerson(platform);
    const fieldId = await createField(platform, person, { type: 'text', slug: 'city', value: 'London' });
    const noteId = await createField(platform, person, { type: 'text', slug: 'note', value: 'Rings twice' });
    const slot = await connectField(platform, { token: person.token, fieldId }, service);
    const { authenticator, stored } = makePasskey(platform.url);
    passkeys.push(stored);
    customers.push({ person, fieldId, noteId, authenticator, ...slot });
  }
  const people = customers.map(({ person }) => person);
  await enrol(sql, service, people, passkeys);
  const scene: Scene = {
    service,
    other: await createService(platform),
    token,
    sql,
    platform,
    app: await createApp(platform, service.company, ALGORITHM),
    flowId: await publishFlow(platform, service),
    value: await sealed('Paris'),
    next: turns(customers),
    take: takes(turns(customers), count),
  };
  for (let document = 0; document < DOCUMENTS; document++) {
    const { method, path, ...call } = documentOf(scene);
    await platform.must(method, path, call);
  }
  return { service, token, customers, acts: actsOf(scene) };
}

interface Scene {
  readonly service: BenchService;
  readonly other: BenchService;
  readonly token: string;
  readonly sql: Sql;
  readonly platform: Callable;
  readonly app: TestApp;
  readonly flowId: string;
  /** Sealed. */
  readonly value: string;
  /** So many customers, in turn: not one of them twice, as long as there are as many. */
  readonly next: (count: number) => readonly Customer[];
  /** As `next`, for an act of several steps: a customer is in one of them at a time, so that none meets what another has begun. */
  readonly take: (count: number) => readonly Customer[] & Disposable;
}

function turns(customers: readonly Customer[]): Scene['next'] {
  let turn = 0;
  return (count) => Array.from({ length: count }, () => customers[turn++ % customers.length] as Customer);
}

/** @returns fewer customers than asked for when the others are taken */
function takes(next: Scene['next'], all: number): Scene['take'] {
  const taken = new Set<Customer>();
  return (count) => {
    const who: Customer[] = [];
    for (let asked = 0; asked < all && who.length < count; asked++) {
      const free = next(1).filter((customer) => !taken.has(customer));
      for (const customer of free) taken.add(customer);
      who.push(...free);
    }
    return Object.assign(who, {
      [Symbol.dispose]() {
        for (const customer of who) taken.delete(customer);
      },
    });
  };
}

function actsOf(scene: Scene) {
  const { service, token, next } = scene;
  const read = (path: string) => each(() => ({ method: 'GET', path: `${DATA}/${path}`, token }));
  return {
    health: each(() => ({ method: 'GET', path: '/api/health' })),
    token: each(() => ({ method: 'POST', path: '/oauth2/token', body: tokenForm(service) })),
    whoami: read('whoami'),
    'page of connections': read(`connections?limit=${PAGE}`),
    'list of documents': read(`documents?limit=${DOCUMENTS}`),
    drain: drains(scene),
    edit: each(() => next(1).map((customer) => editBy(scene, customer))[0] as TimedCall),
    connect: { steps: (count) => connects(scene, count) },
    'challenge round': { steps: (count) => challengeRounds(scene, count) },
    'code exchange': { steps: (count) => signIns(scene, count, false) },
    'sign-in': { steps: (count) => signIns(scene, count, true) },
    userinfo: userinfo(scene),
    message: each(() => messageTo(scene)),
    document: each(() => documentOf(scene)),
    'run of a flow': { steps: (count) => runs(scene, count) },
  } satisfies Readonly<Record<string, Act>>;
}

/** Calls that do not lead to each other. */
function each(call: () => TimedCall): Act {
  return {
    async *steps(count) {
      yield { calls: Array.from({ length: count }, call) };
    },
  };
}

function editBy({ value }: Scene, { person, fieldId, ...slot }: Customer): TimedCall {
  return editOf({ token: person.token, fieldId }, value, [slot]);
}

function messageTo({ next, token, value }: Scene): TimedCall {
  const [customer] = next(1);
  const path = `${DATA}/connections/${customer?.connectionId}/messages`;
  return { method: 'POST', path, token, body: { body: value, sender_body: value } };
}

function documentOf({ next, token, value }: Scene): TimedCall {
  const target = { connection_id: next(1)[0]?.connectionId };
  const body = { kind: 'document', name: 'Terms', payload_kind: 'json', target, value };
  return { method: 'POST', path: `${DATA}/documents`, token, body };
}

/** Each drain confirms the one before; the last one of all is confirmed by the first of the next time. */
function drains({ sql, service, platform, token, ...scene }: Scene): Act {
  let last = '';
  let kind = 0;
  const call = () => ({ method: 'GET', path: `${DATA}/changes?limit=${PAGE}&after=${last}`, token });
  return {
    /** What is queued is copies of one edit, each as if it were of a slot of its own. */
    async prepare(count) {
      await drainAll(platform, `${DATA}/changes`, token);
      last = '';
      const [customer] = scene.next(1);
      if (customer === undefined) return;
      const { method, path, ...edit } = editBy({ sql, service, platform, token, ...scene }, customer);
      await platform.must(method, path, edit);
      const id = sql.id(0x100 + (kind++ % 0xe00), 'i.n');
      await copyRows(sql, 'changes', {
        where: `t.seq = (select max(seq) from changes where feed = '${service.id}')`,
        count: count * PAGE,
        set: { id, collapse_key: `'field:' || ${id}` },
      });
    },
    async *steps(count) {
      for (let drained = 0; drained < count; drained++) {
        const [{ changes }] = yield { calls: [call()] };
        if (changes.length !== PAGE) throw new Error(`A drain gave ${changes.length} changes.`);
        last = changes.at(-1).id;
      }
    },
  };
}

/** People connect to another service, and leave it. */
async function* connects({ take, other, value }: Scene, count: number): Steps {
  using who = take(count);
  const decisionOf = ({ noteId }: Customer) => [
    { request_field_id: other.rows.note, kind: 'live', field_id: noteId, value },
  ];
  const made = yield {
    calls: who.map((customer) => ({
      method: 'POST',
      path: '/api/person/connections',
      token: customer.person.token,
      body: {
        company_code: other.company.code,
        service_code: other.code,
        decisions: decisionOf(customer),
      },
    })),
  };
  yield {
    prepares: true,
    calls: made.map(({ connection_id }, index) => ({
      method: 'DELETE',
      path: `/api/person/connections/${connection_id}`,
      token: who[index]?.person.token ?? '',
    })),
  };
}

/** The service asks, the person reads the card and approves by a passkey, the service polls. */
async function* challengeRounds({ take, token }: Scene, count: number): Steps {
  const asking = '/api/service-2fa/challenges';
  using who = take(count);
  const asked = yield {
    calls: who.map(({ person }) => ({
      method: 'POST',
      path: asking,
      token,
      body: { share_code: person.shareCode, idempotency_key: crypto.randomUUID() },
    })),
  };
  const paths = asked.map(({ challenge_id }) => `/api/person/two-factor/challenges/${challenge_id}`);
  const of = (index: number) => who[index] as Customer;
  const cards = yield {
    calls: paths.map((path, index) => ({ method: 'GET', path, token: of(index).person.token })),
  };
  yield {
    calls: paths.map((path, index) => ({
      method: 'POST',
      path: `${path}/approve`,
      token: of(index).person.token,
      body: { proof: proofOf(of(index).authenticator, cards[index].presence) },
    })),
  };
  const outcomes = yield {
    calls: asked.map(({ challenge_id }) => ({ method: 'GET', path: `${asking}/${challenge_id}`, token })),
  };
  const wrong = outcomes.find(({ status }) => status !== 'approved');
  if (wrong !== undefined) throw new Error(`The outcome of a challenge is ${wrong.status}.`);
}

/**
 * People sign in at an app by OpenID: the page opens the request, the person approves, the app exchanges the code and asks who it is.
 *
 * @param whole else only the exchange is what is looked at
 */
async function* signIns({ next, app }: Scene, count: number, whole: boolean): Steps {
  const who = next(count);
  const query = `?${parametersFor(app, OPENID)}`;
  const opened = yield {
    prepares: !whole,
    calls: who.map(() => ({ method: 'POST', path: '/api/consent/requests', body: { query } })),
  };
  const approved = yield {
    prepares: !whole,
    calls: who.map(({ person }, index) => ({
      method: 'POST',
      path: `/api/consent/requests/${opened[index].request_id}/approve`,
      token: person.token,
      body: { request_token: opened[index].request_token },
    })),
  };
  const client = { companyId: '', clientId: app.id, secret: app.secret ?? undefined };
  const tokens = yield {
    calls: approved.map(({ redirect_to }) => ({
      method: 'POST',
      path: '/oauth2/token',
      body: exchangeForm(client, told(redirect_to).code ?? '', {
        code_verifier: VERIFIER,
        redirect_uri: app.redirectUri,
      }),
    })),
  };
  if (whole) yield { calls: tokens.map(({ access_token }) => userinfoBy(access_token)) };
}

function userinfoBy(token: string): TimedCall {
  return { method: 'GET', path: '/api/oauth/userinfo', token };
}

/** With the token of one sign-in. */
function userinfo({ platform, app, ...scene }: Scene): Act {
  let token: Promise<string> | undefined;
  const signedIn = async () => {
    const [customer] = scene.next(1);
    if (customer === undefined) throw new Error('There are no customers.');
    const code = await signIn(platform, app, customer.person, OPENID);
    const client = { companyId: '', clientId: app.id, secret: app.secret ?? undefined };
    const body = exchangeForm(client, code, { code_verifier: VERIFIER, redirect_uri: app.redirectUri });
    return (await platform.must('POST', '/oauth2/token', { body })).access_token as string;
  };
  return {
    async *steps(count) {
      token ??= signedIn();
      const call = userinfoBy(await token);
      yield { calls: Array.from({ length: count }, () => call) };
    },
  };
}

/** The company starts a run, the customer answers her step, the company its own, and the run is completed. */
async function* runs({ next, token, flowId, service }: Scene, count: number): Steps {
  const who = next(count);
  const started = yield {
    calls: who.map(({ person, connectionId }) => ({
      method: 'POST',
      path: `${DATA}/flows/${flowId}/runs`,
      token,
      body: {
        target: { connection_id: connectionId },
        bindings: { client: person.id, owner: service.company.id },
      },
    })),
  };
  const answers = await Promise.all(
    started.map((run) => submitOf(run, { colour: 'blue', weight: '20' }, to('look', 'owner'))),
  );
  yield {
    calls: started.map(({ id }, index) => ({
      method: 'POST',
      path: `/api/person/flow-runs/${id}/answers`,
      token: who[index]?.person.token ?? '',
      body: answers[index],
    })),
  };
  const last = await Promise.all(started.map((run) => submitOf(run, { verdict: 'good' }, leaf)));
  const ended = yield {
    calls: started.map(({ id }, index) => ({
      method: 'POST',
      path: `${DATA}/flow-runs/${id}/answers`,
      token,
      body: last[index],
    })),
  };
  const open = ended.find(({ status }) => status !== 'completed');
  if (open !== undefined) throw new Error(`A run is ${open.status} after its last answer.`);
}
