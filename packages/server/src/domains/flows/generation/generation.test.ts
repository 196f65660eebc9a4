import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { type FlowDefinition, limits } from '@symbolon/protocol';
import {
  createService,
  dataToken,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { bundle, noPdfText, part, pdfText, publishPackage } from '@symbolon/testkit/actors/flow-documents';
import { leaseContract, textPdf } from '@symbolon/testkit/actors/flow-packages';
import { leaf, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { toXml } from '../../../http/xml.ts';

const VALUES = { tenant_name: 'Łukasz Żółć', move_in: '2027-01-01', rent: '900', rent_of_year: '10800' };

onPlatform('documents of runs', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  let flowId: string;
  let owner: SoftwareAuthenticator;
  before(async () => {
    ({ company, service, token } = await openShop(platform()));
    flowId = await publish(leaseContract.definition);
    ({ authenticator: owner } = await addPasskey(platform(), company, { at: '/api/account/passkeys' }));
  });

  const publish = (definition: FlowDefinition) =>
    publishPackage(platform(), service, { definition, assets: leaseContract.assets });
  const call = (method: string, path: string, as: string, body?: unknown) =>
    platform().call(method, path, { token: as, ...(body === undefined ? {} : { body }) });
  const refusal = (...args: Parameters<typeof call>) => refusalOf(call(...args));
  const ofRun = (id: string, path = '') => `/api/company-data/flow-runs/${id}${path}`;
  const read = (id: string) => platform().must('GET', ofRun(id), { token });

  /** A run whose last step the company has answered. */
  async function generating(flow = flowId) {
    const { person, connectionId } = await connectedPerson(platform(), service);
    const start = await call('POST', `/api/company-data/flows/${flow}/runs`, token, {
      target: { connection_id: connectionId },
      bindings: { tenant: person.id, landlord: company.id },
    });
    assert.equal(start.status, 201, start.text);
    const { id } = start.body;
    const told = await submitOf(start.body, { tenant_name: 'x', move_in: 'y' }, to('offer', 'landlord'));
    await platform().must('POST', `/api/person/flow-runs/${id}/answers`, { token: person.token, body: told });
    const offered = await submitOf(start.body, { rent: '900' }, leaf);
    const run = await platform().must('POST', ofRun(id, '/answers'), { token, body: offered });
    assert.equal(run.status, 'generating');
    return { person, id: id as string };
  }

  const personSigns = async (person: TestPerson, id: string, pdf: Uint8Array, more: object = {}) => {
    const { authenticator } = await addPasskey(platform(), person);
    const digest = digestOf(pdf);
    const proof = await passkeyProof(
      platform(),
      person.token,
      `sign document ${id} ${digest}`,
      authenticator,
    );
    const names = { first_name: 'Ada', last_name: 'Lovelace' };
    const body = { content_sha256: digest, ...names, proof, ...more };
    return call('POST', `/api/person/documents/${id}/sign`, person.token, body);
  };
  const signerIn = (event: Record<string, unknown>) => [
    event.signer_first_name,
    event.signer_last_name,
    event.signer_name_verified,
  ];
  /** Events name the company's own copy, so it is read by its id, and by that alone. */
  const ownCopyIsRead = async (id: string, of: { run: string; tenants: string; sealed: Uint8Array }) => {
    const path = `/api/company-data/documents/${id}`;
    const own = await platform().must('GET', path, { token });
    assert.deepEqual(
      [own.id, own.kind, own.name, own.status, own.metadata, own.connection_id, own.person_user_id],
      [id, 'agreement', 'Lease', 'active', { flow_run_id: of.run }, null, null],
    );
    assert.equal(own.sealed_sha256, digestOf(of.sealed));
    assert.deepEqual(
      own.signatures.map((each: Record<string, unknown>) => [each.action, each.signer_last_name]),
      [['signed', 'Hopper']],
    );
    for (const what of ['file', 'sealed-file']) {
      const file = await bytesIn(await platform().must('GET', `${path}/${what}`, { token }));
      assert.ok(Buffer.from(file).equals(of.sealed), what);
    }
    const tenants = await platform().must('GET', `/api/company-data/documents/${of.tenants}`, { token });
    assert.deepEqual(tenants.run_signatures, own.run_signatures);
    assert.deepEqual(
      own.run_signatures.map((each: Record<string, unknown>) => [
        ...[each.output_key, each.party_key, each.document_id, each.position, each.status, each.action],
      ]),
      [
        ['lease', 'tenant', of.tenants, 1, 'active', 'signed'],
        ['lease', 'landlord', id, 2, 'active', 'signed'],
      ],
    );
    const { items } = await platform().must('GET', '/api/company-data/documents?limit=500', { token });
    assert.ok(!items.some((each: { id: string }) => each.id === id), 'it is in no list');
    for (const [method, to, body] of [
      ['PUT', path, { name: 'Other' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/file`, { value: '{}' }],
    ] as const)
      assert.deepEqual(await refusal(method, to, token, body), [409, 'documents.run_managed']);
    const { database } = platform().context;
    const requiresIn = (rows: { requires_signature: 0 | 1 }) =>
      database.write((writer) =>
        writer.updateTable('run_documents').set(rows).where('run_id', '=', of.run).execute(),
      );
    await requiresIn({ requires_signature: 0 });
    assert.equal((await platform().must('GET', path, { token })).kind, 'document', 'it needs no signature');
    await requiresIn({ requires_signature: 1 });
    const stranger = await createService(platform(), company);
    const foreign = await dataToken(platform(), stranger);
    assert.deepEqual(await refusal('GET', path, foreign), [404, 'documents.not_found']);
    assert.deepEqual(await refusal('DELETE', path, foreign), [404, 'documents.not_found']);
  };
  const ownerSigns = async (runId: string, id: string, pdf: Uint8Array, more: object = {}) => {
    const digest = digestOf(pdf);
    const act = `sign document ${id} ${digest}`;
    const proof = await passkeyProof(platform(), company.token, act, owner, '/api/account/2fa/presence');
    const names = { first_name: 'Grace', last_name: 'Hopper' };
    const path = `/api/services/${service.id}/flows/${flowId}/runs/${runId}/documents/${id}/sign`;
    return call('POST', path, company.token, { content_sha256: digest, ...names, proof, ...more });
  };

  test('a tag of the owner is known to a run though it stands in a template alone', async () => {
    const [tenant, ...nodes] = leaseContract.definition.nodes;
    const elements = tenant?.elements.filter(({ kind }) => kind !== 'text') ?? [];
    const definition = { ...leaseContract.definition, nodes: [{ ...tenant!, elements }, ...nodes] };
    const lease = textPdf([
      '{{ landlord.company_name }} and {{ landlord.nothing }} let to {{ tenant_name }}',
    ]);
    const { id } = await generating(
      await publishPackage(platform(), service, { definition, assets: { lease } }),
    );
    const { owner_tag_values: known } = await read(id);
    assert.deepEqual(Object.keys(known), ['landlord.company_name']);
    assert.equal(known['landlord.company_name'].t, 'text');
  });

  test('documents that are not stored whole are not acknowledged', async () => {
    const { id } = await generating();
    const made = await refusedWhenAnyFails(platform(), () =>
      call('POST', ofRun(id, '/generate'), token, bundle(VALUES)),
    );
    assert.equal(made.body.status, 'awaiting_signature', made.text);
    const person = await generating();
    await platform().must('POST', ofRun(person.id, '/generate'), { token, body: bundle(VALUES) });
    const ended = await refusedWhenAnyFails(platform(), () =>
      call('POST', ofRun(person.id, '/cancel'), token),
    );
    assert.ok(ended.status < 300, ended.text);
  });

  test('a run that changes again and again while its documents are made is busy', async (t) => {
    const { id } = await generating();
    const { database } = platform().context;
    const { write } = database;
    t.mock.method(database, 'write', (async (work) =>
      write.call(database, async (writer) => {
        await writer
          .updateTable('flow_runs')
          .set((eb) => ({ acts: eb('acts', '+', 1) }))
          .where('id', '=', id)
          .execute();
        return work(writer);
      })) as typeof write);
    proves('error:platform.busy');
    assert.deepEqual(await refusal('POST', ofRun(id, '/generate'), token, bundle(VALUES)), [
      503,
      'platform.busy',
    ]);
    t.mock.restoreAll();
    assert.equal((await read(id)).status, 'generating');
  });

  test('a contract is made from the bundle, signed in a line, and sealed for all', {
    skip: noPdfText,
  }, async () => {
    const { person, id } = await generating();
    const made = await call('POST', ofRun(id, '/generate'), token, bundle(VALUES));
    assert.equal(made.status, 200, made.text);
    const [theirs, ours] = made.body.documents;
    assert.deepEqual(made.body, {
      documents: [
        { output_key: 'lease', party_key: 'tenant', document_id: theirs.document_id, position: 1 },
        { output_key: 'lease', party_key: 'landlord', document_id: ours.document_id, position: 2 },
      ],
      document_id: theirs.document_id,
      status: 'awaiting_signature',
    });
    const again = await call('POST', ofRun(id, '/generate'), token, bundle({ rent: '1' }));
    assert.deepEqual(again.body, made.body, 'the first that succeeds counts');

    const copy = await platform().must('GET', ofRun(id, '/documents/lease/file'), { token });
    const pdf = await bytesIn(copy);
    const older = await platform().must('GET', ofRun(id, '/document/file'), { token });
    assert.equal(digestOf(await bytesIn(older)), digestOf(pdf));
    const text = pdfText(pdf).normalize('NFC');
    assert.ok(text.includes('Łukasz Żółć'.normalize('NFC')), text);
    assert.match(text, /The rent is 900 a month, 10800 a year/);
    assert.doesNotMatch(text, /\{\{/);
    proves('error:flows.no_document');
    assert.deepEqual(await refusal('GET', ofRun(id, '/documents/other/file'), token), [
      404,
      'flows.no_document',
    ]);

    const opened = await platform().must('GET', `/api/person/documents/${theirs.document_id}`, {
      token: person.token,
    });
    assert.deepEqual(
      [opened.status, opened.kind, opened.plain_sha256],
      ['ready_to_sign', 'agreement', digestOf(pdf)],
    );
    const early = await ownerSigns(id, ours.document_id, pdf);
    assert.deepEqual([early.status, early.body.error_key], [409, 'documents.not_signable']);
    proves('error:documents.run_managed');
    assert.deepEqual(
      await refusal('PUT', `/api/company-data/documents/${theirs.document_id}`, token, { status: 'ended' }),
      [409, 'documents.run_managed'],
    );

    await drainAll(platform(), '/api/company-data/changes', token);
    const signed = await personSigns(person, theirs.document_id, pdf);
    assert.equal(signed.status, 200, signed.text);
    proves('state:document.acted-stays', 'state:document.waiting-open', 'state:document.waiting-active');
    assert.deepEqual([signed.body.status, signed.body.sealed_at], ['ready_to_sign', null]);
    const opening = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      opening.map(({ event, document_id, action, status }) => [event, document_id, action, status]),
      [
        ['document_status_changed', theirs.document_id, 'signed', 'ready_to_sign'],
        ['document_status_changed', ours.document_id, null, 'ready_to_sign'],
      ],
      'the service hears that its own copy opens',
    );
    const [participant, landlord] = (await read(id)).participants;
    assert.deepEqual(
      [participant.documents[0].action, participant.documents[0].document_status],
      ['signed', 'ready_to_sign'],
    );
    assert.equal(landlord.documents[0].document_status, 'ready_to_sign');

    const without = await ownerSigns(id, ours.document_id, pdf);
    assert.deepEqual([without.status, without.body.error_key], [409, 'documents.content_required']);
    const last = await ownerSigns(id, ours.document_id, pdf, { pdf: Buffer.from(pdf).toString('base64') });
    assert.equal(last.status, 200, last.text);
    proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/documents/{documentId}/sign');
    assert.deepEqual([last.body.document_status, last.body.action], ['active', 'signed']);
    const run = await read(id);
    assert.deepEqual([run.status, run.document_id], ['completed', theirs.document_id]);

    const sealed = await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token }));
    await ownCopyIsRead(ours.document_id, { run: id, tenants: theirs.document_id, sealed });
    const person2 = await platform().must('GET', `/api/person/documents/${theirs.document_id}/file`, {
      token: person.token,
    });
    assert.ok(Buffer.from(await bytesIn(person2)).equals(sealed), 'all hold the same bytes');
    const pages = pdfText(sealed);
    assert.match(pages, /Ada Lovelace/);
    assert.match(pages, /Grace Hopper/);
    const events = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      events.map(({ event, action, status }) => [event, action ?? null, status ?? null]),
      [
        ['document_status_changed', null, 'active'],
        ['document_status_changed', null, 'active'],
        ['flow_completed', null, null],
      ],
      'changes of one document collapse',
    );
    assert.deepEqual(
      events.slice(0, 2).map(signerIn),
      [
        ['Grace', 'Hopper', false],
        ['Grace', 'Hopper', false],
      ],
      'both copies tell whose signature completed the document',
    );
    const repeated = await call('POST', ofRun(id, '/generate'), token, bundle(VALUES));
    assert.deepEqual(repeated.body.documents, made.body.documents);
  });

  test('the last signature of a person seals too, and the line goes on with an event', {
    skip: noPdfText,
  }, async () => {
    const definition = structuredClone(leaseContract.definition);
    definition.nodes[1]!.outputs![0]!.signers.reverse();
    const flow = await publish(definition);
    const { person, id } = await generating(flow);
    const { documents } = await platform().must('POST', ofRun(id, '/generate'), {
      token,
      body: bundle(VALUES),
    });
    const [ours, theirs] = documents;
    assert.deepEqual([ours.party_key, theirs.party_key], ['landlord', 'tenant']);
    const pdf = await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token }));
    await drainAll(platform(), '/api/company-data/changes', token);
    const digest = digestOf(pdf);
    const path = `/api/services/${service.id}/flows/${flow}/runs/${id}/documents/${ours.document_id}/sign`;
    const proof = await passkeyProof(
      platform(),
      company.token,
      `sign document ${ours.document_id} ${digest}`,
      owner,
      '/api/account/2fa/presence',
    );
    const body = { content_sha256: digest, first_name: 'Grace', last_name: 'Hopper', proof };
    assert.equal((await call('POST', path, company.token, body)).status, 200);
    const events = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      events.map(({ event, document_id, action, status }) => [event, document_id, action, status]),
      [['document_status_changed', theirs.document_id, null, 'ready_to_sign']],
      'no event tells of a copy that waits',
    );
    const last = await personSigns(person, theirs.document_id, pdf, {
      pdf: Buffer.from(pdf).toString('base64'),
    });
    assert.equal(last.status, 200, last.text);
    assert.equal(last.body.status, 'active');
    assert.equal((await read(id)).status, 'completed');
    const done = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      done.filter(({ status }) => status === 'active').map((event) => [event.action, ...signerIn(event)]),
      [
        ['signed', 'Ada', 'Lovelace', false],
        [null, 'Ada', 'Lovelace', false],
      ],
    );
  });

  test('a bundle that cannot be used leaves the run as it is, with the reason', async () => {
    const { person, id } = await generating();
    const path = ofRun(id, '/generate');
    proves('error:flows.generate_inputs_mismatch', 'error:flows.not_your_turn');
    for (const body of [
      { ...bundle(VALUES), otk: randomBytes(32).toString('base64') },
      { ...bundle(VALUES), values: part('no JSON') },
      { ...bundle(VALUES), values: part('{"a":1}') },
      { ...bundle(VALUES), values: part('{"a":{}}') },
      { ...bundle(VALUES), values: part('['.repeat(1_000_000)) },
      { ...bundle(VALUES), values: part(`{${'"a":"b",'.repeat(60_000)}"a":"b"}`) },
      bundle(VALUES, { inputs: [{ source_key: 'photo', input: company.id }] }),
    ])
      assert.deepEqual(await refusal('POST', path, token, body), [422, 'flows.generate_inputs_mismatch']);
    assert.deepEqual(
      await refusal('POST', `/api/person/flow-runs/${id}/generate`, person.token, bundle(VALUES)),
      [409, 'flows.not_your_turn'],
    );
    const failed = await read(id);
    assert.deepEqual([failed.status, failed.failure], ['generating', 'flows.generate_inputs_mismatch']);
    const odd = { ...VALUES, rent_of_year: '[{"\\' };
    const made = await platform().must('POST', path, { token, body: bundle(odd) });
    assert.equal(made.documents.length, 2);
    assert.equal((await read(id)).failure, null);
  });

  test('what required fields were answered with cannot be left out of a document', async () => {
    const { id } = await generating();
    const path = ofRun(id, '/generate');
    const { tenant_name: _, ...nameless } = VALUES;
    const strange = Object.fromEntries([['__proto__', 'x']]);
    for (const [values, missing] of [
      [strange, ['move_in', 'rent', 'tenant_name']],
      [nameless, ['tenant_name']],
      [{ ...VALUES, rent: '' }, ['rent']],
    ] as const) {
      const refused = await call('POST', path, token, bundle(values));
      assert.deepEqual([refused.status, refused.body.error_key], [422, 'flows.generate_inputs_mismatch']);
      assert.deepEqual([refused.body.missing, refused.body.unexpected], [missing, []]);
    }
    assert.equal((await read(id)).status, 'generating');
    assert.equal((await call('POST', path, token, bundle(VALUES))).status, 200);
  });

  test('in the portal the same calls serve', async () => {
    const { id } = await generating();
    const path = `/api/services/${service.id}/flows/${flowId}/runs/${id}`;
    const upload = { source_key: 'rent', value: part('no picture') };
    proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/generate/inputs');
    assert.equal((await call('POST', `${path}/generate/inputs`, company.token, upload)).status, 200);
    proves('limit:flowValuesMost');
    const most = { ...bundle({}), values: 'A'.repeat(limits.flowValuesMost + 1) };
    assert.equal((await call('POST', `${path}/generate`, company.token, most)).status, 400);
    const made = await call('POST', `${path}/generate`, company.token, bundle(VALUES));
    proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/generate');
    assert.equal(made.status, 200, made.text);
    proves(
      'route:GET /api/services/{id}/flows/{flowId}/runs/{runId}/documents/{outputKey}/file',
      'route:GET /api/services/{id}/flows/{flowId}/runs/{runId}/document/file',
    );
    for (const file of ['documents/lease/file', 'document/file']) {
      const copy = await call('GET', `${path}/${file}`, company.token);
      assert.equal(copy.status, 200, copy.text);
      assert.deepEqual(copy.body, await platform().must('GET', ofRun(id, `/${file}`), { token }));
      const headers = { accept: 'application/xml' };
      const asXml = await platform().call('GET', ofRun(id, `/${file}`), { token, headers });
      assert.equal(asXml.headers.get('content-type'), 'application/xml; charset=utf-8');
      assert.equal(asXml.text, toXml(copy.body));
    }
  });

  test('two calls at once make one set of documents', async () => {
    const { id } = await generating();
    const [one, other] = await Promise.all(
      [bundle(VALUES), bundle({ ...VALUES, rent: '1' })].map((body) =>
        call('POST', ofRun(id, '/generate'), token, body),
      ),
    );
    assert.equal(one!.status, 200, one!.text);
    proves('route:POST /api/company-data/flow-runs/{runId}/generate');
    assert.deepEqual(other!.body.documents, one!.body.documents);
    const copies = (await read(id)).participants.flatMap((each: { documents: [] }) => each.documents);
    assert.equal(copies.length, 2);
  });

  test('values of steps that were not taken never reach a document', { skip: noPdfText }, async () => {
    const definition = structuredClone(leaseContract.definition);
    definition.nodes.push({
      key: 'never',
      party: 'tenant',
      title: 'Never',
      elements: [{ kind: 'field', slug: 'secret', field_type: 'text', label: 'Secret', required: false }],
    });
    definition.edges.unshift({
      from: 'tenant',
      to: 'never',
      condition: { op: 'eq', field: 'tenant_name', value: 'nobody' },
      sort: -1,
    });
    const flow = await publish(definition);
    const { id } = await generating(flow);
    const values = { ...VALUES, secret: 'hidden', rent_of_year: '{{secret}}' };
    await platform().must('POST', ofRun(id, '/generate'), { token, body: bundle(values) });
    const text = pdfText(
      await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token })),
    );
    assert.doesNotMatch(text, /hidden/);
  });

  test('unsigned documents are withdrawn and made again, then signed by both', async () => {
    const { person, id } = await generating();
    const withdraw = (as = token, path = ofRun(id, '/documents/withdraw')) => call('POST', path, as);
    assert.deepEqual((await withdraw()).body.status, 'generating', 'nothing to withdraw');
    const first = await platform().must('POST', ofRun(id, '/generate'), {
      token,
      body: bundle({ ...VALUES, rent: '1' }),
    });
    const [theirs] = first.documents;
    const wrong = await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token }));
    await drainAll(platform(), '/api/company-data/changes', token);

    proves('route:POST /api/company-data/flow-runs/{runId}/documents/withdraw', 'state:document.withdrawn');
    const withdrawn = await withdraw();
    assert.equal(withdrawn.status, 200, withdrawn.text);
    assert.deepEqual(
      [withdrawn.body.status, withdrawn.body.current_node, withdrawn.body.document_id],
      ['generating', 'offer', null],
    );
    assert.deepEqual(
      withdrawn.body.participants.map((each: { documents: [] }) => each.documents),
      [[], []],
    );
    assert.deepEqual((await withdraw()).body, withdrawn.body, 'withdrawn twice, it stays as it is');
    const events = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      events.map(({ event, document_id, awaiting_party }) => [
        event,
        document_id ?? null,
        awaiting_party ?? null,
      ]),
      [
        ['document_deleted', theirs.document_id, null],
        ['flow_run_turn', null, 'landlord'],
      ],
    );
    assert.deepEqual(await refusal('GET', `/api/person/documents/${theirs.document_id}`, person.token), [
      404,
      'documents.not_found',
    ]);

    const again = await platform().must('POST', ofRun(id, '/generate'), { token, body: bundle(VALUES) });
    const [now, ours] = again.documents;
    assert.notEqual(now.document_id, theirs.document_id);
    const pdf = await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token }));
    assert.notEqual(digestOf(pdf), digestOf(wrong));
    const signed = await personSigns(person, now.document_id, pdf);
    assert.equal(signed.status, 200, signed.text);
    proves('error:flows.documents_acted_on', 'error:flows.run_ended');
    const acted = await withdraw();
    assert.deepEqual([acted.status, acted.body.error_key], [409, 'flows.documents_acted_on']);
    const last = await ownerSigns(id, ours.document_id, pdf, { pdf: Buffer.from(pdf).toString('base64') });
    assert.equal(last.status, 200, last.text);
    assert.equal((await read(id)).status, 'completed');
    const ended = await withdraw();
    assert.deepEqual([ended.status, ended.body.error_key], [409, 'flows.run_ended']);
  });

  test('documents are withdrawn whole or not at all, and only where there are some', async () => {
    const { id } = await generating();
    await platform().must('POST', ofRun(id, '/generate'), { token, body: bundle(VALUES) });
    const path = `/api/services/${service.id}/flows/${flowId}/runs/${id}/documents/withdraw`;
    const withdrawn = await refusedWhenAnyFails(platform(), () => call('POST', path, company.token));
    proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/documents/withdraw');
    assert.equal(withdrawn.body.status, 'generating', withdrawn.text);

    const { person, connectionId } = await connectedPerson(platform(), service);
    const started = await platform().must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: {
        target: { connection_id: connectionId },
        bindings: { tenant: person.id, landlord: company.id },
      },
    });
    assert.deepEqual(await refusal('POST', ofRun(started.id, '/documents/withdraw'), token), [
      404,
      'flows.no_document',
    ]);
    const asPerson = `/api/person/flow-runs/${id}/documents/withdraw`;
    assert.equal((await call('POST', asPerson, person.token)).status, 404, 'a customer declines');
  });

  test('cancelling ends every copy, signed ones too', async () => {
    const { person, id } = await generating();
    const { documents } = await platform().must('POST', ofRun(id, '/generate'), {
      token,
      body: bundle(VALUES),
    });
    const pdf = await bytesIn(await platform().must('GET', ofRun(id, '/documents/lease/file'), { token }));
    await personSigns(person, documents[0].document_id, pdf);
    await drainAll(platform(), '/api/company-data/changes', token);
    await platform().must('POST', ofRun(id, '/cancel'), { token });
    const run = await read(id);
    assert.equal(run.status, 'cancelled');
    const states = run.participants.flatMap((each: { documents: { document_status: string }[] }) =>
      each.documents.map(({ document_status }) => document_status),
    );
    proves('state:document.run-ended');
    assert.deepEqual(states, ['ended', 'ended']);
    const events = await drainAll(platform(), '/api/company-data/changes', token);
    assert.deepEqual(
      events.map(({ event, action, status }) => [event, action ?? null, status ?? null]),
      [
        ['document_status_changed', null, 'ended'],
        ['document_status_changed', null, 'ended'],
        ['flow_completed', null, null],
      ],
    );
  });

  test('inputs are bound to run, party and source, and go with the documents', async () => {
    const { person, id } = await generating();
    const upload = (as: string, path: string, key = 'tenant_name') =>
      call('POST', path, as, { source_key: key, value: part('no picture') });
    assert.equal((await upload(person.token, `/api/person/flow-runs/${id}/generate/inputs`)).status, 409);
    const first = await upload(token, ofRun(id, '/generate/inputs'));
    assert.equal(first.status, 200, first.text);
    const second = await upload(token, ofRun(id, '/generate/inputs'));
    const named = (input: string) => bundle(VALUES, { inputs: [{ source_key: 'tenant_name', input }] });
    assert.deepEqual(await refusal('POST', ofRun(id, '/generate'), token, named(first.body.input)), [
      422,
      'flows.generate_inputs_mismatch',
    ]);
    // A picture for a tag of text is refused by the file.
    proves('error:flows.source_pdf_invalid');
    assert.deepEqual(await refusal('POST', ofRun(id, '/generate'), token, named(second.body.input)), [
      422,
      'flows.source_pdf_invalid',
    ]);
    proves('route:POST /api/company-data/flow-runs/{runId}/generate/inputs');
    await platform().must('POST', ofRun(id, '/generate'), { token, body: bundle(VALUES) });
    const rows = await platform().context.database.reader.selectFrom('flow_run_inputs').selectAll().execute();
    assert.deepEqual(
      rows.filter(({ run_id }) => run_id === id),
      [],
    );
  });
});
