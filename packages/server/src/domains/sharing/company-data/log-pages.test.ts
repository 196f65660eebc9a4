import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

onEachEngine('pages of logs', (platform) => {
  /** A company with entries in the logs of its service and of its account, and those who read them. */
  async function stand() {
    const { company, service, token } = await openShop(platform());
    const { database, logs } = platform().context;
    const write = async (entries: number) => {
      for (let n = 0; n < entries; n++)
        await database.write((writer) =>
          logs.write(writer, {
            companyId: company.id,
            serviceId: service.id,
            type: 'purge',
            message: `Purge ${n}`,
            actor: { kind: 'platform', id: '' },
          }),
        );
    };
    await write(7);
    const readers = [
      ['/api/company-data/logs', token],
      [`/api/services/${service.id}/logs`, company.token],
      ['/api/account/audit-log', company.token],
    ] as const;
    return { write, readers };
  }
  const idsOf = async (path: string, token: string): Promise<string[]> =>
    (await platform().must('GET', path, { token })).items.map(({ id }: { id: string }) => id);

  test('a page begins behind the last row that was seen: rows that arrive meanwhile hide and repeat none', async () => {
    const { write, readers } = await stand();
    for (const [path, token] of readers) {
      const all = await idsOf(path, token);
      assert.ok(all.length > 7);
      const seen: string[] = [];
      for (let page: string[] | undefined; page === undefined || page.length === 3; ) {
        page = await idsOf(`${path}?limit=3&before=${seen.at(-1) ?? ''}`, token);
        seen.push(...page);
        await write(2);
      }
      assert.deepEqual(seen, all, path);
      const { total, items } = await platform().must('GET', `${path}?before=${all.at(-1)}`, { token });
      assert.deepEqual(items, []);
      assert.ok(total > all.length, 'the total is that of the whole log');
    }
  });

  test('offsets are taken as before, and a place that is none is refused in words', async () => {
    const { readers } = await stand();
    const stranger = await registerCompany(platform());
    for (const [path, token] of readers) {
      const all = await idsOf(path, token);
      assert.deepEqual(await idsOf(`${path}?limit=2&offset=3`, token), all.slice(3, 5), path);
      const refused = async (query: string) => {
        const { status, body } = await platform().call('GET', `${path}${query}`, { token });
        return [status, body.error_key, body.issues];
      };
      const issue = (message: string) => [400, 'request.invalid', [{ path: '/before', message }]];
      for (const place of ['7', 'nothing', `${all[0]}0`, all[0]?.toUpperCase().replaceAll(/\d/g, 'A')])
        assert.deepEqual(
          await refused(`?before=${place}`),
          issue('must be the id of the last row of the page before, or empty'),
        );
      assert.deepEqual(
        await refused(`?offset=0&before=${all[0]}`),
        issue('does not go with offset: leave one of them out'),
      );
      const most = await refused(`?before=&limit=${limits.pageMost + 1}`);
      assert.deepEqual(most.slice(0, 2), [400, 'request.invalid']);
    }
    // An id is a place in the order, whosever it is.
    const [ofOthers] = await idsOf('/api/account/audit-log', stranger.token);
    for (const [path, token] of readers)
      assert.deepEqual(await idsOf(`${path}?before=${ofOthers}`, token), await idsOf(path, token));
  });
});
