import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { connect, createField, registerPerson, sealed } from '@symbolon/testkit/actors/actors';
import {
  connectField,
  connectPerson,
  dataToken,
  editOf,
  FIVE_ROWS,
  row,
  type Slot,
  tokenForm,
} from './actors.ts';
import type { Calls } from './calls.ts';
import type { LargeWorld } from './large.ts';
import { actAndSettle, deleteService, publish, replaceKey } from './large-acts.ts';
import type { Readings } from './readings.ts';
import { sized } from './setting.ts';
import { OPERATOR_TOKEN, type Stack } from './stack.ts';

const CONNECTIONS = '/api/company-data/connections';
const PAGE = 100;
const BATCH = 500;
/** Connections of the person who has many, and how many of them follow one field. */
const MANY = sized(500, 6);
const LIVE = sized(200, 3);

export interface Scene {
  readonly stack: Stack;
  readonly world: LargeWorld;
  readonly calls: Calls;
  readonly readings: Readings;
}

/** What a data client reads. */
export async function readOperations(scene: Scene): Promise<void> {
  const { calls, world, readings } = scene;
  const token = await dataToken(calls, world.service);
  const list = (query: string) => calls.must('GET', `${CONNECTIONS}?limit=${PAGE}${query}`, { token });
  const page = async (offset: number) => {
    await list(`&offset=${offset}`);
    return calls.ms;
  };
  const { size } = world;
  const middle = Math.round(size / 2);

  await readings.take('list, first page of 100', 9, () => page(0));
  await readings.take('list, middle, cold jump', 5, (round) => page(middle + 7 + 211 * round));
  await readings.take('list, middle, page after page', 9, (round) => page(middle + 7 + PAGE * round));
  await readings.take('list, last, cold jump', 5, (round) => page(size - PAGE - 13 * round));
  const { items } = (await list(`&offset=${middle}`)) as { items: { connection_id: string }[] };
  let next = 0;
  const nextId = () => items[next++]?.connection_id ?? '';
  const known = middle + 7 + PAGE;
  const endNext = () => calls.time('DELETE', `${CONNECTIONS}/${nextId()}`, { token });
  await page(known);
  await readings.take('list, middle, after a connection ended', 5, async () => {
    await endNext();
    return page(known);
  });
  await readings.take('list, a page by key cursor', 9, async () => {
    const last = items.at(-1)?.connection_id ?? '';
    // A platform that does not know the cursor ignores it, and gives its first page.
    const [first] = (await list(`&after=${last}`)).items;
    return (first?.connection_id ?? '') > last ? calls.ms : Number.NaN;
  });
  await readings.take('one connection', 15, () => calls.time('GET', `${CONNECTIONS}/${nextId()}`, { token }));
  await readings.take('token', 15, () =>
    calls.time('POST', '/oauth2/token', { body: tokenForm(world.service) }),
  );
  await readings.take('drain 500 changes', 5, drains(scene, token));
  await readings.take('drain 500 parked', 5, drains(scene, token, `&webhook_id=${world.webhookId}`));
  await readings.take('end one connection', 5, endNext);
}

/** One drain after the other, each confirming the one before. */
export function drains({ calls }: Pick<Scene, 'calls'>, token: string, query = ''): () => Promise<number> {
  let last = '';
  return async () => {
    const path = `/api/company-data/changes?limit=${BATCH}&after=${last}${query}`;
    const { changes } = await calls.must('GET', path, { token });
    last = changes.at(-1)?.id ?? '';
    return calls.ms;
  };
}

/** What people do. */
export async function personOperations({ calls, world, readings }: Scene): Promise<void> {
  await readings.take('connect', 9, async () => {
    await connectPerson(calls, world.service);
    return calls.ms;
  });
  const busy = await connectPerson(calls, world.service);
  const slots: Slot[] = [busy];
  const value = await sealed('Paris');
  const edit = () => {
    const { method, path, ...call } = editOf(busy, value, slots);
    return calls.time(method, path, call);
  };
  await readings.take('edit of a field, 1 live slot', 9, edit);
  for (const [index, other] of world.others.slice(0, MANY).entries()) {
    if (index < LIVE - 1) slots.push(await connectField(calls, busy, other));
    else await connect(calls, busy, other);
  }
  await readings.take(`edit of a field, ${LIVE} live slots`, 5, edit);
  await readings.take(`a person's ${MANY + 1} connections`, 5, () =>
    calls.time('GET', '/api/person/connections', { token: busy.token }),
  );
}

