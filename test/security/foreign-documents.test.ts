import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { capabilities } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { issueContract, type TestContract } from '@symbolon/testkit/actors/contracts';
import { connectCompany, createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const NOBODY = '00000000-0000-7000-8000-000000000000';

/*
 * Documents, messages and requests to connect of two parties, and everybody else, who knows their ids and sends what would be
 * right: for others than its parties it does not exist, and stays as it is.
 */
onPlatform('documents and messages of others', (platform) => {
  let owner: string;
  let person: TestPerson;
  let customer: TestCustomer;
  let contract: TestContract;
  let ids: {
    connection: string;
    group: string;
    forCompany: string;
    forAll: string;
    request: string;
    message: string;
  };
  const must = (method: string, path: string, token: string, body?: unknown) =>
    platform().must(method, path, { token, ...(body === undefined ? {} : { body }) });
  const issue = async (token: string, more: object) => {
    const body = { kind: 'document', name: 'Notice', payload_kind: 'json', ...more };
    return (await must('POST', '/api/company-data/documents', token, body)).id as string;
  };

  before(async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    owner = await dataToken(platform(), service);
    person = await registerPerson(platform());
    customer = await createCustomer(platform());
    const connection = await connect(platform(), person, service);
    const { id: group } = await connectCompany(platform(), customer, service);
    const target = { connection_id: connection };
    contract = await issueContract(platform(), { token: owner, target, pdf: plainPdf({ pages: 1 }) });
    const metadata = { can_be_cancelled_in_app: true };
    const body = await sealed('hello');
    const asked = await registerPerson(platform());
    ids = {
      connection,
      group,
      forCompany: await issue(owner, {
        target: { person_user_id: customer.company.id },
        value: await sealed('{}'),
        requires_acceptance: true,
        metadata,
      }),
      forAll: await issue(owner, { value: { hours: '9 to 5' } }),
      message: (
        await must('POST', `/api/company-data/connections/${connection}/messages`, owner, {
          body,
          sender_body: body,
        })
      ).message_id,
      request: (
        await must('POST', '/api/company-data/connect-requests', owner, { share_code: asked.shareCode })
      ).request_id,
    };
  });

  /** Everything that a stranger might do, with the ids of others or of nothing. */
  const attempts = async (
    document: string,
    { connection, group, forCompany, request, message }: typeof ids,
    proof: (act: string) => Promise<unknown>,
  ): Promise<readonly (readonly [kind: string, method: string, path: string, body?: unknown])[]> => {
    const { digest, pdf } = contract;
    const text = await sealed('hello');
    const issued = `/api/company-data/documents/${document}`;
    const held = `/api/person/documents/${document}`;
    const other = `/api/company-connections/${group}/documents/${forCompany}`;
    const signature = async (id: string) => ({
      content_sha256: digest,
      first_name: 'Ada',
      last_name: 'Lovelace',
      pdf: Buffer.from(pdf).toString('base64'),
      proof: await proof(`sign document ${id} ${digest}`),
    });
    return [
      ['data client', 'GET', issued],
      ['data client', 'GET', `${issued}/file`],
      ['data client', 'GET', `${issued}/sealed-file`],
      ['data client', 'PUT', issued, { status: 'ended', name: 'Mine', metadata: {} }],
      ['data client', 'POST', `${issued}/file`, { value: text }],
      ['data client', 'DELETE', issued],
      ['data client', 'GET', `/api/company-data/connections/${connection}/messages`],
      [
        'data client',
        'POST',
        `/api/company-data/connections/${connection}/messages`,
        { body: text, sender_body: text },
      ],
      [
        'data client',
        'POST',
        `/api/company-data/connections/${connection}/messages/read`,
        { up_to_message_id: message },
      ],
      [
        'data client',
        'POST',
        '/api/company-data/documents',
        {
          kind: 'document',
          name: 'x',
          payload_kind: 'json',
          target: { connection_id: connection },
          value: text,
        },
      ],
      ['person', 'GET', held],
      ['person', 'GET', `${held}/file`],
      ['person', 'DELETE', held],
      ['person', 'POST', `${held}/cancel`, { note: 'mine' }],
      ['person', 'POST', `${held}/sign`, await signature(document)],
      ['person', 'POST', `${held}/accept`, { content_sha256: digest }],
      ['person', 'GET', `/api/person/connections/${connection}/messages`],
      ['person', 'POST', `/api/person/connections/${connection}/messages`, { body: text, sender_body: text }],
      [
        'person',
        'POST',
        `/api/person/connections/${connection}/messages/read`,
        { up_to_message_id: message },
      ],
      ['person', 'GET', `/api/person/connect-requests/${request}`],
      ['person', 'POST', `/api/person/connect-requests/${request}/accept`, { decisions: [] }],
      ['person', 'POST', `/api/person/connect-requests/${request}/reject`],
      ['person', 'POST', `/api/person/connect-requests/${request}/block`],
      ...(['portal', 'account client'] as const).flatMap((kind) => [
        [kind, 'GET', `${other}/file`] as const,
        [kind, 'POST', `${other}/cancel`, { note: 'mine' }] as const,
        [kind, 'POST', `${other}/accept`, {}] as const,
      ]),
    ];
  };

  test('do not exist for strangers', async () => {
    const stranger = await createCustomer(platform());
    const theirs = await createService(platform(), stranger.company);
    const passerBy = await registerPerson(platform());
    await connect(platform(), passerBy, theirs);
    const { authenticator } = await addPasskey(platform(), passerBy);
    const tokens: Readonly<Record<string, string>> = {
      portal: stranger.company.token,
      'account client': (await createAccountClient(platform(), stranger.company, capabilities)).token,
      'data client': await dataToken(platform(), theirs),
      person: passerBy.token,
    };
    const snapshot = async () => {
      const parts = await Promise.all([
        must('GET', `/api/company-data/documents/${contract.id}`, owner),
        must('GET', `/api/company-data/documents/${ids.forCompany}`, owner),
        must('GET', `/api/company-data/documents/${ids.forAll}`, owner),
        must('GET', `/api/person/documents/${contract.id}/file`, person.token),
        must('GET', `/api/company-data/connections/${ids.connection}/messages`, owner),
      ]);
      return JSON.stringify(parts);
    };
    // Reading is acknowledged to the platform: it is done before.
    await snapshot();
    const before = await snapshot();
    const proof = (act: string) => passkeyProof(platform(), passerBy.token, act, authenticator);
    const nothing = Object.fromEntries(Object.keys(ids).map((name) => [name, NOBODY])) as typeof ids;
    for (const document of [contract.id, ids.forAll, ids.forCompany]) {
      const real = await attempts(document, ids, proof);
      const unreal = await attempts(NOBODY, nothing, proof);
      for (const [index, [kind, method, path, body]] of real.entries()) {
        const [, , emptyPath = '', emptyBody] = unreal[index] ?? [];
        const call = (at: string, sent: unknown, token = tokens[kind] ?? '') =>
          platform().call(method, at, { token, ...(sent === undefined ? {} : { body: sent }) });
        const answer = await call(path, body);
        const told = `${method} ${path} as another’s ${kind}: ${answer.status} ${answer.text.slice(0, 300)}`;
        assert.ok([403, 404].includes(answer.status), told);
        const empty = await call(emptyPath, emptyBody);
        assert.deepEqual([empty.status, empty.body], [answer.status, answer.body], told);
        const unknown = await platform().call(method, path, body === undefined ? {} : { body });
        assert.equal(unknown.status, 401, `${method} ${path} as nobody: ${unknown.text.slice(0, 300)}`);
      }
    }
    assert.ok((await snapshot()) === before, 'everything is as it was');
  });

  test('another service of the same company reaches them no more than a stranger', async () => {
    const company = await registerCompany(platform());
    const [one, two] = [await createService(platform(), company), await createService(platform(), company)];
    const { connectionId: connection } = await connectedPerson(platform(), one);
    const token = await dataToken(platform(), one);
    const id = await issue(token, { target: { connection_id: connection }, value: await sealed('{}') });
    const beside = await dataToken(platform(), two);
    const path = `/api/company-data/documents/${id}`;
    for (const [method, at, body] of [
      ['GET', path],
      ['PUT', path, { status: 'ended' }],
      ['DELETE', path],
      ['GET', `${path}/file`],
      ['GET', `/api/company-data/connections/${connection}/messages`],
    ] as const) {
      const answer = await platform().call(method, at, {
        token: beside,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 404, `${method} ${at}: ${answer.text}`);
    }
    assert.equal((await must('GET', path, token)).status, 'active');
  });
});
