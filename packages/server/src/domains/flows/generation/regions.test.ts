import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createService,
  registerCompany,
  registerPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { bundle, part, publishPackage } from '@symbolon/testkit/actors/flow-documents';
import { leaseContract, textPdf } from '@symbolon/testkit/actors/flow-packages';
import { leaf, submitOf } from '@symbolon/testkit/actors/flow-runs';
import { signIn } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';

withRegions('documents of runs across regions', ['eu', 'us'], (regions) => {
  const home = () => regions().region('eu');
  const companys = () => regions().region('us');

  test('a person makes documents at home, and the company signs after it has moved there', async () => {
    const company = await registerCompany(companys());
    const service = await createService(companys(), company);
    const { client_id, client_secret } = await companys().must('POST', `/api/services/${service.id}/client`, {
      token: company.token,
    });
    const token = await tokenFor(companys(), client_id, client_secret);
    const definition = structuredClone(leaseContract.definition);
    const [first, second] = definition.nodes;
    definition.nodes = [{ ...first!, outputs: structuredClone(second!.outputs!) }];
    definition.edges = [];
    definition.constants = [];
    Object.assign(definition.nodes[0]!.outputs![0]!, {
      signers: [
        { party: 'tenant', accept: true },
        { party: 'landlord', accept: true },
      ],
    });
    const assets = { lease: textPdf(['For {{tenant_name}} {{move_in}}']) };
    const flowId = await publishPackage(companys(), service, { definition, assets });
    const person = await registerPerson(home());
    await regions().settle();
    const connection_id = await connect(home(), person, service);
    const run = await companys().must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings: { tenant: person.id, landlord: company.id } },
    });
    const asPerson = async (method: string, path: string, body?: unknown) => {
      const answer = await home().call(method, path, {
        token: person.token,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 200, answer.text.slice(0, 500));
      return answer.body;
    };
    const path = `/api/person/flow-runs/${run.id}`;
    await asPerson('POST', `${path}/answers`, await submitOf(run, { tenant_name: 'x', move_in: 'y' }, leaf));
    // Larger than a body that is no upload may be.
    const value = part(Buffer.alloc(2 * 2 ** 20, 'picture'));
    await asPerson('POST', `${path}/generate/inputs`, { source_key: 'move_in', value });
    const made = await asPerson(
      'POST',
      `${path}/generate`,
      bundle({ tenant_name: 'Ada', move_in: '2027-01-01' }),
    );
    assert.equal(made.status, 'awaiting_signature');
    const [theirs, ours] = made.documents;
    const own = `/api/person/documents/${theirs.document_id}`;
    const pdf = await bytesIn(await asPerson('GET', `${own}/file`));
    await asPerson('POST', `${own}/accept`, { content_sha256: digestOf(pdf) });
    await regions().settle();

    const move = await companys().must('POST', `/api/admin/companies/${company.id}/moves`, {
      token: OPERATOR,
      body: { region: 'eu' },
    });
    await companys().context.companyMoves.moveSource.run();
    const { state } = await companys().must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
    assert.equal(state, 'switched');
    const moved = await tokenFor(home(), client_id, client_secret);
    const file = `/api/company-data/flow-runs/${run.id}/documents/lease/file`;
    const copy = await bytesIn(await home().must('GET', file, { token: moved }));
    assert.ok(Buffer.from(copy).equals(Buffer.from(pdf)), 'the own copy moved along');
    const act = `/api/services/${service.id}/flows/${flowId}/runs/${run.id}/documents/${ours.document_id}/accept`;
    const login = await signIn(home(), company);
    const done = await home().call('POST', act, {
      token: login,
      body: { content_sha256: digestOf(pdf), pdf: Buffer.from(pdf).toString('base64') },
    });
    proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/documents/{documentId}/accept');
    assert.deepEqual([done.status, done.body.document_status], [200, 'active'], done.text);
    const sealed = await bytesIn(await asPerson('GET', `${own}/file`));
    assert.ok(Buffer.from(await bytesIn(await home().must('GET', file, { token: moved }))).equals(sealed));
  });
});
