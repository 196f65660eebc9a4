import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  connect,
  createService,
  publish,
  registerCompany,
  registerPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { createCustomer } from '@symbolon/testkit/actors/customers';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('a customer that another call overtakes', (platform) => {
  const newService = async () => createService(platform(), await registerCompany(platform()));
  const ofOwner = (method: string, path: string, { id, company }: TestService, body?: object) =>
    platform().must(method, `/api/services/${id}${path}`, { token: company.token, ...(body && { body }) });
  const remove = (service: TestService) => ofOwner('DELETE', '?confirm=true', service);
  const open = (service: TestService, audience: string) => ofOwner('PUT', '/audience', service, { audience });
  const refusal = async (method: string, path: string, token: string, body: object) => {
    const answer = await platform().call(method, path, { token, body });
    return [answer.status, answer.body?.error_key];
  };
  const connects = async (t: TestContext, path: string, token: string, change: typeof remove) => {
    const service = await newService();
    beforeNextWrite(t, platform(), () => change(service));
    const body = { company_code: service.company.code, service_code: service.code, decisions: [] };
    return refusal('POST', path, token, body);
  };

  test('does not connect to a service that was deleted, or takes no such customers any more', async (t) => {
    const gone = [404, 'profile.not_found'];
    const { token } = await registerPerson(platform());
    const people = '/api/person/connections';
    assert.deepEqual(await connects(t, people, token, remove), gone);
    const b2b = await connects(t, people, token, (service) => open(service, 'company'));
    assert.deepEqual(b2b, [403, 'services.audience_b2b_only']);
    const { company } = await createCustomer(platform());
    const companies = '/api/company-connections';
    assert.deepEqual(await connects(t, companies, company.token, remove), gone);
    const closed = await connects(t, companies, company.token, (service) => open(service, 'person'));
    assert.deepEqual(closed, [403, 'company_connections.persons_only']);
  });

  test('answers no consent of a connection that has ended', async (t) => {
    const service = await newService();
    const person = await registerPerson(platform());
    const { token } = person;
    const connection = await connect(platform(), person, service);
    await publish(platform(), service.company, service.id, [{ slug: 'a', label: 'A', type: 'text' }]);
    const { consents } = await platform().must('GET', '/api/person/consents', { token });
    beforeNextWrite(t, platform(), () =>
      platform().must('DELETE', `/api/person/connections/${connection}`, { token }),
    );
    const path = `/api/person/consents/${consents[0].id}/decline`;
    assert.deepEqual(await refusal('POST', path, token, {}), [404, 'consents.not_found']);
  });

  test('changes no answers by a link of another connection', async () => {
    const { company } = await createCustomer(platform());
    const linked = async () => {
      const service = await newService();
      const body = { company_code: service.company.code, service_code: service.code, decisions: [] };
      return platform().must('POST', '/api/company-connections', { token: company.token, body });
    };
    const [one, other] = [await linked(), await linked()];
    const decisions = { decisions: [] };
    const mappings = (id: string, link: string) =>
      refusal('PUT', `/api/company-connections/${id}/services/${link}/mappings`, company.token, decisions);
    const [{ service_link_id: link }] = other.services;
    assert.deepEqual(await mappings(one.id, link), [404, 'connections.not_found']);
    assert.deepEqual(await mappings(one.id, randomUUID()), [404, 'connections.not_found']);
    assert.equal((await mappings(other.id, link))[0], 200);
  });
});
