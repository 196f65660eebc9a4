import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';

withRegions('a read that began before the company moved away', ['eu', 'us'], (regions) => {
  for (const [what, path] of [
    ['a list', () => '/api/services'],
    ['a service that is not here any more', (id: string) => `/api/services/${id}`],
  ] as const) {
    test(`a read of ${what} is answered 421 with the new base`, async () => {
      const eu = regions().region('eu');
      const us = regions().region('us');
      const company = await registerCompany(eu);
      const service = await createService(eu, company);
      await regions().settle();
      const { services } = eu.context;
      const { list, get } = services;
      const moved = async () => {
        await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
          token: OPERATOR,
          body: { region: 'us' },
        });
        await eu.context.companyMoves?.moveSource.run();
      };
      // The company moves while the read is running.
      services.list = async (...asked) => {
        await moved();
        return list.apply(services, asked);
      };
      services.get = async (...asked) => {
        await moved();
        return get.apply(services, asked);
      };
      const answer = await eu.call('GET', path(service.id), { token: company.token });
      Object.assign(services, { list, get });
      assert.deepEqual(
        [answer.status, answer.body.error_key, answer.body.api_url],
        [421, 'region.rebase_required', us.url],
      );
      const there = await us.must('GET', path(service.id), { token: company.token });
      assert.ok(JSON.stringify(there).includes(service.id));
    });
  }
});
