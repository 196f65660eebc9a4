/** Accounts that store as much as they can, and callers that ask for as much as they can. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople, putAnswer } from '@symbolon/testkit/platform/rows';
import { XMLParser } from 'fast-xml-parser';
import { dataUri, noiseOf } from '../../packages/server/src/domains/profile/photos/testing/images.ts';

const STORED_MIB = 5;
/** More connections than are read at once for a list. */
const MANY = 27;

/** A wrapper as large as one may be; it is never opened. */
async function largest(characters: number = limits.wrapperTextMost): Promise<string> {
  const wrapper = JSON.parse(await sealed('x'));
  return JSON.stringify({ ...wrapper, d: randomBytes((characters / 4) * 3).toString('base64') });
}

const create = async (platform: TestPlatform, person: TestPerson, slug: string, value: string) =>
  platform.call('POST', '/api/person/fields', {
    token: person.token,
    body: { type: 'text', label: slug, slug, value },
  });

onPlatform(
  'byte budgets',
  (platform) => {
    test('fields come in pages of a MiB', async () => {
      const person = await registerPerson(platform());
      const many = 70;
      for (let index = 0; index < many; index++) {
        const made = await create(platform(), person, `f_${index}`, await largest());
        assert.equal(made.status, 201, made.text);
      }
      const { token } = person;
      const slugs: string[] = [];
      let after = '';
      let pages = 0;
      for (; slugs.length < many; pages++) {
        const page = await platform().call('GET', `/api/person/fields?limit=500&after=${after}`, { token });
        assert.ok(page.text.length < 1.1 * limits.pageBytesMost, `${page.text.length} characters`);
        assert.equal(page.body.total, many);
        slugs.push(...page.body.fields.map(({ slug }: { slug: string }) => slug));
        after = page.body.fields.at(-1).id;
      }
      proves('limit:pageBytesMost');
      assert.equal(pages, 5);
      assert.deepEqual(
        slugs,
        Array.from({ length: many }, (_, index) => `f_${index}`),
      );
      const last = await platform().must('GET', `/api/person/fields?after=${after}`, { token });
      assert.deepEqual(last, { fields: [], total: many });
      // Who asks for no page gets the first.
      const first = await platform().must('GET', '/api/person/fields', { token });
      assert.deepEqual(
        first.fields.map(({ slug }: { slug: string }) => slug),
        slugs.slice(0, first.fields.length),
      );
    });

    test('the values of a person have so much room together', async () => {
      const person = await registerPerson(platform());
      let answer = await create(platform(), person, 'f_0', await largest());
      let stored = 0;
      for (; answer.status === 201; stored++) {
        assert.ok(stored < 100);
        answer = await create(platform(), person, `f_${stored + 1}`, await largest());
      }
      proves('error:account.storage_full', 'limit:person-storage');
      assert.deepEqual([answer.status, answer.body.error_key], [409, 'account.storage_full']);
      assert.equal(answer.body.most, STORED_MIB * 1024 * 1024);
      const { token } = person;
      const { fields, total } = await platform().must('GET', '/api/person/fields', { token });
      proves('route:GET /api/person/fields');
      assert.equal(total, stored);
      // A larger value in the place of a small one needs room too; a smaller one makes some.
      const small = await create(platform(), person, 'small', await sealed('x'));
      const change = async (id: string, value: string) =>
        platform().call('PUT', `/api/person/fields/${id}`, { token, body: { value } });
      const grown = await change(small.body.id, await largest());
      assert.deepEqual([grown.status, grown.body.error_key], [409, 'account.storage_full']);
      assert.equal((await change(fields[0].id, await sealed('x'))).status, 200);
      assert.equal((await change(small.body.id, await largest(60_000))).status, 200);
    });

    test('the answers of a connection have 1 MiB together', async () => {
      const company = await registerCompany(platform());
      const rows = Array.from({ length: 20 }, (_, index) => ({
        slug: `row_${index}`,
        label: 'Row',
        type: 'text',
        one_time: true,
      }));
      const service = await createService(platform(), company, rows);
      const { person, connectionId: connection } = await connectedPerson(platform(), service);
      const ids = Object.values(service.rows);
      const answerRows = async (chosen: readonly string[]) =>
        platform().call('PUT', `/api/person/connections/${connection}/mappings`, {
          token: person.token,
          body: {
            decisions: await Promise.all(
              chosen.map(async (request_field_id) => ({
                request_field_id,
                kind: 'one_time',
                value: await largest(),
              })),
            ),
          },
        });
      assert.equal((await answerRows(ids.slice(0, 12))).status, 200);
      const over = await answerRows(ids.slice(12));
      proves('error:contact_data.answers_too_large', 'limit:connectionBytesMost');
      assert.deepEqual(
        [over.status, over.body.error_key],
        [413, 'contact_data.answers_too_large'],
        over.text,
      );
      // The refusal changed nothing, and what fits is still taken.
      assert.equal((await answerRows(ids.slice(12, 14))).status, 200);
    });

    for (const byWord of [false, true]) {
      test(`a drain ${byWord ? 'by word' : 'by silence'} ends after a few MiB, and the next one goes on`, async () => {
        const company = await registerCompany(platform());
        const many = 70;
        const rows = Array.from({ length: 10 }, (_, index) => ({
          slug: `row_${index}`,
          label: 'Row',
          type: 'text',
          one_time: true,
        }));
        const service = await createService(platform(), company, rows);
        const token = await dataToken(platform(), service);
        for (let index = 0; index < many / rows.length; index++) {
          const { person, connectionId: connection } = await connectedPerson(platform(), service);
          // One by one: each is an event.
          for (const request_field_id of Object.values(service.rows)) {
            const decisions = [{ request_field_id, kind: 'one_time', value: await sealed('x') }];
            const path = `/api/person/connections/${connection}/mappings`;
            await platform().must('PUT', path, { token: person.token, body: { decisions } });
            const larger = [{ request_field_id, kind: 'one_time', value: await largest() }];
            await platform().must('PUT', path, { token: person.token, body: { decisions: larger } });
          }
        }
        const waiting = await platform()
          .context.database.reader.selectFrom('changes')
          .select('id')
          .where('feed', '=', service.id)
          .orderBy('seq')
          .execute();
        const drained: string[] = [];
        const sizes: number[] = [];
        for (let after = ''; drained.length < waiting.length; after = drained.at(-1) ?? '') {
          const query = byWord ? `&after=${after}` : '';
          const batch = await platform().call('GET', `/api/company-data/changes?limit=500${query}`, {
            token,
          });
          sizes.push(batch.text.length);
          assert.ok(batch.text.length < 1.2 * limits.drainBytesMost, `${batch.text.length} characters`);
          assert.ok(batch.body.changes.length > 0);
          drained.push(...batch.body.changes.map(({ id }: { id: string }) => id));
        }
        proves('limit:drainBytesMost');
        assert.ok(sizes.length > 1, String(sizes));
        assert.deepEqual(
          drained,
          waiting.map(({ id }) => id),
        );
        const rest = await platform().must(
          'GET',
          `/api/company-data/changes${byWord ? `?after=${drained.at(-1)}` : ''}`,
          { token },
        );
        assert.deepEqual(rest.changes, []);
      });
    }

    test('a page of connections stays full, and is streamed, however large its answers are', async () => {
      const company = await registerCompany(platform());
      const rows = Array.from({ length: 10 }, (_, index) => ({
        slug: `row_${index}`,
        label: 'Row',
        type: 'text',
      }));
      const service = await createService(platform(), company, rows);
      const token = await dataToken(platform(), service);
      const many = 24;
      const ids = await insertConnections(platform(), service, await insertPeople(platform(), many));
      for (const connectionId of ids.slice(0, 20)) {
        for (const { slug } of rows) {
          await putAnswer(platform(), service, { connectionId, slug }, { value: await largest() });
        }
      }
      const path = '/api/company-data/connections';
      const json = await platform().call('GET', `${path}?limit=500`, { token });
      assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(json.headers.get('content-length'), null);
      assert.ok(json.text.length > 20 * rows.length * limits.wrapperTextMost);
      assert.equal(json.body.total, many);
      assert.deepEqual(
        json.body.items.map(({ id }: { id: string }) => id),
        ids,
      );
      for (const [index, id] of [...ids.entries()].slice(18, 22)) {
        const { values } = await platform().must('GET', `${path}/${id}`, { token });
        assert.deepEqual(json.body.items[index].values, values);
      }

      const xml = await platform().call('GET', `${path}?limit=500`, {
        token,
        headers: { accept: 'application/xml' },
      });
      assert.equal(xml.headers.get('content-type'), 'application/xml; charset=utf-8');
      const { response } = new XMLParser({ parseTagValue: false }).parse(xml.text);
      assert.equal(response.total, String(many));
      assert.deepEqual(
        response.items.item.map(({ id }: { id: string }) => id),
        ids,
      );
      assert.equal(
        response.items.item[3].values.row_4.value.replaceAll('&quot;', '"'),
        json.body.items[3].values.row_4.value,
      );
      // In parts or at once, an item is written alike.
      const one = await platform().call('GET', `${path}?limit=1&offset=3`, {
        token,
        headers: { accept: 'application/xml' },
      });
      const [item = ''] = /<item>.*<\/item>/s.exec(one.text) ?? [];
      assert.ok(item.length > 0 && xml.text.includes(item));
    });

    test('the list of many connections of a customer is streamed, and has them all', async () => {
      const company = await registerCompany(platform());
      const rows = [{ slug: 'row', label: 'Row', type: 'text' }];
      const person = await registerPerson(platform());
      const customer = await registerCompany(platform());
      const made: string[] = [];
      for (let index = 0; index < MANY; index++) {
        const seller = index === 0 ? company : await registerCompany(platform());
        const service = await createService(platform(), seller, rows);
        made.push(await connect(platform(), person, service));
        await platform().must('POST', '/api/company-connections', {
          token: customer.token,
          body: { company_code: seller.code, service_code: service.code, decisions: [] },
        });
      }
      for (const [path, { token }, name] of [
        ['/api/person/connections', person, 'connection_id'],
        ['/api/company-connections', customer, 'id'],
      ] as const) {
        const json = await platform().call('GET', path, { token });
        assert.equal(json.headers.get('content-length'), null);
        const { connections } = json.body;
        const ids: string[] = connections.map((connection: Record<string, string>) => connection[name]);
        if (path === '/api/person/connections') assert.deepEqual(ids, made);
        assert.equal(new Set(ids).size, MANY);
        for (const [index, id] of [...ids.entries()].slice(MANY - 3, MANY - 1)) {
          assert.deepEqual(connections[index], await platform().must('GET', `${path}/${id}`, { token }));
        }
        const xml = await platform().call('GET', path, { token, headers: { accept: 'application/xml' } });
        const { response } = new XMLParser({ parseTagValue: false }).parse(xml.text);
        assert.deepEqual(
          response.connections.item.map((connection: Record<string, string>) => connection[name]),
          ids,
        );
      }
    });

    test('the values of a profile have 256 KiB together', async () => {
      const { token } = await registerCompany(platform());
      const put = (index: number, value: string) =>
        platform().call('POST', '/api/contact-data', {
          token,
          body: { field_id: 'text', slug: `value_${index}`, value },
        });
      const statuses: number[] = [];
      for (let index = 0; index < 28; index++) statuses.push((await put(index, 'x'.repeat(10_000))).status);
      const over = await put(28, 'x'.repeat(10_000));
      proves('limit:profileBytesMost');
      assert.deepEqual([over.status, over.body.error_key], [409, 'account.storage_full'], over.text);
      assert.equal(statuses.filter((status) => status === 201).length, 26);
    });

    test('the photos of a company have so much room together', async () => {
      const { token } = await registerCompany(platform());
      const file = dataUri('image/jpeg', await noiseOf('jpeg', 800, 600));
      const upload = () => platform().call('POST', '/api/photos', { token, body: { file } });
      let answer = await upload();
      for (let count = 1; answer.status === 201; count++) {
        assert.ok(count < 20);
        answer = await upload();
      }
      proves('limit:company-storage');
      assert.deepEqual([answer.status, answer.body.error_key], [409, 'account.storage_full'], answer.text);
    });
  },
  { SYMBOLON_PERSON_STORAGE_MB: String(STORED_MIB), SYMBOLON_COMPANY_STORAGE_MB: '1' },
);
