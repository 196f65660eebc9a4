/**
 * A company gives its webhooks hosts in a zone whose nameserver never answers, and asks for as many look-ups as it can.
 * The webhook of another company is the measure.
 */
import assert from 'node:assert/strict';
import { connect as openSocket } from 'node:net';
import { after, describe, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { FakeClock, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { createCertificate, noCertificates } from '@symbolon/testkit/servers/certificate';
import { Nameserver } from '@symbolon/testkit/servers/nameserver';
import { Sink } from '@symbolon/testkit/servers/sink';
import { webhookPace } from '../../packages/server/src/domains/delivery/webhooks/pace.ts';

const PUBLIC = '93.184.216.34';
const EVENTS = 10;
const ATTACKING_WEBHOOKS = 20;

describe('a dead nameserver', { skip: noCertificates }, () => {
  const cleanUps: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  async function setUp() {
    const certificate = createCertificate('DNS:victim.example');
    const sink = await Sink.start(certificate);
    cleanUps.push(() => sink.stop());
    const nameserver = await Nameserver.start((name) => (name === 'victim.example' ? [PUBLIC] : 'silence'));
    cleanUps.push(() => nameserver.stop());
    const platform = await startPlatform(
      'sqlite',
      { SYMBOLON_DNS_SERVERS: nameserver.address },
      new FakeClock(),
      {
        webhookPace: { ...webhookPace, postTimeoutMs: 4_000 },
        outgoing: {
          ca: certificate.cert,
          dial: ([first]) =>
            Object.defineProperty(openSocket(sink.port, '127.0.0.1'), 'remoteAddress', {
              value: first?.address,
            }),
        },
      },
    );
    cleanUps.push(() => platform.stop());
    return { platform, sink, nameserver };
  }

  test('delays the webhooks of the company that has it, and no others', async () => {
    const { platform, sink, nameserver } = await setUp();
    const victim = await serviceWithWebhooks(platform, ['https://victim.example/hook']);
    const attacker = await serviceWithWebhooks(
      platform,
      Array.from({ length: ATTACKING_WEBHOOKS }, (_, index) => `https://h${index}.dead.example/hook`),
    );
    const { dispatcher } = platform.context;
    await dispatcher.start();
    cleanUps.push(() => dispatcher.stop());

    const attack = attacker.webhooks.map((id) =>
      platform.must('POST', `/api/services/${attacker.id}/webhooks/${id}/test`, { token: attacker.token }),
    );
    let over = false;
    const outcomes = Promise.all(attack).then((results) => {
      over = true;
      return results;
    });
    await attacker.raiseEvent();
    await nameserver.until(() => nameserver.namesUnder('.dead.example').size >= 4);
    for (let event = 1; event <= EVENTS; event++) {
      // What was looked up is forgotten: each delivery needs a look-up.
      platform.clock.advance(60_001);
      await victim.raiseEvent();
      await sink.count(event);
      assert.equal(over, false, `event ${event} came while the attack went on`);
    }

    for (const result of await outcomes) {
      assert.equal(result.delivered, false);
      assert.match(result.reason, /^dns: /);
    }
    await dispatcher.idle();
    assert.deepEqual(await victim.health(), ['running']);
    assert.deepEqual(new Set(await attacker.health()), new Set(['bad']));
  });
});

async function serviceWithWebhooks(platform: TestPlatform, urls: readonly string[]) {
  const company = await registerCompany(platform);
  const { token } = company;
  const service = await createService(platform, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
  const person = await registerPerson(platform);
  const field = await createField(platform, person, { type: 'text', slug: 'nick', value: 'zero' });
  const connection = await connect(platform, person, service, { nick: { field, value: 'zero' } });
  const path = `/api/services/${service.id}/webhooks`;
  const webhooks: string[] = [];
  for (const url of urls) webhooks.push((await platform.must('POST', path, { token, body: { url } })).id);
  return {
    id: service.id,
    token,
    webhooks,
    async raiseEvent() {
      const value = await sealed('one');
      const copies = [{ connection_id: connection, request_field_id: service.rows.nick, value }];
      await platform.must('PUT', `/api/person/fields/${field}`, {
        token: person.token,
        body: { value, copies },
      });
    },
    async health(): Promise<string[]> {
      const listed = await platform.must('GET', path, { token });
      return listed.webhooks.map((webhook: { health: string }) => webhook.health);
    },
  };
}
