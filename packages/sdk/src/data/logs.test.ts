import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeService } from '../testing/fake-service.ts';

test('the log is read before the last entry that was seen, so that entries which arrive meanwhile repeat none', async () => {
  const entry = (n: number) => ({
    id: String(n).padStart(3, '0'),
    type: 'config',
    message: `Act ${n}`,
    metadata: {},
    created_at: '2026-01-31T09:00:00.000Z',
  });
  const all = Array.from({ length: 25 }, (_, n) => entry(n)).reverse();
  const asked: string[] = [];
  await using service = await fakeService(
    {},
    {
      'GET /api/company-data/logs': ({ query }: { query: URLSearchParams }) => {
        asked.push(query.toString());
        const place = query.get('before') ?? '';
        const offset = Number(query.get('offset') ?? 0);
        const items = all
          .filter(({ id }) => place === '' || id < place)
          .slice(offset, offset + Number(query.get('limit')));
        all.unshift(entry(25 + asked.length));
        return { body: { total: all.length, items } };
      },
    },
  );
  const read: string[] = [];
  for await (const { message } of service.client.logs({ pageSize: 10 })) read.push(message);
  assert.deepEqual(
    read,
    Array.from({ length: 25 }, (_, n) => `Act ${24 - n}`),
  );
  assert.equal(asked.length, 3, 'each entry is asked for once');
});
