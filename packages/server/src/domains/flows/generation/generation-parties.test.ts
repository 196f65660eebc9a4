import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { type FlowDefinition, limits } from '@symbolon/protocol';
import {
  connect,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { bundle, noPdfText, part, pdfText, publishPackage } from '@symbolon/testkit/actors/flow-documents';
import { textPdf } from '@symbolon/testkit/actors/flow-packages';
import { leaf, submitOf } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { breaks, proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { placesOf } from '@symbolon/testkit/platform/stored-places';

const HOUR_MS = 60 * 60_000;
/** A test breaks the platform. */
const QUIET = { SYMBOLON_LOG_LEVEL: 'silent' };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const ANNEX = textPdf(['Annex for {{ client_name }}']);

const optional = (slug: string, field_type: string) =>
  ({ kind: 'field', slug, field_type, label: slug, required: false }) as const;

/** One step, after which a deed is accepted by three parties, and an annex that the client brings is not. */
const deed: FlowDefinition = {
  name: 'Deed',
  output_mode: 'document',
  entry: 'tell',
  parties: [
    { key: 'owner', label: 'Company', type: 'owner' },
    { key: 'client', label: 'Client' },
    { key: 'buyer', label: 'Buyer' },
  ],
  nodes: [
    {
      key: 'tell',
      party: 'client',
      title: 'Tell',
      elements: [
        optional('client_name', 'text'),
        {
          ...optional('rooms', 'multiselect'),
          options: ['garden', 'rose garden', 'cellar'].map((value) => ({ value, label: value })),
        },
        // It has the key of a party, as the slug of a field may.
        optional('owner', 'text'),
        optional('face', 'photo'),
        optional('paper', 'pdf_document'),
      ],
      outputs: [
        {
          key: 'deed',
          name: 'Deed',
          rules: [
            { condition: { op: 'contains', field: 'rooms', value: '"garden"' }, asset_key: 'garden' },
            { condition: null, asset_key: 'plain' },
          ],
          signers: [
            // Who does neither has no place in the line.
            { party: 'owner' },
            { party: 'client', accept: true },
            { party: 'buyer', accept: true },
          ],
        },
        {
          key: 'annex',
          name: 'Annex',
          rules: [{ condition: { op: 'answered', field: 'paper' }, source_field: 'paper' }],
          signers: [],
        },
      ],
    },
  ],
  edges: [],
};
const assets = {
  garden: textPdf(['With a garden, for {{client_name}}']),
  plain: textPdf(['Without, for {{client_name}} {{face}}', '{{hidden}}{{buyer.city}}', '{{owner.iban}}']),
};

onPlatform(
  'parties of documents of runs',
  (platform) => {
    let company: TestCompany;
    let service: TestService;
    let token: string;
    let flow: string;
    before(async () => {
      ({ company, service, token } = await openShop(platform()));
      flow = await publishPackage(platform(), service, { definition: deed, assets });
    });
    const call = (method: string, path: string, as: string, body?: unknown) =>
      platform().call(method, path, { token: as, ...(body === undefined ? {} : { body }) });
    const refusal = (...args: Parameters<typeof call>) => refusalOf(call(...args));
    const must = (method: string, path: string, as: string, body?: unknown) =>
      platform().must(method, path, { token: as, ...(body === undefined ? {} : { body }) });
    const ofRun = (id: string, path = '') => `/api/company-data/flow-runs/${id}${path}`;
    const ofPerson = (id: string, path = '') => `/api/person/flow-runs/${id}${path}`;
    const drain = () => drainAll(platform(), '/api/company-data/changes', token);

    /** A run that the person has answered, with a company as the other customer. */
    async function generating(texts: Record<string, string>, files: readonly string[] = []) {
      const { person, connectionId: connection_id } = await connectedPerson(platform(), service);
      const buyer = await createCustomer(platform());
      const { id: groupId } = await connectCompany(platform(), buyer, service);
      const bindings = { owner: company.id, client: person.id, buyer: buyer.company.id };
      const body = { target: { connection_id }, bindings };
      const run = await must('POST', `/api/company-data/flows/${flow}/runs`, token, body);
      const submit = await submitOf(run, texts, leaf);
      for (const slug of files) {
        const values = Object.values(bindings).map(async (user) => {
          const upload = { slug, for_user_id: user, value: await sealed('a file') };
          const { file } = await must('POST', ofPerson(run.id, '/answer-files'), person.token, upload);
          return { for_user_id: user, value: { _enc_file: file } };
        });
        submit.answers.push({ slug, values: (await Promise.all(values)) as never });
      }
      const { status } = await must('POST', ofPerson(run.id, '/answers'), person.token, submit);
      assert.equal(status, 'generating');
      return { person, connection_id, buyer, groupId, id: run.id as string };
    }
    const generate = (person: TestPerson, id: string, values: object, more: object = {}) =>
      call('POST', ofPerson(id, '/generate'), person.token, bundle(values, more));
    const accept = (path: string, as: string, pdf: Uint8Array, more: object = {}) =>
      call('POST', `${path}/accept`, as, { content_sha256: digestOf(pdf), ...more });
    const withFile = (pdf: Uint8Array) => ({ pdf: Buffer.from(pdf).toString('base64') });

    test('a person makes documents for a company and for the owner; who only accepts needs no proof', {
      skip: noPdfText,
    }, async () => {
      const { person, buyer, groupId, id } = await generating(
        { client_name: 'x', rooms: '["rose garden","cellar"]' },
        ['face', 'paper'],
      );
      const uploads = `${ofPerson(id)}/generate/inputs`;
      const upload = async (source_key: string, bytes: Uint8Array) => ({
        source_key,
        ...(await must('POST', uploads, person.token, { source_key, value: part(bytes) })),
      });
      const inputs = [await upload('paper', ANNEX), await upload('face', PIXEL)];
      const values = { client_name: 'Grete Hermann', rooms: '["rose garden","cellar"]', paper: '', face: '' };
      await drainAll(platform(), '/api/customer/changes', buyer.token);
      const made = await generate(person, id, { ...values, hidden: 'never' }, { inputs });
      assert.equal(made.status, 200, made.text);
      const { documents } = made.body;
      proves('route:POST /api/person/flow-runs/{runId}/generate/inputs');
      assert.deepEqual(
        documents.map((each: Record<string, unknown>) => [each.output_key, each.party_key, each.position]),
        [
          ['deed', 'client', 1],
          ['deed', 'buyer', 2],
          ['deed', 'owner', 3],
          ['annex', 'owner', 1],
          ['annex', 'client', 2],
          ['annex', 'buyer', 3],
        ],
      );
      const [theirs, buyers] = documents;
      const pathOfBuyer = `/api/company-connections/${groupId}/documents/${buyers.document_id}`;
      const pdf = await bytesIn(await must('GET', ofRun(id, '/documents/deed/file'), token));
      const text = pdfText(pdf);
      // A choice that has the word in it is another choice.
      assert.match(text, /Without, for Grete Hermann/);
      assert.doesNotMatch(text, /never|\{\{/);
      const annex = await bytesIn(await must('GET', ofRun(id, '/documents/annex/file'), token));
      assert.match(pdfText(annex), /Annex for Grete Hermann/);
      assert.match(Buffer.from(pdf).toString('latin1'), /\/Subtype *\/Image/);
      const copy = await must('GET', `${pathOfBuyer}/file`, buyer.token);
      await assert.rejects(bytesIn(copy), 'it is sealed for the account key, which the test has not');
      const told = await drainAll(platform(), '/api/customer/changes', buyer.token);
      assert.deepEqual(
        told.map(({ event }) => event),
        ['document_created', 'document_created'],
        'of the own copies alone',
      );

      proves('error:documents.run_managed');
      const own = `/api/person/documents/${theirs.document_id}`;
      for (const [method, path] of [
        ['DELETE', own],
        ['POST', `${own}/cancel`],
      ] as const)
        assert.deepEqual(await refusal(method, path, person.token), [409, 'documents.run_managed']);
      await drain();
      const early = await accept(pathOfBuyer, buyer.company.token, pdf);
      assert.deepEqual([early.status, early.body.error_key], [409, 'documents.not_acceptable']);
      const first = await accept(own, person.token, pdf);
      assert.deepEqual([first.status, first.body.status], [200, 'offering'], first.text);
      const second = await accept(pathOfBuyer, buyer.company.token, pdf, withFile(pdf));
      assert.deepEqual([second.status, second.body.status], [200, 'active'], second.text);
      assert.equal((await must('GET', ofRun(id), token)).status, 'completed');
      const sealedPdf = await bytesIn(await must('GET', ofRun(id, '/documents/deed/file'), token));
      assert.ok(digestOf(sealedPdf) === second.body.sealed_sha256, 'the copy of the owner is sealed, too');
      assert.equal((await drain()).at(-1)?.event, 'flow_completed');
      await must('DELETE', own, person.token);
    });

    test('who makes the documents cannot say what the owner has in its profile', {
      skip: noPdfText,
    }, async () => {
      const { person, id } = await generating({ client_name: 'x', owner: 'x' });
      const values = { client_name: 'Grete', owner: 'x', 'owner.iban': 'DE00 FORGED', 'buyer.city': 'Jena' };
      const made = await generate(person, id, values);
      assert.equal(made.status, 200, made.text);
      const pdf = await bytesIn(await must('GET', ofRun(id, '/documents/deed/file'), token));
      const text = pdfText(pdf);
      assert.match(text, /Grete[\s\S]*Jena/);
      assert.doesNotMatch(text, /FORGED/);
    });

    test('the owner accepts the copy of the company', async () => {
      const definition = structuredClone(deed);
      definition.nodes[0]!.outputs![0]!.signers = [{ party: 'owner', accept: true }, { party: 'buyer' }];
      flow = await publishPackage(platform(), service, { definition, assets });
      const { person, id } = await generating({ client_name: 'x' });
      const { body } = await generate(person, id, { client_name: 'Emmy' });
      proves('route:POST /api/person/flow-runs/{runId}/generate');
      assert.equal(body.documents.length, 3, 'an output without a source makes no document');
      const older = await call('GET', ofRun(id, '/document/file'), token);
      proves(
        'route:GET /api/company-data/flow-runs/{runId}/document/file',
        'route:GET /api/company-data/flow-runs/{runId}/documents/{outputKey}/file',
      );
      assert.deepEqual([older.status, older.body.encrypted], [200, true], older.text);
      assert.deepEqual(older.body, await must('GET', ofRun(id, '/documents/deed/file'), token));
      const pdf = await bytesIn(older.body);
      const path = `/api/services/${service.id}/flows/${flow}/runs/${id}/documents/${body.document_id}`;
      for (const wrong of [path.replace(flow, company.id), path.replace(id, company.id)])
        assert.deepEqual(
          [(await accept(wrong, company.token, pdf)).status, (await accept(wrong, token, pdf)).status],
          [404, 403],
        );
      const missing = await accept(path, company.token, pdf);
      assert.deepEqual([missing.status, missing.body.error_key], [409, 'documents.content_required']);
      const accepted = await accept(path, company.token, pdf, withFile(pdf));
      assert.deepEqual(
        [accepted.status, accepted.body.document_status, accepted.body.action],
        [200, 'active', 'accepted'],
      );
      const again = await accept(path, company.token, pdf, withFile(pdf));
      assert.deepEqual(again.body, accepted.body);
      assert.equal((await must('GET', ofRun(id), token)).status, 'completed');
      flow = await publishPackage(platform(), service, { definition: deed, assets });
    });

    test('a company that is a customer makes documents', async () => {
      const definition = structuredClone(deed);
      const [tell] = definition.nodes as [FlowDefinition['nodes'][number]];
      tell.party = 'buyer';
      const bought = await publishPackage(platform(), service, { definition, assets });
      const other = await createCustomer(platform());
      const { id: groupId, linkId } = await connectCompany(platform(), other, service);
      const person = await registerPerson(platform());
      await connect(platform(), person, service);
      const bindings = { owner: company.id, client: person.id, buyer: other.company.id };
      const run = await must('POST', `/api/company-data/flows/${bought}/runs`, token, {
        target: { connection_id: linkId },
        bindings,
      });
      const path = `/api/company-connections/${groupId}/flow-runs/${run.id}`;
      await must('POST', `${path}/answers`, other.token, await submitOf(run, { client_name: 'x' }, leaf));
      const upload = { source_key: 'client_name', value: part(PIXEL) };
      const { status, body } = await call('POST', `${path}/generate/inputs`, other.token, upload);
      proves('route:POST /api/company-connections/{id}/flow-runs/{runId}/generate/inputs');
      assert.equal(status, 200);
      const inputs = [{ source_key: 'client_name', input: body.input }];
      const made = await call('POST', `${path}/generate`, other.token, bundle({}, { inputs }));
      proves('route:POST /api/company-connections/{id}/flow-runs/{runId}/generate');
      assert.deepEqual([made.status, made.body.documents?.length], [200, 3], made.text);
    });

    test('with an act that fails nothing of the documents is there, and a repetition makes them', async () => {
      const { person, id } = await generating({ client_name: 'x' });
      await drain();
      const rows = () =>
        Promise.all(
          (['documents', 'document_files', 'run_documents'] as const).map(async (table) => {
            const { n } = await platform()
              .context.database.reader.selectFrom(table)
              .select((eb) => eb.fn.countAll().as('n'))
              .executeTakeFirstOrThrow();
            return Number(n);
          }),
        );
      const before = await rows();
      const raise = mock.method(platform().context.outbox, 'raise', () =>
        Promise.reject(new Error('no disk')),
      );
      breaks();
      assert.equal((await generate(person, id, { client_name: 'Emmy' })).status, 500);
      raise.mock.restore();
      assert.deepEqual(await rows(), before);
      assert.deepEqual(await drain(), []);
      const run = await must('GET', ofRun(id), token);
      assert.deepEqual([run.status, run.document_id], ['generating', null]);
      const made = await generate(person, id, { client_name: 'Emmy' });
      assert.equal(made.body.documents.length, 3);
      assert.deepEqual(
        await rows(),
        before.map((n, index) => n + [2, 2, 3][index]!),
      );
    });

    test('a customer gets no more documents of runs than others', async () => {
      const { person, connection_id, id } = await generating({ client_name: 'x' });
      const { database } = platform().context;
      const row = await database.reader
        .selectFrom('documents')
        .selectAll()
        .limit(1)
        .executeTakeFirstOrThrow();
      const full = Array.from({ length: limits.documentsOfConnectionMost }, (_, n) => ({
        ...{ ...row, id: `${id}-${n}` },
        ...{ customer_id: person.id, customer_type: 'person' as const, connection_id },
      }));
      await database.write(async (writer) => {
        for (let at = 0; at < full.length; at += 100)
          await writer
            .insertInto('documents')
            .values(full.slice(at, at + 100))
            .execute();
      });
      const refused = await generate(person, id, { client_name: 'Emmy' });
      assert.deepEqual([refused.status, refused.body.error_key], [409, 'documents.limit_reached']);
      assert.equal((await must('GET', ofRun(id), token)).failure, 'documents.limit_reached');
      await database.write((writer) => writer.deleteFrom('documents').where('id', '=', `${id}-0`).execute());
      assert.equal((await generate(person, id, { client_name: 'Emmy' })).status, 200);
    });

    test('when a connection ends, all copies end before it', async () => {
      const { person, buyer, groupId, id } = await generating({ client_name: 'x' });
      const { documents } = (await generate(person, id, { client_name: 'Emmy' })).body;
      await drain();
      await must('DELETE', `/api/company-connections/${groupId}`, buyer.token);
      const run = await must('GET', ofRun(id), token);
      assert.equal(run.status, 'cancelled');
      const events = await drain();
      assert.deepEqual(
        events.map(({ event, status }) => [event, status ?? null]),
        [
          ...documents.map(() => ['document_status_changed', 'ended']),
          ['flow_completed', null],
          ['connection_deleted', null],
        ],
      );
      assert.deepEqual(await refusal('POST', ofPerson(id, '/generate'), person.token, bundle({})), [
        409,
        'flows.not_your_turn',
      ]);
    });

    test('nothing of a bundle stays where it can be read', async () => {
      const secret = 'plaintext-that-nobody-may-find';
      const { person, id } = await generating({ client_name: 'x' }, ['paper']);
      const path = ofPerson(id, '/generate/inputs');
      const value = part(Buffer.concat([ANNEX, Buffer.from(secret)]));
      const { input } = await must('POST', path, person.token, { source_key: 'paper', value });
      assert.deepEqual(await placesOf(platform(), secret), []);
      const inputs = [{ source_key: 'paper', input }];
      const made = await generate(person, id, { client_name: secret, paper: '' }, { inputs });
      assert.equal(made.status, 200, made.text);
      assert.deepEqual(await placesOf(platform(), secret), []);
    });

    test('inputs are bounded, and gone after an hour', async () => {
      const { person, id } = await generating({ client_name: 'x' }, ['paper']);
      const path = ofPerson(id, '/generate/inputs');
      const upload = (source_key: string) =>
        call('POST', path, person.token, { source_key, value: part(ANNEX) });
      for (let n = 0; n < limits.flowInputsMost; n++) assert.equal((await upload(`slug_${n}`)).status, 200);
      proves('error:flows.inputs_limit', 'limit:flowInputsMost');
      assert.equal((await upload('paper')).body.error_key, 'flows.inputs_limit');
      const replaced = await upload('slug_0');
      assert.equal(replaced.status, 200, 'one takes the place of another');
      const { context } = platform();
      const { reader } = context.database;
      const waiting = reader.selectFrom('flow_run_inputs').select('expires_at').where('run_id', '=', id);
      const [{ expires_at }] = (await waiting.execute()) as [{ expires_at: number }];
      assert.equal(Number(expires_at), platform().clock.now() + HOUR_MS);
      await context.database.write((writer) =>
        writer.updateTable('flow_run_inputs').set({ expires_at: platform().clock.now() }).execute(),
      );
      const late = { inputs: [{ source_key: 'slug_0', input: replaced.body.input }] };
      assert.equal((await generate(person, id, {}, late)).body.error_key, 'flows.generate_inputs_mismatch');
      const sweep = context.domain.sweeps.find(({ name }) => name === 'inputs of runs');
      await sweep?.run(new AbortController().signal);
      assert.deepEqual(await waiting.execute(), []);
    });

    test('the bytes of inputs are bounded together', async () => {
      const { person, id } = await generating({ client_name: 'x' }, ['paper']);
      const path = ofPerson(id, '/generate/inputs');
      const { input } = await must('POST', path, person.token, { source_key: 'slug', value: part(ANNEX) });
      const { database } = platform().context;
      await database.write((writer) =>
        writer
          .updateTable('flow_run_inputs')
          .set(({ fn, val, ref }) => ({
            value: fn<string>('replace', [
              ref('value'),
              val(`"bytes":${part(ANNEX).length}`),
              val(`"bytes":${limits.flowInputBytesMost}`),
            ]),
          }))
          .where('id', '=', input)
          .execute(),
      );
      proves('limit:flowInputBytesMost');
      assert.deepEqual(await refusal('POST', path, person.token, { source_key: 'paper', value: part('x') }), [
        409,
        'flows.inputs_limit',
      ]);
    });

    test('a value that does not fit is reported, and so is a source that is no PDF or that cannot be read', async () => {
      const { person, id } = await generating({ client_name: 'x' }, ['paper']);
      const path = ofPerson(id, '/generate/inputs');
      const value = part('no PDF');
      const { input } = await must('POST', path, person.token, { source_key: 'paper', value });
      const broken = await generate(person, id, {}, { inputs: [{ source_key: 'paper', input }] });
      assert.deepEqual(
        [broken.status, broken.body.error_key, broken.body.reason],
        [422, 'flows.source_pdf_invalid', 'not_pdf'],
      );
      assert.equal((await must('GET', ofPerson(id), person.token)).failure, 'flows.source_pdf_invalid');
      const good = await must('POST', path, person.token, { source_key: 'paper', value: part(ANNEX) });
      const inputs = [{ source_key: 'paper', input: good.input }];
      const made = await generate(person, id, { client_name: 'W'.repeat(300) }, { inputs });
      assert.deepEqual(made.body.over, [
        { output_key: 'deed', key: 'client_name', page: 1 },
        { output_key: 'annex', key: 'client_name', page: 1 },
      ]);
    });
  },
  QUIET,
);
