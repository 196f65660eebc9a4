import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { insertAll } from '@symbolon/testkit/platform/rows';
import { createService, dataToken } from './support/actors.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { openSeed } from './support/seed.ts';
import { sized } from './support/setting.ts';
import { quantile } from './support/stats.ts';

/** Each may have three challenges of a service that wait. */
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? sized(500, 3));
const ASKED_EACH = 3;
const PER_SECOND = 100;
const CHALLENGES = '/api/service-2fa/challenges';
const CARDS = '/api/person/two-factor/challenges';

interface Asked {
  readonly sentAt: number;
  answeredMs?: number;
  signalMs?: number;
  cardMs?: number;
}

/**
 * From the moment at which a service sends its request until the signal is on the person's device, and until the device has
 * read the card. Requests go out at fixed times, whatever became of those before.
 */
export const deviceSignals: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const token = await dataToken(platform, service);
  const people: TestPerson[] = [];
  while (people.length < PEOPLE) people.push(await registerPerson(platform));
  {
    await using seed = await openSeed(folder.path);
    const { database, ids } = seed.context;
    const enrolments = people.map(({ id }) => ({
      company_id: service.company.id,
      id: ids.uuid(),
      service_id: service.id,
      person_id: id,
      app_id: null,
      muted: 0 as const,
      denials: 0,
      denied_at: null,
      created_at: Date.now(),
    }));
    await database.write((writer) => insertAll(writer, 'two_factor_enrolments', enrolments));
  }
  const asked = new Map<string, Asked>();
  /** Signals may come before the answer that names the challenge. */
  const heard = new Map<string, number>();
  const reading: Promise<void>[] = [];
  const devices: Listener[] = [];
  for (const person of people) {
    devices.push(
      await Listener.open(platform, person, ({ name, data }) => {
        if (name !== 'two_factor_challenge') return;
        heard.set(data.id, performance.now());
        reading.push(read(person.token, data.id));
      }),
    );
  }
  const cards = new Map<string, number>();
  const read = async (personToken: string, id: string) => {
    await platform.must('GET', `${CARDS}/${id}`, { token: personToken });
    cards.set(id, performance.now());
  };
  const before = await platform.usage();
  const startedAt = performance.now();
  const sending: Promise<void>[] = [];
  const total = people.length * ASKED_EACH;
  for (let index = 0; index < total; index++) {
    const due = startedAt + (index * 1000) / PER_SECOND;
    await until(due);
    const person = people[index % people.length];
    sending.push(
      (async () => {
        const sentAt = performance.now();
        const { challenge_id } = await platform.must('POST', CHALLENGES, {
          token,
          body: { share_code: person?.shareCode, idempotency_key: `key-${index}` },
        });
        asked.set(challenge_id, { sentAt, answeredMs: performance.now() - sentAt });
      })(),
    );
  }
  await Promise.all(sending);
  const elapsedMs = performance.now() - startedAt;
  const deadline = performance.now() + 5_000;
  while (cards.size < total && performance.now() < deadline) await until(performance.now() + 20);
  await Promise.all(reading);
  const after = await platform.usage();
  for (const device of devices) device.close();

  const measured = [...asked].map(([id, { sentAt, answeredMs }]) => ({
    answered: answeredMs ?? Number.NaN,
    signal: (heard.get(id) ?? Number.POSITIVE_INFINITY) - sentAt,
    card: (cards.get(id) ?? Number.POSITIVE_INFINITY) - sentAt,
  }));
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.9, 0.99, 1].map((q) => figure(quantile(values, q))),
  ];
  const signal = measured.map((each) => each.signal);
  const card = measured.map((each) => each.card);
  return {
    title: 'A card on the device',
    how: `${total} challenges for ${people.length} people, ${figure((total * 1000) / elapsedMs)} a second at fixed times; each person has an event stream open. Times from sending the create, over HTTP, with the service, the devices and the load in one process. The platform took ${figure(((after.cpuMicros - before.cpuMicros) / 1000 / elapsedMs) * 100)} % of one core, reading the cards included.`,
    table: {
      head: ['ms', 'median', '90 %', '99 %', 'longest'],
      rows: [
        row(
          'answer to the service',
          measured.map(({ answered }) => answered),
        ),
        row('signal on the device', signal),
        row('card read by the device', card),
      ],
    },
    bars: [atMost('card read within, 99th percentile', quantile(card, 0.99), 200, ' ms')],
  };
};

function until(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
}

if (import.meta.main) await runAlone(deviceSignals);
