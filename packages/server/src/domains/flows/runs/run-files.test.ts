import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type FlowDefinition, limits } from '@symbolon/protocol';
import {
  createService,
  dataToken,
  openSealed,
  registerCompany,
  sealed,
  sharedPublicKey,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { askAndLook, leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { placesOf } from '@symbolon/testkit/platform/stored-places';
import { toXml } from '../../../http/xml.ts';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';
const HOUR_MS = 60 * 60_000;

/** One party, one step with a text, and two documents: one from what the client shares alone, one with another rule. */
function withSources(): FlowDefinition {
  return {
    name: 'Sources',
    output_mode: 'document',
    entry: 'only',
    parties: [
      { key: 'client', label: 'Client' },
      { key: 'owner', label: 'Company', type: 'owner' },
    ],
    nodes: [
      {
        key: 'only',
        party: 'client',
        title: 'Only',
        elements: [
          {
            kind: 'text',
            body: 'Dear {{ client.first_name }} and {{ CLIENT.iban }}, from {{ owner.company_name }}',
          },
          { kind: 'field', slug: 'paper', field_type: 'pdf_document', label: 'Paper', required: false },
        ],
        outputs: [
          {
            key: 'lease',
            name: 'Lease',
            rules: [{ source_connection: { party: 'client', request_slug: 'lease' } }],
            signers: [{ party: 'client', sign: true }],
          },
          {
            key: 'extra',
            name: 'Extra',
            rules: [
              { source_connection: { party: 'client', request_slug: 'extra' } },
              { source_field: 'paper' },
            ],
            signers: [{ party: 'owner', accept: true }],
          },
        ],
      },
    ],
    edges: [],
  };
}

onPlatform('files and tags of runs', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  let fingerprint: string;
  before(async () => {
    company = await registerCompany(platform());
    service = await createService(platform(), company, [
      { slug: 'lease', label: 'Lease', type: 'pdf_document' },
      { slug: 'extra', label: 'Extra', type: 'pdf_document' },
    ]);
    token = await dataToken(platform(), service);
    const bytes = Buffer.from(await sharedPublicKey(), 'base64');
    fingerprint = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  });
  const call = (method: string, path: string, as: string, body?: unknown, headers = {}) =>
    platform().call(method, path, { token: as, headers, ...(body === undefined ? {} : { body }) });
  const refusal = (...args: Parameters<typeof call>) => refusalOf(call(...args));
  const setUp = async (definition: FlowDefinition) => {
    const flowId = await publishFlow(platform(), service, definition);
    const { person, connectionId } = await connectedPerson(platform(), service);
    const start = {
      target: { connection_id: connectionId },
      bindings: { client: person.id, owner: company.id },
    };
    return { flowId, flow: `/api/company-data/flows/${flowId}`, person, connectionId, start };
  };
  const ofCompany = (id: string) => `/api/company-data/flow-runs/${id}`;
  const ofAccount = (flowId: string, id: string) => `/api/services/${service.id}/flows/${flowId}/runs/${id}`;
  const ofPerson = (id: string) => `/api/person/flow-runs/${id}`;
  const upload = async (path: string, as: string, text: string, more: object = {}) => {
    const answer = await call('POST', path, as, { ...more, value: await sealed(text) });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.file as string;
  };
  const tagsFor = async (person: Pick<TestPerson, 'id'>, first = 'Ada') => {
    const copy = async () => ({
      recipient_pubkey_sha256: fingerprint,
      public: await sealed(JSON.stringify({ 'client.first_name': { v: first, t: 'text' } })),
      public_tags: ['client.first_name'],
      private: { 'client.iban': await sealed(JSON.stringify({ v: 'IBAN', t: 'text' })) },
    });
    return { company: await copy(), [person.id]: await copy() };
  };

  test('a file answers a field: each party reads its own copy, and private fields are named', async () => {
    const { flow, flowId, person, start } = await setUp(askAndLook());
    const run = await platform().must('POST', `${flow}/runs`, { token, body: start });
    const files = `${ofPerson(run.id)}/answer-files`;
    const forOwner = await upload(files, person.token, 'paper of the owner', {
      slug: 'paper',
      for_user_id: company.id,
    });
    const forPerson = await upload(files, person.token, 'paper of the person', {
      slug: 'paper',
      for_user_id: person.id,
    });
    const wrong: [object, (string | number)[]][] = [
      [{ slug: 'verdict', for_user_id: person.id }, [422, 'flows.answer_unknown']],
      [{ slug: 'paper', for_user_id: NOBODY }, [422, 'flows.copies_missing']],
    ];
    for (const [body, expected] of wrong)
      assert.deepEqual(
        await refusal('POST', files, person.token, { ...body, value: await sealed('x') }),
        expected,
      );
    const plain = { slug: 'paper', for_user_id: person.id, value: 'plain' };
    assert.deepEqual(await refusal('POST', files, person.token, plain), [
      400,
      'contact_data.encryption_required',
    ]);
    assert.deepEqual(
      await refusal('POST', `${ofCompany(run.id)}/answer-files`, token, {
        ...wrong[0]?.[0],
        value: await sealed('x'),
      }),
      [409, 'flows.not_your_turn'],
    );
    const { answers } = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    const paper = (owner: unknown, own: unknown) => ({
      slug: 'paper',
      source_private: true,
      values: [
        { for_user_id: company.id, value: owner },
        { for_user_id: person.id, value: own },
      ],
    });
    const submit = (owner: unknown, own: unknown) => ({
      answers: [...answers, paper(owner, own)],
      ...to('look', 'owner'),
    });
    // A copy for another user does not count.
    const crossed = submit({ _enc_file: forPerson }, { _enc_file: forOwner });
    assert.deepEqual(await refusal('POST', `${ofPerson(run.id)}/answers`, person.token, crossed), [
      422,
      'flows.copies_missing',
    ]);
    const body = submit({ _enc_file: forOwner }, JSON.stringify({ _enc_file: forPerson }));
    const answered = await call('POST', `${ofPerson(run.id)}/answers`, person.token, body);
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(answered.body.private_slugs, ['paper']);
    assert.deepEqual(answered.body.answers[1], {
      slug: 'paper',
      for_user_id: person.id,
      value: JSON.stringify({ _enc_file: forPerson }),
    });

    const ownersFile = await call('GET', `${ofCompany(run.id)}/slots/paper/file`, token);
    assert.equal(ownersFile.body.encrypted, true);
    const asXmlToo = await call('GET', `${ofCompany(run.id)}/slots/paper/file`, token, undefined, {
      accept: 'application/xml',
    });
    assert.equal(asXmlToo.text, toXml(ownersFile.body));
    assert.equal(await openSealed(ownersFile.body.value), 'paper of the owner');
    const inPortal = await call('GET', `${ofAccount(flowId, run.id)}/slots/paper/file`, company.token);
    proves(
      'route:GET /api/services/{id}/flows/{flowId}/runs/{runId}/slots/{slug}/file',
      'route:GET /api/company-data/flow-runs/{runId}/slots/{slug}/file',
    );
    assert.deepEqual([inPortal.status, inPortal.body], [200, ownersFile.body], inPortal.text);
    proves('route:POST /api/person/flow-runs/{runId}/answer-files');
    const own = await call('GET', `${files}/${forPerson}`, person.token);
    proves('route:GET /api/person/flow-runs/{runId}/answer-files/{file}');
    assert.deepEqual(Object.keys(own.body), ['_enc', 'k', 'iv', 'd']);
    assert.equal(await openSealed(own.body), 'paper of the person');
    const asXml = await call('GET', `${files}/${forPerson}`, person.token, undefined, {
      accept: 'application/xml',
    });
    assert.ok(
      asXml.text.startsWith('<?xml') && asXml.text.includes(`<response><_enc>1</_enc><k>${own.body.k}</k>`),
    );
    const missing = [404, 'flows.file_not_found'];
    assert.deepEqual(await refusal('GET', `${files}/${forOwner}`, person.token), missing);
    assert.deepEqual(await refusal('GET', `${ofCompany(run.id)}/slots/colour/file`, token), missing);
    assert.deepEqual(await refusal('GET', `${ofCompany(run.id)}/source-files/nothing`, token), missing);
    proves('error:flows.file_not_found');
  });

  test('a start brings the values of all tags, sealed to the keys that everybody has now', async () => {
    const { flow, person, start } = await setUp(withSources());
    const file = () => upload(`${flow}/run-files`, token, 'lease');
    const source_files = await Promise.all(
      [person.id, company.id].map(async (user) => ({
        source_key: 'conn:client:lease',
        for_user_id: user,
        file: await file(),
      })),
    );
    const good = await tagsFor(person);
    const stale = async (tag_values: unknown) => {
      const answer = await call('POST', `${flow}/runs`, token, { ...start, source_files, tag_values });
      assert.deepEqual([answer.status, answer.body.error_key], [409, 'flows.tag_values_stale'], answer.text);
      return answer.body.stale;
    };
    assert.deepEqual(await stale(undefined), [person.id, 'company']);
    assert.deepEqual(await stale({ ...good, company: undefined }), ['company']);
    const other = { ...good[person.id], recipient_pubkey_sha256: 'f'.repeat(64) };
    assert.deepEqual(await stale({ ...good, [person.id]: other }), [person.id]);
    assert.deepEqual(await stale({ ...good, company: { ...good.company, public_tags: [] } }), ['company']);
    assert.deepEqual(
      await refusal('POST', `${flow}/runs`, token, {
        ...start,
        source_files,
        tag_values: { ...good, [NOBODY]: other },
      }),
      [422, 'flows.bindings_invalid'],
    );
    const run = await platform().must('POST', `${flow}/runs`, {
      token,
      body: { ...start, source_files, tag_values: good },
    });
    assert.deepEqual(run.owner_tag_values, { 'owner.company_name': { v: 'Acme', t: 'text' } });
    const mine = (await call('GET', ofPerson(run.id), person.token)).body;
    for (const tags of [run.tag_values, mine.tag_values]) {
      assert.deepEqual(Object.keys(tags), ['public', 'public_tags', 'private']);
      assert.deepEqual(JSON.parse(await openSealed(tags.public)), {
        'client.first_name': { v: 'Ada', t: 'text' },
      });
      assert.deepEqual(JSON.parse(await openSealed(tags.private['client.iban'])), { v: 'IBAN', t: 'text' });
    }
    proves('error:flows.tag_values_stale');
  });

  test('a start brings a copy of each source for everybody, of the party whose file it is', async () => {
    const { flow, flowId, person, start } = await setUp(withSources());
    const tag_values = await tagsFor(person);
    const lease = 'conn:client:lease';
    const named = (for_user_id: string, file: string, source_key = lease) => ({
      source_key,
      for_user_id,
      file,
    });
    const attempt = async (source_files: object[]) => {
      const answer = await call('POST', `${flow}/runs`, token, { ...start, tag_values, source_files });
      assert.deepEqual(
        [answer.status, answer.body.error_key],
        [422, 'flows.source_files_invalid'],
        answer.text,
      );
      return [answer.body.missing, answer.body.unexpected];
    };
    const lacking = (user: string, source_key = lease) => ({
      source_key,
      for_user_id: user,
      source_user_id: person.id,
    });
    assert.deepEqual(await attempt([]), [[lacking(person.id), lacking(company.id)], []]);
    const ofPerson1 = await upload(`${flow}/run-files`, token, 'lease of the person', {
      source_user_id: person.id,
    });
    // The portal uploads for the same start.
    const account = `/api/services/${service.id}/flows/${flowId}`;
    const ofCompany1 = await upload(`${account}/run-files`, company.token, 'lease of the company');
    const good = [named(person.id, ofPerson1), named(company.id, ofCompany1)];
    assert.deepEqual(await attempt([named(person.id, ofPerson1)]), [[lacking(company.id)], []]);
    assert.deepEqual(await attempt([...good, named(NOBODY, NOBODY)]), [[], [NOBODY]]);
    assert.deepEqual(await attempt([...good, named(person.id, ofCompany1)]), [[], [ofCompany1]]);
    const foreign = await upload(`${flow}/run-files`, token, 'x', { source_user_id: company.id });
    assert.deepEqual(await attempt([named(person.id, foreign), named(company.id, ofCompany1)]), [
      [lacking(person.id)],
      [foreign],
    ]);
    // The source that has another rule is brought for all or for no user.
    const extra = await upload(`${flow}/run-files`, token, 'extra');
    assert.deepEqual(await attempt([...good, named(person.id, extra, 'conn:client:extra')]), [
      [lacking(company.id, 'conn:client:extra')],
      [],
    ]);
    assert.deepEqual(
      await refusal('POST', `${flow}/run-files`, token, { source_user_id: NOBODY, value: await sealed('x') }),
      [400, 'flows.source_user_invalid'],
    );

    const run = await platform().must('POST', `${flow}/runs`, {
      token,
      body: { ...start, tag_values, source_files: good },
    });
    proves('route:POST /api/company-data/flows/{flowId}/runs');
    assert.deepEqual(run.source_files, { [lease]: ofCompany1 });
    const read = await call('GET', `${ofCompany(run.id)}/source-files/${lease}`, token);
    proves(
      'route:GET /api/company-data/flow-runs/{runId}/source-files/{key}',
      'route:POST /api/company-data/flows/{flowId}/run-files',
      'route:POST /api/services/{id}/flows/{flowId}/run-files',
    );
    assert.equal(await openSealed(read.body.value), 'lease of the company');
    const inPortal = await call('GET', `${account}/runs/${run.id}/source-files/${lease}`, company.token);
    proves('route:GET /api/services/{id}/flows/{flowId}/runs/{runId}/source-files/{key}');
    assert.deepEqual([inPortal.status, inPortal.body], [200, read.body], inPortal.text);
    const mine = (await call('GET', ofPerson(run.id), person.token)).body;
    proves('route:GET /api/person/flow-runs/{runId}');
    assert.deepEqual(mine.source_files, { [lease]: ofPerson1 });
    const own = await call('GET', `${ofPerson(run.id)}/answer-files/${ofPerson1}`, person.token);
    assert.equal(await openSealed(own.body), 'lease of the person');
    // An upload is used up by the run that names it.
    assert.deepEqual(await attempt(good), [
      [lacking(person.id), lacking(company.id)],
      [ofPerson1, ofCompany1],
    ]);
    proves('error:flows.source_files_invalid', 'error:flows.source_user_invalid');
  });

  test('a flow with documents waits for them at its end', async () => {
    const { flow, person, start } = await setUp(withSources());
    const source_files = await Promise.all(
      [person.id, company.id].map(async (user) => ({
        source_key: 'conn:client:lease',
        for_user_id: user,
        file: await upload(`${flow}/run-files`, token, 'lease'),
      })),
    );
    const body = { ...start, source_files, tag_values: await tagsFor(person) };
    const run = await platform().must('POST', `${flow}/runs`, { token, body });
    const answered = await call('POST', `${ofPerson(run.id)}/answers`, person.token, {
      answers: [],
      ...leaf,
    });
    assert.deepEqual(
      [answered.status, answered.body.status, answered.body.current_node],
      [200, 'generating', 'only'],
    );
    const again = await call('POST', `${ofPerson(run.id)}/answers`, person.token, { answers: [], ...leaf });
    assert.deepEqual([again.status, again.body.status], [200, 'generating']);
    const cancelled = await call('POST', `${ofCompany(run.id)}/cancel`, token);
    proves('route:POST /api/company-data/flow-runs/{runId}/cancel');
    assert.equal(cancelled.body.status, 'cancelled');
  });

  test('nothing that is stored of a run can be read', async () => {
    const { flow, person, start } = await setUp(withSources());
    const secret = 'plaintext-that-nobody-may-find';
    const source_files = await Promise.all(
      [person.id, company.id].map(async (user) => ({
        source_key: 'conn:client:lease',
        for_user_id: user,
        file: await upload(`${flow}/run-files`, token, `source ${secret}`),
      })),
    );
    const body = { ...start, source_files, tag_values: await tagsFor(person, secret) };
    const run = await platform().must('POST', `${flow}/runs`, { token, body });
    const files = `${ofPerson(run.id)}/answer-files`;
    const values = await Promise.all(
      [person.id, company.id].map(async (user) => ({
        for_user_id: user,
        value: {
          _enc_file: await upload(files, person.token, `file ${secret}`, {
            slug: 'paper',
            for_user_id: user,
          }),
        },
      })),
    );
    const answers = [{ slug: 'paper', values }];
    await platform().must('POST', `${ofPerson(run.id)}/answers`, {
      token: person.token,
      body: { answers, ...leaf },
    });
    assert.deepEqual(await placesOf(platform(), secret), []);
    // The search finds what is stored in plaintext.
    const { database } = platform().context;
    await database.write((writer) =>
      writer.updateTable('flow_runs').set({ flow_name: secret }).where('id', '=', run.id).execute(),
    );
    assert.deepEqual(await placesOf(platform(), secret), ['flow_runs']);
  });

  test('only so many uploads wait for the act that names them', async () => {
    const { flow } = await setUp(withSources());
    const value = await sealed('x');
    const waiting = async () => {
      const { n } = await platform()
        .context.database.reader.selectFrom('flow_run_uploads')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('service_id', '=', service.id)
        .where('uploader_id', '=', company.id)
        .executeTakeFirstOrThrow();
      return Number(n);
    };
    for (let n = await waiting(); n < limits.flowFilesMost; n++)
      await platform().must('POST', `${flow}/run-files`, { token, body: { value } });
    const { status, body } = await platform().call('POST', `${flow}/run-files`, { token, body: { value } });
    assert.deepEqual([status, body.error_key], [409, 'flows.uploads_limit']);
    assert.ok(body.retry_after > 0 && body.retry_after <= 3600);
    proves('error:flows.uploads_limit', 'limit:flowFilesMost');
  });

  test('unused uploads go after an hour', async () => {
    const { clock, context } = platform();
    clock.advance(HOUR_MS);
    const left = () => context.database.reader.selectFrom('flow_run_uploads').select('id').execute();
    assert.notEqual((await left()).length, 0);
    const sweep = context.domain.sweeps.find(({ name }) => name === 'unused files of runs');
    await sweep?.run(new AbortController().signal);
    assert.deepEqual(await left(), []);
  });
});
