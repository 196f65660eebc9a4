import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { before, test } from 'node:test';
import type { ChangeEvent } from '@symbolon/protocol';
import { type Delivery, nodeHandler, type Webhook, WebhookReceiver } from '@symbolon/sdk/webhooks';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import {
  approve,
  asked,
  createAskingService,
  deny,
  enrol,
  enrollmentsOf,
  otherDigits,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { listening } from '@symbolon/testkit/servers/listening';

/* What became of a challenge, from the person's answer to the handler of the company's receiver. */

const PASSPHRASE = 'of the account key';
const LIFETIME_MS = 300_000;

onPlatform(
  'the outcome of a challenge by webhook',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    test('comes once for each answer, signed and in an envelope, and never for an expiry', async (t) => {
      const service = await createAskingService(platform());
      await setNumberMatching(platform(), service, true);
      const { token, loginSecret: login_secret } = service.company;
      const { private_key_pem: pem } = await platform().must('POST', '/api/account-key', {
        token,
        body: { login_secret, passphrase: PASSPHRASE },
      });
      const path = `/api/services/${service.id}/webhooks`;

      const webhooks = new Map<string, Webhook>();
      const received = new Map<string, { event: ChangeEvent; delivery: Delivery }[]>();
      const errors: unknown[] = [];
      const receiver = new WebhookReceiver({
        webhooks,
        accountKey: { pem, passphrase: PASSPHRASE },
        onEvent: (event, delivery) => {
          received.get(delivery.webhookId ?? '')?.push({ event, delivery });
        },
        onError: (error) => errors.push(error),
      });
      const server = createServer(nodeHandler(receiver));
      const { port } = await listening(server);
      t.after(() => server.close());
      const url = `http://127.0.0.1:${port}/webhooks`;
      for (const encrypt_payload of [false, true]) {
        const secret = `the secret of ${encrypt_payload}`;
        const { id } = await platform().must('POST', path, {
          token,
          body: { url, encrypt_payload, hmac_secret: secret, events: ['2fa_challenge_completed'] },
        });
        webhooks.set(id, { authType: 'hmac', secret });
        received.set(id, []);
      }

      const expected: object[] = [];
      /** A challenge of a new person, which gets an answer, or none. */
      const round = async (status: string, answer: (asked: Round) => Promise<unknown>) => {
        const person = await registerPerson(platform());
        await enrol(platform(), person, service);
        const { challenge_id: id, matching_digits: digits } = await asked(platform(), service, person);
        await answer({ person, id, digits });
        if (status !== 'expired')
          expected.push({
            event: '2fa_challenge_completed',
            person_user_id: person.id,
            share_code: person.shareCode,
            challenge_id: id,
            status,
            completed_at: new Date(platform().clock.now()).toISOString(),
          });
        // Reading the outcome raises nothing.
        assert.equal((await poll(platform(), service, id)).body.status, status);
      };
      const enrolment = async ({ person }: Round) =>
        `/api/person/two-factor/enrollments/${(await enrollmentsOf(platform(), person))[0].enrollment_id}`;

      await round('expired', async () => platform().clock.advance(LIFETIME_MS));
      await round('approved', ({ person, id, digits }) => approve(platform(), person, id, { digits }));
      await round('denied', ({ person, id }) => deny(platform(), person, id, { not_me: true }));
      await round('denied', async ({ person, id, digits }) => {
        for (const by of [1, 2, 3])
          await approve(platform(), person, id, { digits: otherDigits(digits, by) });
      });
      await round('revoked', async (one) => {
        const address = `${await enrolment(one)}/mute`;
        await platform().must('PUT', address, { token: one.person.token, body: { muted: true } });
      });
      await round('revoked', async (one) => {
        const proof = { kind: 'password', login_secret: one.person.loginSecret };
        const address = await enrolment(one);
        await platform().must('DELETE', address, { token: one.person.token, body: { proof } });
      });
      await round('expired', async () => platform().clock.advance(LIFETIME_MS));

      // Neither does what tidies up after them.
      for (const { run } of platform().context.domain.sweeps) await run(new AbortController().signal);
      await platform().context.dispatcher.scan();
      const left = await eventually('empty queues', async () => {
        if (errors.length > 0) throw errors[0];
        const { webhooks: list } = await platform().must('GET', path, { token });
        return list.every(({ backlog }: { backlog: number }) => backlog === 0) ? list : undefined;
      });
      assert.deepEqual(
        left.map(({ health }: { health: string }) => health),
        ['running', 'running'],
      );
      for (const events of received.values())
        assert.deepEqual(
          events.map(({ event }) => {
            const {
              event: name,
              person_user_id,
              share_code,
              challenge_id,
              status,
              completed_at,
            } = event as ChangeEvent & Record<string, unknown>;
            return { event: name, person_user_id, share_code, challenge_id, status, completed_at };
          }),
          expected,
        );
      assert.deepEqual(
        [...received.values()].map(([first]) => first?.delivery.enveloped),
        [false, true],
      );
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);

interface Round {
  readonly person: Awaited<ReturnType<typeof registerPerson>>;
  readonly id: string;
  readonly digits: string | undefined;
}
