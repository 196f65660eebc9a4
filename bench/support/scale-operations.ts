import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { tokenForm } from './actors.ts';
import type { Calls } from './calls.ts';
import type { LargeWorld } from './large.ts';
import { actAndSettle, deleteService, publish, replaceKey, row } from './large-acts.ts';
import { connect, edit, type LargePerson, newPerson } from './large-person.ts';
import type { Readings } from './readings.ts';
import { OPERATOR_TOKEN, type Stack } from './stack.ts';

const PAGE = 100;
const BATCH = 500;
/** Connections of the person who has many, and how many of them follow one field. */
const MANY = 500;
const LIVE = 200;

export interface Scene {
  readonly stack: Stack;
  readonly world: LargeWorld;
  readonly calls: Calls;
  readonly readings: Readings;
}

export async function dataTokenOf({ calls, world }: Scene): Promise<string> {
  const { body } = await calls.must<{ access_token: string }>({
    method: 'POST',
    path: '/oauth2/token',
    form: tokenForm(world.service),
  });
  return body.access_token;
}

/** What a data client reads. */
export async function readOperations(scene: Scene): Promise<void> {
  const { calls, world, readings } = scene;
  const token = await dataTokenOf(scene);
  const list = async (query: string) =>
    calls.get(`/api/company-data/connections?limit=${PAGE}${query}`, token);
  const page = async (offset: number) => (await list(`&offset=${offset}`)).ms;
  const { size } = world;
  const middle = Math.round(size / 2);

  await readings.take('list, first page of 100', 9, () => page(0));
  await readings.take('list, middle, cold jump', 5, (round) => page(middle + 7 + 211 * round));
  await readings.take('list, middle, page after page', 9, (round) => page(middle + 7 + PAGE * round));
  await readings.take('list, last, cold jump', 5, (round) => page(size - PAGE - 13 * round));
  const ids = JSON.parse(
    (
      await calls.send({
        method: 'GET',
        path: `/api/company-data/connections?limit=${PAGE}&offset=${middle}`,
        token,
      })
    ).text,
  ) as {
    items: { connection_id: string }[];
  };
  let next = 0;
  const nextId = () => ids.items[next++]?.connection_id ?? '';
  const known = middle + 7 + PAGE;
  await page(known);
  await readings.take('list, middle, after a connection ended', 5, async () => {
    await calls.must({ method: 'DELETE', path: `/api/company-data/connections/${nextId()}`, token });
    return page(known);
  });
  await readings.take('list, a page by key cursor', 9, async () => {
    const { body, ms } = await list(`&after=${ids.items.at(-1)?.connection_id}`);
    // A platform that does not know the cursor ignores it, and gives its first page.
    const first = (body as { items: { connection_id: string }[] }).items[0]?.connection_id ?? '';
    return first > (ids.items.at(-1)?.connection_id ?? '') ? ms : Number.NaN;
  });
  await readings.take(
    'one connection',
    15,
    async () => (await calls.get(`/api/company-data/connections/${nextId()}`, token)).ms,
  );
  await readings.take('token', 15, async () => {
    const { ms } = await calls.must({
      method: 'POST',
      path: '/oauth2/token',
      form: tokenForm(world.service),
    });
    return ms;
  });
  await readings.take('drain 500 changes', 5, drains(scene, token));
  await readings.take('drain 500 parked', 5, drains(scene, token, `&webhook_id=${world.webhookId}`));
  await readings.take('end one connection', 5, async () => {
    const ended = await calls.must({
      method: 'DELETE',
      path: `/api/company-data/connections/${nextId()}`,
      token,
    });
    return ended.ms;
  });
}

/** One drain after the other, each confirming the one before. */
export function drains({ calls }: Pick<Scene, 'calls'>, token: string, query = ''): () => Promise<number> {
  let last = '';
  return async () => {
    const { body, ms } = await calls.must<{ changes: { id: string }[] }>({
      method: 'GET',
      path: `/api/company-data/changes?limit=${BATCH}&after=${last}${query}`,
      token,
    });
    last = body.changes.at(-1)?.id ?? '';
    return ms;
  };
}

/** What people do. */
export async function personOperations({ calls, world, readings }: Scene): Promise<void> {
  const { service } = world;
  const large = {
    companyCode: service.companyCode,
    code: service.code,
    rowId: service.rows.find(({ slug }) => slug === 'city')?.id,
  };
  await readings.take('connect', 9, async () => {
    const person = await newPerson(calls, world);
    const connection = await connect(calls, person, large);
    return connection.ms;
  });
  const busy = await newPerson(calls, world);
  const places: { connection_id: string; request_field_id: string }[] = [];
  const { id } = await connect(calls, busy, large);
  places.push({ connection_id: id, request_field_id: large.rowId ?? '' });
  await readings.take('edit of a field, 1 live slot', 9, () => edit(calls, busy, places));
  for (const [index, { companyCode, code, rowId }] of world.others.slice(0, MANY).entries()) {
    const live = index < LIVE - 1;
    const made = await connect(calls, busy, { companyCode, code, rowId: live ? rowId : undefined });
    if (live) places.push({ connection_id: made.id, request_field_id: rowId });
  }
  await readings.take(`edit of a field, ${LIVE} live slots`, 5, () => edit(calls, busy, places));
  await readings.take(
    `a person's ${MANY + 1} connections`,
    5,
    async () => (await calls.get('/api/person/connections', busy.token)).ms,
  );
}

/** Acts on the whole of a service that leave it there, and what its customers are asked by them. */
export async function serviceActs(scene: Scene): Promise<void> {
  const { calls, world, readings } = scene;
  const { service } = world;
  const customers: LargePerson[] = [];
  for (let index = 0; index < 3; index++) {
    const person = await newPerson(calls, world);
    await connect(calls, person, { companyCode: service.companyCode, code: service.code });
    customers.push(person);
  }
  const act = (name: string, work: () => Promise<number>) =>
    readings.takeWhole(name, () => actAndSettle(calls, world, work));
  await act('publish, nothing added', () => publish(calls, world, (rows) => rows));
  await act('publish, +1 row', () => publish(calls, world, (rows) => [...rows, row('first')]));
  await act('publish, +1 row, one open', () => publish(calls, world, (rows) => [...rows, row('second')]));
  const open: string[] = [];
  await readings.take('consents of a person', customers.length, async (round) => {
    const { body, ms } = await calls.must<{ consents: { id: string }[] }>({
      method: 'GET',
      path: '/api/person/consents',
      token: customers[round]?.token,
    });
    open.push(body.consents[0]?.id ?? '');
    return ms;
  });
  await readings.take('decline a consent', customers.length, async (round) => {
    const path = `/api/person/consents/${open[round]}/decline`;
    return (await calls.must({ method: 'POST', path, token: customers[round]?.token })).ms;
  });
  await act('publish, -1 answered row', () =>
    publish(calls, world, (rows) => rows.filter(({ slug }) => slug !== 'note')),
  );
  await act('replace the key, N / 10 companies', () => replaceKey(calls, world));
}

/** What an operator and a portal look at. */
export async function operatorOperations({ calls, world, readings }: Scene): Promise<void> {
  const { size, service } = world;
  const admin = async (path: string) => (await calls.admin('GET', path)).ms;
  const portal = async (path: string) => (await calls.get(path, world.portal)).ms;
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
  await readings.take(
    'purge N + N old rows',
    1,
    async () => (await calls.admin('POST', '/api/admin/purge')).ms,
  );
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
