import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  type TestPerson,
  type TestService,
} from '../../../testing/actors.ts';
import { onEachEngine } from '../../../testing/platform.ts';

onEachEngine('a list that is read while connections end', (platform) => {
  let service: TestService;
  const customers: { person: TestPerson; connectionId: string }[] = [];
  before(async () => {
    service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'mail', label: 'E-mail', type: 'email', mandatory_provide: true },
    ]);
    for (let count = 0; count < 5; count++) {
      const person = await registerPerson(platform());
      const value = 'ada@example.com';
      const field = await createField(platform(), person, { type: 'email', slug: 'mail', value });
      const connectionId = await connect(platform(), person, service, { mail: { field, value } });
      customers.push({ person, connectionId });
    }
  });
  const ref = () => ({ companyId: service.company.id, serviceId: service.id });
  const end = async (index: number) => {
    const { person, connectionId } = customers[index] ?? assert.fail();
    await platform().must('DELETE', `/api/person/connections/${connectionId}`, { token: person.token });
  };

  test('has none of them without its answers, and its page stays full', async () => {
    const { companyData } = platform().context;
    // The rows of the page are read here, their answers afterwards.
    const page = await companyData.connections(ref(), { limit: 3, offset: 0, after: undefined });
    await end(1);
    await end(3);
    const items = (await Promise.all(page.parts.map((part) => part()))).flat();
    assert.deepEqual(
      items.map(({ connection_id }) => connection_id),
      [0, 2, 4].map((index) => customers[index]?.connectionId),
    );
    for (const { values } of items) assert.ok(values.mail?.value);
  });
});
