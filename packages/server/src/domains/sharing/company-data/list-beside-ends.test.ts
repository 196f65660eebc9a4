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
} from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { sql } from 'kysely';

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

  test('has no connection without its answers, and its page stays full', async () => {
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

  test('has every connection at its offset, however far', async () => {
    const large = await createService(platform(), await registerCompany(platform()));
    const total = 20_003;
    await insertConnections(platform(), large, await insertPeople(platform(), total));
    const { companyData } = platform().context;
    const ids = async (offset: number) => {
      const page = await companyData.connections(
        { companyId: large.company.id, serviceId: large.id },
        { limit: 4, offset, after: undefined },
      );
      assert.equal(page.total, total);
      return (await Promise.all(page.parts.map((part) => part()))).flat().map((item) => item.connection_id);
    };
    const { rows } = await sql<{ id: string }>`
      select id from connections where service_id = ${large.id} order by id
    `.execute(platform().context.database.schema);
    for (const offset of [1, 19_998, 19_999, 20_000, 20_001, total - 1, total]) {
      assert.deepEqual(
        await ids(offset),
        rows.slice(offset, offset + 4).map(({ id }) => id),
        `${offset}`,
      );
    }
  });
});
