import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createAccountClient,
  createService,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import type { Writer } from '../../../db/database.ts';
import { type Destination, peerDestination } from './destination.ts';
import { finish, restartedMoves } from './testing/moved.ts';

const OPERATOR = 'operator-token-of-the-tests-0123456789';

/** The round trips for which a company that moves waits: each costs the distance, and each transaction a sync of the disk. */
interface Work {
  requests: number;
  transactions: number;
  statements: number;
}

/** What a freeze may cost, whatever the company has in its tables. */
const MOST: Readonly<Record<'sqlite' | 'postgres', Work>> = {
  sqlite: { requests: 4, transactions: 24, statements: 440 },
  postgres: { requests: 4, transactions: 92, statements: 200 },
};

withRegionsOnEachEngine(
  'the freeze of a company that moves',
  ['eu', 'us'],
  (regions) => {
    const work: Work = { requests: 0, transactions: 0, statements: 0 };
    let isFrozen = false;
    const count = (what: keyof Work) => {
      if (isFrozen) work[what]++;
    };
    /** Counts the transactions of a region and what they send. */
    const watch = ({ context: { database } }: TestPlatform) => {
      const { write } = database;
      const counted = (run: (writer: Writer) => Promise<unknown>): Promise<unknown> => {
        count('transactions');
        return write.call(database, (writer: Writer) =>
          run(
            writer.withPlugin({
              transformQuery({ node }) {
                count('statements');
                return node;
              },
              transformResult: async ({ result }) => result,
            }),
          ),
        );
      };
      Object.assign(database, { write: counted });
      return () => Object.assign(database, { write });
    };

    test('takes few round trips, whatever number of tables has rows', async () => {
      const [eu, us] = [regions().region('eu'), regions().region('us')];
      const company = await registerCompany(eu);
      const service = await createService(eu, company);
      await createAccountClient(eu, company);
      for (let people = 0; people < 5; people++) await connect(eu, await registerPerson(eu), service);
      await regions().settle();
      const { peers } = eu.context;
      assert.ok(peers);
      const destinationOf = (region: string) =>
        new Proxy(peerDestination(peers, region), {
          get(target, name: keyof Destination) {
            return (...args: unknown[]) => {
              count('requests');
              return (target[name] as (...args: unknown[]) => unknown)(...args);
            };
          },
        });
      const steps = async (step: string) => {
        if (step === 'before holding') isFrozen = true;
        if (step === 'left') isFrozen = false;
      };
      const { moveSource } = restartedMoves(eu, steps, destinationOf);
      const stops = [watch(eu), watch(us)];
      const { id } = await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      const stateOf = async () =>
        (await eu.must('GET', `/api/admin/moves/${id}`, { token: OPERATOR })).state as string;
      await finish(regions(), moveSource, async () => (await stateOf()) === 'done');
      for (const stop of stops) stop();
      const most = MOST[eu.engine];
      for (const what of Object.keys(most) as (keyof Work)[])
        assert.ok(work[what] > 0 && work[what] <= most[what], `${what}: ${JSON.stringify(work)}`);
    });
  },
  { SYMBOLON_OPERATOR_TOKEN: OPERATOR },
);
