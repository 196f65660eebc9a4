import { Event } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createDataClient,
  createField,
  createService,
  createWebhook,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestDataClient,
  type TestPerson,
  type TestService,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer, publishShare } from '@symbolon/testkit/actors/customers';
import { leaf, publishFlow, to } from '@symbolon/testkit/actors/flow-runs';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { OPERATOR, TABLE } from '../../security/access-table.ts';

export interface Scene {
  readonly company: TestCompany;
  readonly service: TestService;
  readonly person: TestPerson;
  readonly connectionId: string;
  readonly webhookId: string;
  readonly flowId: string;
  readonly runId: string;
  readonly client: TestDataClient;
}

const row = (slug: string) => ({ slug, label: slug, type: 'text' });

/** A company with a service that has a row of everything: what is multiplied, and then used. */
export async function setScene(platform: TestPlatform): Promise<Scene> {
  const company = await registerCompany(platform);
  const made = await createService(platform, company, [row('nick')]);
  const webhook = await createWebhook(platform, made, {
    url: 'https://receiver.invalid/hook',
    auth_type: 'none',
  });
  const client = await createDataClient(platform, made);
  const person = await registerPerson(platform);
  const field = await createField(platform, person, { type: 'text', slug: 'mine', value: 'x' });
  const connectionId = await connect(platform, person, made, { nick: { field, value: 'x' } });
  // A decision, so that there is one to copy.
  const rows = await publish(platform, company, made.id, [row('nick'), row('more')]);
  const [consent] = (await platform.must('GET', '/api/person/consents', { token: person.token })).consents;
  await platform.must('POST', `/api/person/consents/${consent.id}/provide`, {
    token: person.token,
    body: { decisions: await decisionsFor(rows, { more: { once: 'y' } }) },
  });
  await platform.must('PUT', `/api/admin/companies/${company.id}/level`, {
    token: OPERATOR,
    body: { level: 'pro' },
  });
  await platform.must('PUT', `/api/admin/companies/${company.id}/level`, {
    token: OPERATOR,
    body: { level: 'enterprise' },
  });
  await platform.call('POST', '/api/portal/reset', { body: { email: company.email } });
  const token = await tokenFor(platform, client.clientId, client.clientSecret);
  await correspond(platform, { token, person, connectionId });
  const flowId = await publishFlow(platform, made);
  const runId = await runFlow(platform, { token, person, connectionId }, { flowId, companyId: company.id });
  const stranger = await registerPerson(platform);
  await askToConnect(platform, token, stranger);
  await platform.must('POST', '/api/person/files', {
    token: person.token,
    body: { value: await sealed('{}') },
  });
  await platform.context.jobWorker.run();
  const service = { ...made, rows };
  return { company, service, person, connectionId, webhookId: webhook.id, flowId, runId, client };
}

interface Correspondents {
  readonly token: string;
  readonly person: TestPerson;
  readonly connectionId: string;
}

/** A message, and a contract that is signed with its file. Gives the contract's id. */
async function correspond(
  platform: TestPlatform,
  { token, person, connectionId }: Correspondents,
): Promise<string> {
  await platform.must('POST', `/api/company-data/connections/${connectionId}/messages`, {
    token,
    body: { body: await sealed('hello'), sender_body: await sealed('hello') },
  });
  const { id } = await platform.must('POST', '/api/company-data/documents', {
    token,
    body: {
      kind: 'agreement',
      name: 'Lease',
      payload_kind: 'file',
      target: { connection_id: connectionId },
      requires_acceptance: true,
    },
  });
  await platform.must('POST', `/api/company-data/documents/${id}/file`, {
    token,
    body: { value: await sealed('{}') },
  });
  await platform.call('POST', `/api/person/documents/${id}/accept`, { token: person.token, body: {} });
  return id;
}

/** Starts a run, whose first step the person answers with a file; another file waits. Gives the id of the run. */
async function runFlow(
  platform: TestPlatform,
  { token, person, connectionId }: Correspondents,
  { flowId, companyId }: { flowId: string; companyId: string },
): Promise<string> {
  const run = await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, {
    token,
    body: { target: { connection_id: connectionId }, bindings: { client: person.id, owner: companyId } },
  });
  const path = `/api/person/flow-runs/${run.id}`;
  const upload = async (user: string) => {
    const body = { slug: 'paper', for_user_id: user, value: await sealed('{}') };
    return (await platform.must('POST', `${path}/answer-files`, { token: person.token, body })).file;
  };
  const values = [];
  for (const user of [person.id, companyId])
    values.push({ for_user_id: user, value: { _enc_file: await upload(user) } });
  await upload(person.id);
  await platform.must('POST', `${path}/answers`, {
    token: person.token,
    body: { answers: [{ slug: 'paper', values }], ...to('look', 'owner') },
  });
  return run.id;
}

