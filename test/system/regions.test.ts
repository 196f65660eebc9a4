import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HANG_MS } from '@symbolon/testkit/limits';
import { engines } from '@symbolon/testkit/platform/engines';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import { rounds } from '@symbolon/testkit/thoroughness';
import { Caller, Record } from './regions/caller.ts';
import { Company } from './regions/company.ts';
import { type Installation, startInstallation } from './regions/installation.ts';
import { Person } from './regions/people.ts';

/*
 * The whole platform in five processes, while everybody works: people at home in both regions edit a value that all
 * companies follow, the companies drain, receive, read and write, and one after the other they move. A model keeps count.
 */

const COMPANIES = Number(process.env.REGIONS_COMPANIES ?? rounds(4, 10));
const PEOPLE_IN_EACH = rounds(2, 3);
const MOVES_AT_ONCE = 2;
/** How often something is looked at before it counts as stuck. A slow machine answers later, so it waits longer. */
const LOOKS_MOST = 1500;
/** How often a move may begin again: locks that are busy end an attempt. */
const ATTEMPTS_MOST = 12;

describe('companies that move while they work', {
  skip: !engines.includes('postgres') && 'needs PostgreSQL',
}, () => {
  let installation: Installation | undefined;
  const companies: Company[] = [];
  before(async () => {
    installation = await startInstallation();
  });
  after(async () => {
    for (const company of companies) await company.stop();
    await installation?.stop();
  });

  test('lose nothing and answer no call wrongly', { timeout: HANG_MS }, async (t) => {
    assert.ok(installation !== undefined);
    const { frontDoor, bases } = installation;
    const record = new Record();
    for (let index = 0; index < COMPANIES; index++) {
      companies.push(await Company.register(record, { region: bases.eu, frontDoor }));
    }
    const told = (text: string) => process.env.REGIONS_TRACE && console.log(new Date().toISOString(), text);
    told('companies');
    const people: Person[] = [];
    for (const base of [bases.eu, bases.us]) {
      for (let index = 0; index < PEOPLE_IN_EACH; index++) {
        people.push(await Person.register(record, base));
      }
    }
    /** By company and person. */
    const connections = new Map<Company, Map<Person, string>>();
    for (const company of companies) {
      const own = new Map<Person, string>();
      for (const person of people) own.set(person, await person.connect(company.service));
      connections.set(company, own);
    }

    told('connected');
    let working = true;
    const during = (act: () => Promise<unknown>, everyMs: number) =>
      (async () => {
        while (working) {
          await act();
          await pause(everyMs);
        }
      })();
    const work = [
      ...people.map((person) => during(() => person.edit(), 30)),
      ...people.map((person) => during(() => person.connections(), 200)),
      ...companies.map((company) => during(() => company.drain(), 100)),
      ...companies.map((company) => during(() => company.rename(), 150)),
      ...companies.map((company) =>
        during(async () => {
          for (const id of connections.get(company)?.values() ?? []) await company.read(id);
        }, 100),
      ),
    ];
    const worked = Promise.all(work);
    worked.catch(() => {});
    try {
      await pause(500);
      await moveAll(companies, new Caller({ record, base: bases.eu, token: OPERATOR }), 'us');
      told('moved');
      await pause(500);
    } finally {
      working = false;
    }
    await worked;
    told('worked');
    const edits = people.map((person) => person.edits);
    t.diagnostic(
      `${edits.reduce((sum, of) => sum + of, 0)} edits, ${record.rebased} times 421, ${record.paused} times paused, ${record.busy} times busy, ${record.late} times late, ${record.renewed} tokens renewed`,
    );
    assert.deepEqual(record.wrong, []);

    // What was acknowledged arrives, everywhere, without anybody doing anything.
    await settled(async () => {
      for (const company of companies) {
        for (const [person, id] of connections.get(company) ?? []) {
          assert.equal(await company.read(id), person.edits, 'the value read');
          const posted = company.heardByWebhook(person.id);
          assert.equal(posted.edits.length, person.edits, 'an event by webhook for each edit');
        }
      }
    });
    told('settled');
    for (const company of companies) {
      while ((await company.drain()) > 0);
      assert.equal(company.machine.base, bases.us);
      assert.equal(await company.serviceName(), `Shop ${company.renames}`);
      const own = connections.get(company) ?? new Map<Person, string>();
      assert.deepEqual((await company.connectionIds()).sort(), [...own.values()].sort());
      const ids = company.posted.map((event) => event.id);
      assert.equal(new Set(ids).size, ids.length, 'nothing was posted twice');
      const fed = company.fed.map((event) => event.id);
      assert.equal(new Set(fed).size, fed.length, 'nothing was drained twice');
      for (const person of own.keys()) {
        const posted = company.heardByWebhook(person.id);
        assert.equal(posted.created, 1);
        assert.deepEqual(
          posted.edits,
          [...posted.edits].sort((a, b) => a - b),
          'in order by webhook',
        );
        assert.equal(posted.edits.at(-1), person.edits);
        const drained = company.heardOnFeed(person.id);
        assert.equal(drained.created, 1);
        assert.deepEqual(
          drained.edits,
          [...drained.edits].sort((a, b) => a - b),
          'in order on the feed',
        );
        assert.equal(drained.edits.at(-1), person.edits);
      }
    }
    for (const person of people) await person.connections();
    for (const running of installation.processes) assert.deepEqual(running.endings, []);
  });
});

async function moveAll(companies: readonly Company[], operator: Caller, to: string): Promise<void> {
  const waiting = [...companies];
  const moveOn = async () => {
    for (let company = waiting.shift(); company !== undefined; company = waiting.shift()) {
      const path = `/api/admin/companies/${company.service.company.id}/moves`;
      const { body: move } = await operator.call('POST', path, { region: to }, [202]);
      for (;;) {
        const { body } = await operator.call('GET', `/api/admin/moves/${move.id}`);
        // What is left where it comes from is cleared away later.
        if (['switched', 'done'].includes(body.state)) break;
        assert.ok(body.state !== 'undone' && body.attempts <= ATTEMPTS_MOST, JSON.stringify(body));
        await pause(100);
      }
    }
  };
  await Promise.all(Array.from({ length: MOVES_AT_ONCE }, moveOn));
}

/** Looks until it is so. */
async function settled(look: () => Promise<void>): Promise<void> {
  for (let looks = 1; ; looks++) {
    try {
      await look();
      return;
    } catch (error) {
      if (looks === LOOKS_MOST) throw error;
      await pause(100);
    }
  }
}
