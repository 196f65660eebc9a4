import assert from 'node:assert/strict';
import { generateOneTimeKey, sealBundle } from '@symbolon/crypto';
import type { TestPlatform } from '../platform/platform.ts';
import { connect, registerPerson } from './actors.ts';
import { bytesIn, digestOf, signBy } from './contracts.ts';
import { leaseContract, packageOf } from './flow-packages.ts';
import { leaf, submitOf, to } from './flow-runs.ts';
import { addPasskey } from './passkeys.ts';
import type { TalkingService } from './talking-service.ts';

/** A contract whose tenant has signed, so that it is the turn of the company. @returns the address of its run */
export async function contractToSign(platform: TestPlatform, service: TalkingService): Promise<string> {
  const { token, id: companyId } = service.company;
  const flows = `/api/services/${service.id}/flows`;
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await platform.call('POST', `${flows}${path}`, { token, body, headers });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const zip = { 'content-type': 'application/zip' };
  const { id: flowId } = await post('/import', await packageOf(leaseContract), zip);
  await post(`/${flowId}/publish`, {});
  const person = await registerPerson(platform);
  const { authenticator } = await addPasskey(platform, person);
  const connection_id = await connect(platform, person, service);
  const bindings = { tenant: person.id, landlord: companyId };
  const run = await post(`/${flowId}/runs`, { target: { connection_id }, bindings });
  await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
    token: person.token,
    body: await submitOf(run, { tenant_name: 'x', move_in: 'y' }, to('offer', 'landlord')),
  });
  const runs = `/${flowId}/runs/${run.id}`;
  await post(`${runs}/answers`, await submitOf(run, { landlord_name: 'x', rent: '900' }, leaf));
  const values = {
    tenant_name: 'Ada Lovelace',
    landlord_name: 'Acme Bikes',
    move_in: '2027-01-01',
    rent: '900',
    rent_of_year: '10800',
  };
  const otk = generateOneTimeKey();
  const sealed = await sealBundle(JSON.stringify(values), otk);
  const { documents } = await post(`${runs}/generate`, { otk, values: sealed });
  const theirs = documents[0].document_id;
  const copy = await platform.must('GET', `/api/person/documents/${theirs}/file`, { token: person.token });
  const pdf = await bytesIn(copy);
  const contract = { id: theirs, pdf, digest: digestOf(pdf) };
  const signed = await signBy(platform, person, contract, authenticator);
  assert.equal(signed.status, 200, signed.text);
  return `/portal/services/${service.id}/flows/${flowId}/runs/${run.id}`;
}