/** A service asks a person to connect. The person takes no more of it. */
async function askToConnect(platform: TestPlatform, token: string, person: TestPerson): Promise<void> {
  await platform.must('POST', '/api/company-data/connect-requests', {
    token,
    body: { share_code: person.shareCode },
  });
  const list = await platform.must('GET', '/api/person/connect-requests', { token: person.token });
  const [request] = list.connect_requests;
  await platform.must('POST', `/api/person/connect-requests/${request.request_id}/block`, {
    token: person.token,
  });
}

/** Does, over HTTP and in the background, what the platform is for, with the services of a scene. */
export async function live(platform: TestPlatform, scene: Scene): Promise<Map<string, number>> {
  const { company, service, person } = scene;
  const { context } = platform;
  const token = await tokenFor(platform, scene.client.clientId, scene.client.clientSecret);
  const account = (
    await createAccountClient(platform, company, ['service_management', 'customer_connections'])
  ).token;
  const data = `/api/company-data`;
  const answered = await readAll(platform, scene, { token, account });

  for (const query of ['?limit=500', '?limit=500&offset=500', `?limit=100&after=${scene.connectionId}`]) {
    await platform.must('GET', `${data}/connections${query}`, { token });
  }
  for (const filter of ['', '&q=ada', '&kind=company', '&missing=nick', '&missing=any&kind=person'])
    await platform.must('GET', `/api/services/${service.id}/customers?limit=100${filter}`, {
      token: company.token,
    });
  for (const log of [`${data}/logs`, `/api/services/${service.id}/logs`, '/api/account/audit-log'])
    for (const query of ['?limit=500', `?limit=500&before=${scene.runId}`]) {
      const by = log.startsWith(data) ? token : company.token;
      await platform.must('GET', `${log}${query}`, { token: by });
    }
  for (const query of ['?limit=200&after=', '?limit=200', `?limit=200&webhook_id=${scene.webhookId}`]) {
    await platform.must('GET', `${data}/changes${query}`, { token });
  }
  for (const search of ['', '?search=ada', `?search=${person.shareCode}`, `?search=${person.email}`]) {
    await platform.must('GET', `/api/admin/people${search}`, { token: OPERATOR });
    await platform.must('GET', `/api/admin/companies${search}`, { token: OPERATOR });
  }

  for (const query of ['', '?limit=500&status=active', `?person_user_id=${person.id}`]) {
    await platform.must('GET', `${data}/documents${query}`, { token });
  }
  for (const [path, by] of [
    [`${data}/connections`, token],
    ['/api/person/connections', person.token],
  ] as const) {
    const thread = `${path}/${scene.connectionId}/messages`;
    const { items } = await platform.must('GET', thread, { token: by });
    await platform.must('POST', `${thread}/read`, {
      token: by,
      body: { up_to_message_id: items[0].message_id },
    });
  }

  // A new person comes, edits, answers what is asked later, and leaves.
  const comer = await registerPerson(platform);
  const field = await createField(platform, comer, { type: 'text', slug: 'mine', value: 'x' });
  const connection = await connect(platform, comer, service, { nick: { field, value: 'x' } });
  const copy = async (value: string) => ({
    value: await sealed(value),
    copies: [{ connection_id: connection, request_field_id: service.rows.nick, value: await sealed(value) }],
  });
  await platform.must('PUT', `/api/person/fields/${field}`, { token: comer.token, body: await copy('z') });
  const rows = await publish(platform, company, service.id, [row('nick'), row('more'), row('third')]);
  const consents = (await platform.must('GET', '/api/person/consents', { token: comer.token })).consents;
  await platform.must('POST', `/api/person/consents/${consents[0].id}/provide`, {
    token: comer.token,
    body: { decisions: await decisionsFor(rows, { third: { once: 'y' } }) },
  });
  const document = await correspond(platform, { token, person: comer, connectionId: connection });
  for (const [path, by] of [
    [data, token],
    ['/api/person', comer.token],
  ] as const) {
    for (const what of ['', '/file'])
      await platform.must('GET', `${path}/documents/${document}${what}`, { token: by });
  }
  const ofRun = { token, person: comer, connectionId: connection };
  const run = await runFlow(platform, ofRun, { flowId: scene.flowId, companyId: company.id });
  const ofFlow = `/api/services/${service.id}/flows/${scene.flowId}`;
  for (const list of [`${data}/flow-runs`, `${ofFlow}/runs`])
    for (const query of ['?limit=200', '?status=awaiting_company', '?status=completed'])
      await platform.must('GET', `${list}${query}`, { token: list.startsWith(data) ? token : account });
  for (const query of ['', `?column=customer&before=${run}`])
    await platform.must('GET', `${ofFlow}/run-board${query}`, { token: company.token });
  await platform.must('GET', `${data}/flow-runs/${run}/slots/paper/file`, { token });
  await platform.must('POST', `${data}/flow-runs/${run}/answers`, { token, body: { answers: [], ...leaf } });
  // It ends with the connection.
  await runFlow(platform, ofRun, { flowId: scene.flowId, companyId: company.id });
  await platform.must('PUT', `${data}/documents/${document}`, { token, body: { name: 'Former' } });
  await platform.must('DELETE', `${data}/documents/${document}`, { token });
  await platform.call('DELETE', `/api/person/documents/${document}`, { token: comer.token });
  await platform.call('POST', `${data}/broadcast`, { token, body: { body: 'to all' } });
  await askToConnect(platform, token, await registerPerson(platform));
  const customer = await createCustomer(platform);
  await connectCompany(platform, customer, service, { nick: { typed: 'x' } });
  await publishShare(platform, service, 'nine to five');
  await platform.must('GET', '/api/customer/changes?limit=100', { token: customer.token });
  await platform.must('DELETE', `/api/person/connections/${connection}`, { token: comer.token });
  const other = await insertCustomer(platform, service);
  await raise(platform, service, other, Event.connectionCreated);
  await platform.must('DELETE', `${data}/connections/${other.connectionId}`, { token });
  await platform.call('POST', '/api/person/login', {
    body: { email: comer.email, login_secret: comer.loginSecret },
  });

  // Rows go: publishing fewer, the sweeps, what deletion leaves behind.
  await publish(platform, company, service.id, [row('nick')]);
  platform.clock.advance(8 * 24 * 60 * 60 * 1000);
  const workers = context.domain.workers;
  for (const worker of workers) await worker.start();
  await context.dispatcher.idle();
  for (const worker of workers.toReversed()) await worker.stop();
  return answered;
}