/** Acts on the whole of a service that leave it there, and what its customers are asked by them. */
export async function serviceActs({ calls, world, readings }: Scene): Promise<void> {
  const tokens: string[] = [];
  for (let index = 0; index < 3; index++) {
    const person = await registerPerson(calls);
    await createField(calls, person, { type: 'text', slug: 'city', value: 'London' });
    await connect(calls, person, world.service);
    tokens.push(person.token);
  }
  const act = (name: string, work: () => Promise<number>) =>
    readings.takeWhole(name, () => actAndSettle(calls, world, work));
  const more = [...FIVE_ROWS, row('first')];
  await act('publish, nothing added', () => publish(calls, world, FIVE_ROWS));
  await act('publish, +1 row', () => publish(calls, world, more));
  more.push(row('second'));
  await act('publish, +1 row, one open', () => publish(calls, world, more));
  const open: string[] = [];
  await readings.take('consents of a person', tokens.length, async (round) => {
    const token = tokens[round] ?? '';
    const { consents } = await calls.must('GET', '/api/person/consents', { token });
    open.push(consents[0]?.id ?? '');
    return calls.ms;
  });
  await readings.take('decline a consent', tokens.length, (round) =>
    calls.time('POST', `/api/person/consents/${open[round]}/decline`, { token: tokens[round] ?? '' }),
  );
  const fewer = more.filter(({ slug }) => slug !== 'note');
  await act('publish, -1 answered row', () => publish(calls, world, fewer));
  await act('replace the key, N / 10 companies', () => replaceKey(calls, world));
}

/** What an operator and a portal look at. */
export async function operatorOperations({ calls, world, readings }: Scene): Promise<void> {
  const { size, service } = world;
  const admin = (path: string) => calls.admin('GET', path);
  const portal = (path: string) => calls.time('GET', path, { token: service.company.token });
  await readings.take('statistics', 3, () => admin('/api/admin/statistics'));
  await readings.take('people, first page', 5, () => admin('/api/admin/people?limit=100'));
  await readings.take('people, last page', 3, (round) =>
    admin(`/api/admin/people?limit=100&offset=${Math.min(Math.round(size * 0.9) - 100, 10_000) - round}`),
  );
  await readings.take('people, search by address', 3, (round) =>
    admin(`/api/admin/people?search=person-${round + 5}@seeded.example.com`),
  );
  await readings.take('people, search without a hit', 3, (round) =>
    admin(`/api/admin/people?search=nobody-${round}`),
  );
  await readings.take('audit log, first page', 5, () => portal('/api/account/audit-log?limit=100'));
  await readings.take('audit log, last page', 3, (round) =>
    portal(`/api/account/audit-log?limit=100&offset=${Math.max(0, size / 10 - 100 - round)}`),
  );
  await readings.take('one webhook, N parked', 5, () =>
    portal(`/api/services/${service.id}/webhooks/${world.webhookId}`),
  );
}

/** The rest of what grows, the end of the service last. */
export async function lastActs(scene: Scene): Promise<void> {
  const { stack, calls, world, readings } = scene;
  {
    await using sql = await stack.sql();
    const eightDaysAgo = Date.now() - 8 * 86_400_000;
    await sql.run(`update changes set at = ${eightDaysAgo}; update webhook_events set at = ${eightDaysAgo}`);
  }
  await readings.take('purge N + N old rows', 1, () => calls.admin('POST', '/api/admin/purge'));
  await readings.takeWhole('delete the service', () =>
    actAndSettle(calls, world, () => deleteService(calls, world)),
  );
}

/** Makes a backup over HTTP. @returns bytes of the file */
export async function backup({ stack, readings }: Scene, file: string): Promise<number> {
  await readings.take('backup over HTTP', 1, async () => {
    const from = performance.now();
    const url = new URL('/api/admin/backup', stack.platform.url);
    await new Promise<void>((resolve, reject) => {
      request(url, { method: 'POST', headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`Backup: ${answer.statusCode}`));
        else pipeline(answer, createWriteStream(file)).then(resolve, reject);
      })
        .on('error', reject)
        .end();
    });
    return performance.now() - from;
  });
  return (await stat(file)).size;
}
