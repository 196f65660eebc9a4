import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { JobWorker } from '../../operations/jobs/job-worker.ts';
import { countsOf } from './testing/moved.ts';

withRegionsOnEachEngine(
  'moving a company while the job of a deleted service runs',
  ['eu', 'us'],
  (regions) => {
    const eu = () => regions().region('eu');
    const us = () => regions().region('us');
    const left = async (platform: TestPlatform, serviceId: string) => {
      const { reader } = platform.context.database;
      const rows = await reader
        .selectFrom('connections')
        .select('id')
        .where('service_id', '=', serviceId)
        .execute();
      return rows.length;
    };

    test('the job goes on in the other region, and its events come to where the customers are', async () => {
      const company = await registerCompany(eu());
      const { token } = company;
      const service = await createService(eu(), company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      const people = await insertPeople(eu(), 40);
      await insertConnections(eu(), service, people);
      await us().context.database.write((writer) =>
        writer
          .insertInto('persons')
          .values(people.map((row) => ({ ...row, region: 'eu' })))
          .execute(),
      );
      const person = await registerPerson(us());
      await regions().settle();
      const field = await createField(us(), person, { type: 'text', slug: 'nick', value: 'x' });
      await connect(us(), person, service, { nick: { field, value: 'x' } });
      const customer = await createCustomer(eu());
      await connectCompany(eu(), customer, service);
      await regions().settle();
      await eu().must('DELETE', `/api/services/${service.id}?confirm=true`, { token });

      // The worker stops after its first step.
      const { context } = eu();
      const stopping: JobWorker = new JobWorker({
        ...context,
        database: {
          ...context.database,
          reader: context.database.reader,
          write: async (task: Parameters<typeof context.database.write>[0]) => {
            const result = await context.database.write(task);
            void stopping.stop();
            return result;
          },
        } as typeof context.database,
      });
      await stopping.run();
      const before = await left(eu(), service.id);
      assert.ok(before > 0 && before < 42, `${before} are left`);

      const move = await eu().must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      await eu().context.companyMoves.moveSource.run();
      const { state } = await eu().must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
      assert.equal(state, 'switched');
      await regions().settle();
      // Nothing is left for the worker of the region that the company has left.
      await eu().context.jobWorker.run();
      await us().context.jobWorker.run();
      await regions().settle();
      assert.equal(await left(us(), service.id), 0);
      const answers = await us()
        .context.database.reader.selectFrom('slot_values')
        .selectAll()
        .where('company_id', '=', company.id)
        .execute();
      assert.deepEqual(answers, []);
      const heard = await eu()
        .context.database.reader.selectFrom('changes')
        .select('event')
        .where('feed', '=', customer.company.id)
        .orderBy('seq')
        .execute();
      assert.deepEqual(
        heard.map(({ event }) => event),
        ['connection_deleted'],
      );
      const { connections } = await us().must('GET', '/api/person/connections', { token: person.token });
      assert.deepEqual(connections, []);

      regions().clock.advance(121_000);
      await eu().context.companyMoves.moveSource.run();
      const counts = await countsOf(eu(), company.id);
      assert.deepEqual(Object.keys(counts), ['companies', 'share_codes'], 'the card alone');
    });
  },
);
