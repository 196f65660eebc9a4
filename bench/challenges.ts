import { registerPerson } from '@symbolon/testkit/actors/actors';
import { createService, dataToken } from './support/actors.ts';
import { Child } from './support/child.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { type Benchmark, figure, runAlone } from './support/report.ts';
import { enrol, type StoredPasskey } from './support/second-factor.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { openSql } from './support/sql.ts';
import { median } from './support/stats.ts';

const PEOPLE = sized(48, 2);
const ROUNDS = rounds(7);
const SECONDS = sized(2, 0.05);
const POLLS = sized(500, 5);
const RATE = 1_300;

/**
 * The second factor on the embedded database: a service asks, a person reads the card, approves with a passkey, the service
 * polls. Then 500 polls of one finished challenge at once.
 */
export const challenges: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const serviceToken = await dataToken(platform, service);
  const load = await Child.start<true>('challenge-rounds.ts');
  const { url } = platform;
  const passkeys = await load.ask<StoredPasskey[]>({ prepare: { url, people: PEOPLE } });
  const people = await Promise.all(passkeys.map(() => registerPerson(platform)));
  await using sql = await openSql('sqlite', folder.path);
  const [enrolment] = await enrol(sql, service, people, passkeys);

  const rates: number[] = [];
  const cpu: number[] = [];
  const loadCpu: number[] = [];
  for (let round = -warmUps(2); round < ROUNDS; round++) {
    const [before, loadBefore] = [await platform.usage(), await load.usage()];
    const run = { url, serviceToken, people, seconds: SECONDS };
    const { rounds, elapsedMs } = await load.ask<{ rounds: number; elapsedMs: number }>({ run });
    const [after, loadAfter] = [await platform.usage(), await load.usage()];
    if (round < 0) continue;
    rates.push(rounds / (elapsedMs / 1000));
    cpu.push((after.cpuMicros - before.cpuMicros) / rounds);
    loadCpu.push((loadAfter.cpuMicros - loadBefore.cpuMicros) / rounds);
  }

  let told = 0;
  let others = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [person] = people;
    const asked = await platform.must('POST', '/api/service-2fa/challenges', {
      token: serviceToken,
      body: { share_code: person?.shareCode, idempotency_key: crypto.randomUUID() },
    });
    const mute = (muted: boolean) =>
      platform.must('PUT', `/api/person/two-factor/enrollments/${enrolment}/mute`, {
        token: person?.token ?? '',
        body: { muted },
      });
    // Revokes it, which needs no proof and no quiet time.
    await mute(true);
    await mute(false);
    const polls = { url, serviceToken, id: asked.challenge_id, count: POLLS };
    const statuses = await load.ask<number[]>({ polls });
    told += statuses.filter((status) => status === 200).length;
    others += statuses.filter((status) => status !== 200 && status !== 410).length;
  }
  await load.stop();

  const rate = median(rates);
  return {
    title: 'Second factor',
    how: `A round is a challenge, its card with the nonce, an approval by passkey (ES256) and the poll that takes the outcome: four calls. ${PEOPLE} people, each with one round at a time; ${ROUNDS} runs of ${SECONDS} s, medians. Then ${ROUNDS} times ${POLLS} polls of one finished challenge at once.`,
    table: {
      head: ['what', 'measured'],
      rows: [
        ['rounds/s', figure(rate)],
        ['server CPU µs/round', figure(median(cpu))],
        ['load generator CPU µs/round, signing included', figure(median(loadCpu))],
        [`outcomes delivered by ${ROUNDS} × ${POLLS} polls`, told],
        ['polls with neither the outcome nor 410', others],
      ],
    },
    bars: [
      {
        what: 'create, approve and poll',
        measured: `${figure(rate)} rounds/s`,
        bar: `at least ${figure(RATE)} rounds/s`,
        met: rate >= RATE,
      },
      {
        what: `${POLLS} polls at once tell the outcome`,
        measured: `${told / ROUNDS} times`,
        bar: 'exactly once',
        met: told === ROUNDS && others === 0,
      },
    ],
  };
};

if (import.meta.main) await runAlone(challenges);
