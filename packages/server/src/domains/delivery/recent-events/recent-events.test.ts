import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, type RecentEvents } from '@symbolon/protocol';
import { createService, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';

const WATCHED_MS = limits.recentEventsWatchMinutes * 60_000;
const ROWS = [{ slug: 'email', label: 'E-mail', type: 'email' }];

onEachEngine('events of a service that somebody watches', (platform) => {
  const set = async () => {
    const service = await createService(platform(), await registerCompany(platform()), ROWS);
    const customer = await insertCustomer(platform(), service);
    return {
      service,
      customer,
      send: (slug = 'email') => raise(platform(), service, customer, 'field_updated', { slug }),
      look: (query = '', token = service.company.token): Promise<RecentEvents> =>
        platform().must('GET', `/api/services/${service.id}/events${query}`, { token }),
    };
  };
  const stored = async ({ id }: TestService) => {
    const { total } = await platform()
      .context.database.reader.selectFrom('recent_events')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('service_id', '=', id)
      .executeTakeFirstOrThrow();
    return total;
  };

  test('are told without a value, the latest first, also when they were drained', async () => {
    const { service, customer, send, look } = await set();
    await send();
    const begun = await look();
    assert.deepEqual([begun.total, begun.items], [0, []]);
    assert.equal(Date.parse(begun.watched_until), platform().clock.now() + WATCHED_MS);
    // The second one takes the place of the first in the feed; here both stand.
    await send();
    await send();
    await raise(platform(), service, customer, 'connection_deleted');
    const { total, items } = await look();
    assert.equal(total, 3);
    const changes = await platform()
      .context.database.reader.selectFrom('changes')
      .select('id')
      .where('feed', '=', service.id)
      .orderBy('seq', 'desc')
      .execute();
    assert.deepEqual(
      items.slice(0, 2).map(({ id }) => id),
      changes.map(({ id }) => id).slice(0, 2),
    );
    const { id, at, ...rest } = items[1] as RecentEvents['items'][number];
    assert.ok(Math.abs(Date.parse(at) - platform().clock.now()) < 60_000, `${id} ${at}`);
    assert.deepEqual(rest, {
      event: 'field_updated',
      person_user_id: customer.person.id,
      customer_type: 'person',
      share_code: customer.person.share_code,
      connection_id: customer.connectionId,
      slug: 'email',
    });
    await platform().context.database.write((writer) => writer.deleteFrom('changes').execute());
    assert.equal((await look()).items.length, 3);
    const { items: older } = await look(`?limit=1&before=${items[0]?.id}`);
    assert.deepEqual(older, [items[1]]);
    proves('route:GET /api/services/{id}/events');
  });

  test('are noted for some minutes after the last look, and nobody else’s', async () => {
    const { service, send, look } = await set();
    const other = await set();
    await look();
    await other.send();
    platform().clock.advance(WATCHED_MS - 1);
    await send();
    assert.equal((await look()).total, 1);
    platform().clock.advance(WATCHED_MS);
    await send();
    assert.equal(await stored(service), 1, 'the watch had ended');
    assert.equal(await stored(other.service), 0, 'nobody watched');
    const refused = await platform().call('GET', `/api/services/${service.id}/events`, {
      token: other.service.company.token,
    });
    assert.deepEqual([refused.status, refused.body.error_key], [404, 'services.not_found']);
    proves('limit:recentEventsWatchMinutes');
  });

  test('are the latest of a bounded number, and go after a day', async () => {
    const { service, customer, look } = await set();
    await look();
    const { context, clock } = platform();
    const event = {
      event: 'field_updated',
      companyId: service.company.id,
      serviceId: service.id,
      customer: { id: customer.person.id, type: 'person', shareCode: null },
      connectionId: customer.connectionId,
    } as const;
    const many = Array.from({ length: limits.recentEventsMost + 20 }, () => event);
    await context.database.write((writer) => context.outbox.raise(writer, many));
    assert.equal(await stored(service), limits.recentEventsMost);
    await context.database.write((writer) => context.outbox.raise(writer, [event]));
    assert.equal(await stored(service), limits.recentEventsMost);
    clock.advance(limits.recentEventsHours * 3_600_000 + 1);
    await context.domain.sweeps
      .find(({ name }) => name === 'recent events')
      ?.run(new AbortController().signal);
    assert.equal(await stored(service), 0);
    proves('limit:recentEventsMost', 'limit:recentEventsHours');
  });
});
