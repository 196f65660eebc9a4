import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { ManualDrain } from './manual-drain.ts';

onPlatform('fetching a backlog by hand', (platform) => {
  test('waits a second for another drain, and then gives nothing', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const { id } = await platform().must('POST', `/api/services/${service.id}/webhooks`, {
      token: service.company.token,
      body: { url: 'https://receiver.example/hook' },
    });
    let waitedMs = 0;
    const drain = new ManualDrain({
      database: platform().context.database,
      leases: { acquire: async () => undefined },
      timers: {
        after(ms: number, work: () => void) {
          waitedMs += ms;
          setImmediate(work);
        },
      },
    } as never);
    assert.deepEqual((await drain.claim(service.id, id, {} as never)).rows, []);
    assert.equal(waitedMs, 1000);
  });

  test('keeps no delivery waiting once it has answered', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const { id } = await platform().must('POST', `/api/services/${service.id}/webhooks`, {
      token: service.company.token,
      body: { url: 'https://receiver.example/hook' },
    });
    let isHeld = false;
    const acquire = async () => {
      isHeld = true;
      return {
        release: async () => {
          isHeld = false;
        },
      };
    };
    const drain = new ManualDrain({
      database: platform().context.database,
      acknowledgements: { flush: async () => {} },
      claims: { claim: async () => isHeld },
      leases: { acquire },
    } as never);
    assert.deepEqual([await drain.claim(service.id, id, {} as never), isHeld], [true, false]);
  });
});
