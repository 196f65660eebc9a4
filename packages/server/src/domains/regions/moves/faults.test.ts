import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  connect,
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { breaks } from '@symbolon/testkit/evidence/evidence';
import { engines, usualEngines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import type { Engine } from '../../../db/database.ts';
import { countsOf, finish, restartedMoves, rowsOf, triggersOf } from './testing/moved.ts';

/** Every step of a move, in order. */
const STEPS = [
  'before copying',
  'prepared',
  'photos copied',
  'before holding',
  'frozen',
  'before held',
  'rows copied',
  'slots registered',
  'before activating',
  'asking',
  'asked',
  'directory moved',
  'left',
  'before switched',
  'cleared',
  'finished there',
  'let go',
] as const;
/** From this step on a move cannot be undone. */
const PAST_UNDO = STEPS.indexOf('before activating');
/** In a usual run each step has one fault: it fails at every third, and dies at the others. */
const isFailing = (place: number) => place % 3 === 1;

/** With PostgreSQL: from each engine to the other; in a usual run one way is enough, because it has both engines. */
const pairs: readonly { eu: Engine; us: Engine }[] = engines.includes('postgres')
  ? [
      { eu: 'sqlite', us: 'postgres' },
      ...(usualEngines.includes('postgres') ? [{ eu: 'postgres', us: 'sqlite' } as const] : []),
    ]
  : [{ eu: 'sqlite', us: 'sqlite' }];

for (const pair of pairs) {
  describe(`a move that fails (${pair.eu} to ${pair.us})`, () => {
    let regions: TestRegions;
    let eu: TestPlatform;
    let us: TestPlatform;
    before(async () => {
      regions = await startRegions(pair, ['eu', 'us'], {
        SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
        SYMBOLON_LOG_LEVEL: 'silent',
      });
      eu = regions.region('eu');
      us = regions.region('us');
    });
    after(() => regions.stop());

    test('a move takes every step of the list', async () => {
      const { move } = await underWay();
      const seen: string[] = [];
      const { moveSource } = restartedMoves(eu, async (step) => void seen.push(step));
      await finish(regions, moveSource, () => isAt(move.id, 'done'));
      assert.deepEqual([...new Set(seen)], [...STEPS]);
    });

    for (const [place, step] of STEPS.entries()) {
      for (const fault of isAtLength
        ? (['fails', 'dies'] as const)
        : isFailing(place)
          ? ['fails' as const]
          : []) {
        test(`a move that ${fault} at "${step}" goes on, and no event is lost, doubled or reordered`, async () => {
          const made = await underWay();
          await faultAt(step, fault);
          await made.use();
          const home = await homeOf(made.company.id);
          const expected = await rowsOf(home, made.company.id);
          await finish(regions, restartedMoves(eu, async () => {}).moveSource, () =>
            isAt(made.move.id, 'done'),
          );
          check(await rowsOf(us, made.company.id), expected, home === us);
          await made.check(us);
          assert.deepEqual(await countsOf(eu, made.company.id), { companies: 1, share_codes: 1 });
          await nothingIsLeft(made.move.id);
          const { directory } = regions.frontDoor;
          assert.equal(await directory.homeOf({ kind: 'company', id: made.company.id }), 'us');
        });
      }
    }

    for (const [place, step] of STEPS.entries()) {
      if (!isAtLength && isFailing(place)) continue;
      test(`a move that dies at "${step}" ${place < PAST_UNDO ? 'can be undone' : 'can no longer be undone'}`, async () => {
        const made = await underWay();
        await faultAt(step, 'dies');
        await made.use();
        const path = `/api/admin/moves/${made.move.id}/undo`;
        const answer = await eu.call('POST', path, { token: OPERATOR, body: {} });
        if (place >= PAST_UNDO) {
          assert.deepEqual([answer.status, answer.body.error_key], [409, 'moves.past_undo']);
          await finish(regions, restartedMoves(eu, async () => {}).moveSource, () =>
            isAt(made.move.id, 'done'),
          );
          await made.check(us);
          return;
        }
        assert.equal(answer.status, 200);
        const expected = await rowsOf(eu, made.company.id);
        await finish(regions, restartedMoves(eu, async () => {}).moveSource, () =>
          isAt(made.move.id, 'undone'),
        );
        assert.deepEqual(await rowsOf(eu, made.company.id), expected);
        await made.use();
        await made.check(eu);
        assert.deepEqual(await countsOf(us, made.company.id), { companies: 1, share_codes: 1 });
        await nothingIsLeft(made.move.id);
        const { rows } = await remoteSlots(made.company.id);
        assert.deepEqual(rows, []);
      });
    }

    test('a move goes on when the answer of the other region was lost', async () => {
      breaks();
      const made = await underWay();
      const { companyMoves } = us.context;
      assert.ok(companyMoves);
      // The company becomes at home there, but the answer is lost.
      const activate = companyMoves.moveTarget.activate.bind(companyMoves.moveTarget);
      let asked = 0;
      companyMoves.moveTarget.activate = async (...asks) => {
        const taken = await activate(...asks);
        if (++asked < 3) throw new Error('The line is down.');
        return taken;
      };
      const { moveSource } = restartedMoves(eu, async () => {});
      await moveSource.run();
      const { state, reason } = await moveOf(made.move.id);
      assert.equal(state, 'activating');
      assert.match(reason, /500/);
      await made.use();
      await finish(regions, moveSource, () => isAt(made.move.id, 'done'));
      await made.check(us);
      assert.equal(asked, 1, 'it was the home after the first request');
      companyMoves.moveTarget.activate = activate;
    });

    test('rows that arrive damaged are refused and sent again', async () => {
      const made = await underWay();
      const { moveSource } = restartedMoves(eu, async (step) => {
        if (step !== 'asking') return;
        await us.context.database.write((writer) =>
          writer
            .updateTable('company_arrival_chunks')
            .set({ content: '[]' })
            .where('move_id', '=', made.move.id)
            .where('table_name', '=', 'webhook_events')
            .execute(),
        );
      });
      await moveSource.run();
      const refused = await moveOf(made.move.id);
      assert.equal(refused.state, 'copying');
      assert.match(refused.reason, /Table webhook_events has 0 rows where it should have 3/);
      assert.equal(await homeOf(made.company.id), eu);
      await made.use();
      await finish(regions, restartedMoves(eu, async () => {}).moveSource, () => isAt(made.move.id, 'done'));
      await made.check(us);
    });

    test('an arrival whose source no longer knows it is deleted', async () => {
      const made = await underWay();
      await faultAt('rows copied', 'dies');
      const staged = () =>
        us.context.database.reader
          .selectFrom('company_arrival_chunks')
          .select('chunk')
          .where('move_id', '=', made.move.id)
          .execute();
      const sweep = () => us.context.companyMoves?.moveTarget.sweep();
      regions.clock.advance(2 * 60 * 60_000);
      await sweep();
      assert.ok((await staged()).length > 0, 'the source still has it');
      await eu.context.database.write((writer) =>
        writer.deleteFrom('company_moves').where('id', '=', made.move.id).execute(),
      );
      await sweep();
      assert.deepEqual(await staged(), []);
      const again = await eu.must('POST', `/api/admin/companies/${made.company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      await finish(regions, restartedMoves(eu, async () => {}).moveSource, () => isAt(again.id, 'done'));
      await made.check(us);
    });

    test('a freeze that lasts too long is given up and tried again later', async () => {
      const made = await underWay();
      let slow = true;
      const { moveSource } = restartedMoves(eu, async (step) => {
        if (step === 'rows copied' && slow) regions.clock.advance(61_000);
      });
      await moveSource.run();
      const given = await moveOf(made.move.id);
      assert.deepEqual([given.state, given.attempts], ['copying', 1]);
      assert.match(given.reason, /frozen for more than 60 s/);
      assert.ok(given.held_ms >= 61_000 && given.retry_at !== null);
      assert.deepEqual(await triggersOf(eu, made.move.id), []);
      await made.use();
      await moveSource.run();
      assert.equal((await moveOf(made.move.id)).attempts, 1, 'not yet');
      slow = false;
      await finish(regions, moveSource, () => isAt(made.move.id, 'done'));
      await made.check(us);
    });

    test('a company with many rows may be frozen longer, by a second for each thousand', async () => {
      const made = await underWay();
      const { company, service } = made;
      await eu.context.database.write(async (writer) => {
        const rows = Array.from({ length: 3000 }, () => ({
          ...{ company_id: company.id, service_id: service.id, id: randomUUID() },
          ...{ type: 'config' as const, message: 'Changed', metadata: '{}', created_at: regions.clock.now() },
        }));
        await writer.insertInto('service_logs').values(rows).execute();
      });
      const { moveSource } = restartedMoves(eu, async (step) => {
        if (step === 'rows copied') regions.clock.advance(62_500);
      });
      await finish(regions, moveSource, () => isAt(made.move.id, 'done'));
      assert.equal((await moveOf(made.move.id)).attempts, 1);
      await made.check(us);
    });

    /** A company that is used, and a move of it that has been requested. */
    async function underWay() {
      const company = await registerCompany(eu);
      const service = await createService(eu, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      await createWebhook(eu, service, { url: 'http://127.0.0.1:9/hook' });
      const person = await registerPerson(eu);
      await regions.settle();
      const connectionId = await connect(eu, person, service, { nick: { once: 'x' } });
      await regions.settle();
      const known = await eu.context.database.reader
        .selectFrom('persons')
        .selectAll()
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow();
      const acknowledged: number[] = [];
      let n = 0;
      /** Raises an event; a refused one is not counted. */
      const use = async () => {
        const documentId = `d${++n}`;
        const happened = raise(
          await homeOf(company.id),
          service,
          { connectionId, person: known },
          Event.documentCreated,
          {
            documentId,
            payload: { n },
          },
        );
        try {
          await happened;
          acknowledged.push(n);
        } catch (error) {
          assert.equal((error as { key?: string }).key, 'db.writes_paused');
        }
      };
      await use();
      await use();
      const move = await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      return {
        company,
        service,
        move: move as { id: string },
        use,
        /** Checks that feed and queue have exactly the acknowledged events, once and in order. */
        async check(platform: TestPlatform) {
          for (const table of ['changes', 'webhook_events'] as const) {
            const rows = await platform.context.database.reader
              .selectFrom(table)
              .select(['event', 'payload'])
              .where('service_id', '=', service.id)
              .where('event', '=', Event.documentCreated)
              .orderBy('seq')
              .execute();
            assert.deepEqual(
              rows.map((row) => JSON.parse(row.payload).n),
              acknowledged,
              table,
            );
          }
        },
      };
    }

    /** Runs the moves until the step, which throws or never returns. */
    async function faultAt(step: string, fault: 'fails' | 'dies'): Promise<void> {
      let happened = false;
      for (let turn = 0; turn < 3 && !happened; turn++) {
        const ended = Promise.withResolvers<void>();
        const { moveSource } = restartedMoves(eu, async (now) => {
          if (now !== step || happened) return;
          happened = true;
          if (fault === 'fails') throw new Error('Something failed.');
          ended.resolve();
          await new Promise(() => {});
        });
        await Promise.race([moveSource.run(), ended.promise]);
        await regions.settle();
        regions.clock.advance(125_000);
      }
      assert.ok(happened, `no run came to "${step}"`);
    }

    const moveOf = (id: string) => eu.must('GET', `/api/admin/moves/${id}`, { token: OPERATOR });
    const isAt = async (id: string, state: string) => (await moveOf(id)).state === state;
    const remoteSlots = async (companyId: string) => ({
      rows: await eu.context.database.reader
        .selectFrom('remote_slots')
        .selectAll()
        .where('company_id', '=', companyId)
        .execute(),
    });

    /** The region that takes its writes. */
    async function homeOf(companyId: string): Promise<TestPlatform> {
      const row = await us.context.database.reader
        .selectFrom('companies')
        .select('region')
        .where('id', '=', companyId)
        .executeTakeFirst();
      return row?.region === null ? us : eu;
    }

    function check(
      found: Record<string, string[]>,
      expected: Record<string, string[]>,
      audited: boolean,
    ): void {
      for (const [table, rows] of Object.entries(expected)) {
        if (table !== 'audit_log' || audited) assert.deepEqual(found[table], rows, table);
        else assert.ok(rows.every((row) => found[table]?.includes(row)));
      }
    }

    async function nothingIsLeft(moveId: string): Promise<void> {
      // A sweep drops what others held.
      await eventually('no trigger is left', async () => {
        if ((await triggersOf(eu, moveId)).length === 0) return true;
        await eu.context.companyMoves?.freezer.dropOldTriggers();
        return undefined;
      });
      const staged = us.context.database.reader.selectFrom('company_arrival_chunks').select('chunk');
      assert.deepEqual(await staged.where('move_id', '=', moveId).execute(), []);
    }
  });
}
