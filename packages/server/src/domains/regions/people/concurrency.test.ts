import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import type { PlatformError } from '../../../core/errors.ts';

const REGIONS = ['eu', 'us', 'ap'] as const;
const ACTS = 40;

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/*
 * Several devices of several people at once, while messages travel: what the model proves of acts one after the other holds
 * when they meet in the databases. Which value wins is up to the devices then; that homes and slots agree is not.
 */
withRegionsOnEachEngine('people in every region, all at once', REGIONS, (regions) => {
  const at = (region: string) => regions().region(region);

  test('homes and slots agree after all messages have arrived', async () => {
    const value = await sealed('some value');
    const services: { region: string; service: TestService }[] = [];
    for (const region of REGIONS) {
      const company = await registerCompany(at(region));
      const rows = ['one', 'two'].map((slug) => ({ slug, label: slug, type: 'text' }));
      services.push({ region, service: await createService(at(region), company, rows) });
    }
    const people: { home: string; person: TestPerson; fields: string[] }[] = [];
    for (const home of ['eu', 'us', 'eu']) {
      const person = await registerPerson(at(home));
      const fields = [
        await createField(at(home), person, { type: 'text', slug: 'f1', value: 'x' }),
        await createField(at(home), person, { type: 'text', slug: 'f2', value: 'x' }),
      ];
      people.push({ home, person, fields });
    }
    await regions().settle();

    const unexpected: string[] = [];
    const passing = new Set([
      'contact_data.copies_missing',
      'contact_data.copies_unexpected',
      'contact_data.field_changed',
      'connections.exists',
      'connections.not_found',
      // A region that is busy answers too late: its caller cannot know what became of the act, and all agree nevertheless.
      'region.unavailable',
      // Others held the same person for two seconds: nothing was done.
      'service.busy',
    ]);
    async function device(seed: number): Promise<void> {
      const next = numbers(seed);
      for (let act = 0; act < ACTS; act++) {
        const { home, person, fields } = people[next(people.length)] as (typeof people)[number];
        const { region, service } = services[next(services.length)] as (typeof services)[number];
        const { token } = person;
        const answers = Object.values(service.rows).map((row) => ({
          request_field_id: row,
          ...(next(4) === 0
            ? { kind: 'one_time', value }
            : { kind: 'live', field_id: fields[next(fields.length)], value }),
        }));
        const answered = async (method: string, where: string, path: string, body?: object) => {
          const answer = await at(where).call(method, path, body === undefined ? { token } : { token, body });
          if (answer.status >= 400 && !passing.has(answer.body.error_key)) {
            unexpected.push(`${method} ${path}: ${answer.text}`);
          }
          return answer.body;
        };
        const mine = async () => {
          const { connections } = await answered('GET', region, '/api/person/connections');
          return connections?.find((one: { service: { id: string } }) => one.service.id === service.id)
            ?.connection_id;
        };
        switch (next(6)) {
          case 0:
          case 1: {
            const path = `/api/person/fields/${fields[next(fields.length)]}`;
            const { slots } = await answered('GET', home, `${path}/slots`);
            const copies = (slots ?? []).map((slot: { connection_id: string; request_field_id: string }) => ({
              connection_id: slot.connection_id,
              request_field_id: slot.request_field_id,
              value,
            }));
            await answered('PUT', home, path, { value, copies });
            break;
          }
          case 2:
          case 3:
            await answered('POST', region, '/api/person/connections', {
              company_code: service.company.code,
              service_code: service.code,
              decisions: answers,
            });
            break;
          case 4: {
            const id = await mine();
            if (id !== undefined) {
              await answered('PUT', region, `/api/person/connections/${id}/mappings`, { decisions: answers });
            }
            break;
          }
          default: {
            const id = await mine();
            if (id !== undefined) await answered('DELETE', region, `/api/person/connections/${id}`);
          }
        }
      }
    }
    let over = false;
    const deliveries = REGIONS.map(async (region) => {
      while (!over) {
        await at(region)
          .context.messageSender?.sendAll()
          .catch((error: PlatformError) => {
            // A region that is busy answers too late: what was for it is sent again.
            if (error.key !== 'region.unavailable') throw error;
          });
        await setImmediate();
      }
    });
    try {
      await Promise.all([1, 2, 3, 4, 5].map(device));
    } finally {
      over = true;
      await Promise.all(deliveries);
    }
    assert.deepEqual(unexpected, []);
    await regions().settle();

    let live = 0;
    for (const { home, person } of people) {
      const { reader } = at(home).context.database;
      const stored = await reader
        .selectFrom('person_fields')
        .selectAll()
        .where('person_id', '=', person.id)
        .orderBy('id')
        .execute();
      const versions = new Map(stored.map((field) => [field.id, field.version]));
      const registrations: (string | null)[] = [];
      for (const region of REGIONS) {
        const { reader: there } = at(region).context.database;
        if (region !== home) {
          const replicas = await there
            .selectFrom('person_fields')
            .selectAll()
            .where('person_id', '=', person.id)
            .orderBy('id')
            .execute();
          assert.deepEqual(
            replicas,
            stored.map((field) => ({ ...field, value: null })),
          );
        }
        const slots = await there
          .selectFrom('slot_values')
          .innerJoin('connections', 'connections.id', 'slot_values.connection_id')
          .selectAll('slot_values')
          .where('connections.customer_id', '=', person.id)
          .where('slot_values.live', '=', 1)
          .execute();
        for (const slot of slots) {
          live++;
          assert.equal(slot.field_version, versions.get(slot.field_id ?? ''));
          assert.equal(slot.registration === null, region === home);
          if (slot.registration !== null) registrations.push(slot.registration);
        }
      }
      const known = await reader
        .selectFrom('remote_slots')
        .select('registration')
        .where('person_id', '=', person.id)
        .execute();
      assert.deepEqual(known.map((slot) => slot.registration).sort(), registrations.sort());
    }
    assert.ok(live > 0);
  });
});