/** Calls every route that reads, with the ids of the scene. Gives the status of each. */
async function readAll(
  platform: TestPlatform,
  scene: Scene,
  tokens: { token: string; account: string },
): Promise<Map<string, number>> {
  const { company, service, person, connectionId, webhookId, flowId, runId } = scene;
  const ids: readonly [RegExp, string][] = [
    [/^\/api\/services\/[^/]+\/webhooks\/(\{\w+\})/, webhookId],
    [/^\/api\/(?:services|company-data\/services)\/(\{\w+\})/, service.id],
    [/^\/api\/(?:company-data|person)\/connections\/(\{\w+\})/, connectionId],
    [/^\/api\/(?:company-data|services\/[^/]+)\/flows\/(\{\w+\})/, flowId],
    [/^\/api\/(?:company-data|person)\/flow-runs\/(\{\w+\})/, runId],
    [/^\/api\/services\/[^/]+\/flows\/[^/]+\/runs\/(\{\w+\})/, runId],
    [/^\/api\/admin\/companies\/(\{\w+\})/, company.id],
    [/^\/api\/keys\/(\{\w+\})$/, person.shareCode],
    [/^\/api\/(?:keys|person\/lookup)\/(\{\w+\})\//, company.code],
    [/^\/api\/(?:keys|person\/lookup)\/[^/]+\/(\{\w+\})/, service.code],
  ];
  const tokenOf = (callers: readonly string[]) =>
    callers.includes('portal')
      ? company.token
      : callers.includes('person')
        ? person.token
        : callers.includes('data client')
          ? tokens.token
          : callers.includes('operator')
            ? OPERATOR
            : tokens.account;
  const answered = new Map<string, number>();
  for (const [route, callers] of Object.entries(TABLE)) {
    const [method, pattern = ''] = route.split(' ');
    if (method !== 'GET' || pattern === '/api/admin/backup') continue;
    let path = pattern;
    for (let again = true; again; ) {
      again = false;
      for (const [place, value] of ids) {
        const found = place.exec(path)?.[1];
        if (found === undefined) continue;
        path = path.replace(found, value);
        again = true;
      }
    }
    const { status } = await platform.call('GET', path.replace(/\{\w+\}/g, 'nothing'), {
      token: tokenOf(callers),
    });
    answered.set(route, status);
  }
  return answered;
}
