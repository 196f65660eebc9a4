import { randomUUID } from 'node:crypto';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { makePasskey, proofOf } from '../second-factor.ts';
import { answering } from './answering.ts';

/** What a run is about. The passkeys of people are made here, for only this process signs. */
interface Question {
  readonly prepare?: { readonly url: string; readonly people: number };
  readonly run?: {
    readonly url: string;
    readonly serviceToken: string;
    readonly people: readonly { token: string; shareCode: string }[];
    readonly seconds: number;
  };
  readonly polls?: {
    readonly url: string;
    readonly serviceToken: string;
    readonly id: string;
    readonly count: number;
  };
}

const authenticators: SoftwareAuthenticator[] = [];

answering(true, { answer });

async function answer({ prepare, run, polls }: Question): Promise<unknown> {
  if (prepare !== undefined) {
    const made = Array.from({ length: prepare.people }, () => makePasskey(prepare.url));
    authenticators.push(...made.map(({ authenticator }) => authenticator));
    return made.map(({ stored }) => stored);
  }
  if (run !== undefined) return rounds(run);
  if (polls === undefined) return undefined;
  const { url, id, serviceToken: token } = polls;
  const call = () => new PlatformAt(url).call('GET', `/api/service-2fa/challenges/${id}`, { token });
  const answers = await Promise.all(Array.from({ length: polls.count }, call));
  return answers.map(({ status }) => status);
}

/** Each person is asked, approves and is asked again; gives how many rounds there were. */
async function rounds({ url, serviceToken, people, seconds }: NonNullable<Question['run']>) {
  const platform = new PlatformAt(url);
  const asking = '/api/service-2fa/challenges';
  const until = performance.now() + seconds * 1000;
  const began = performance.now();
  let done = 0;
  const lane = async ({ token, shareCode }: { token: string; shareCode: string }, index: number) => {
    const authenticator = authenticators[index];
    if (authenticator === undefined) throw new Error('There is no passkey.');
    while (performance.now() < until) {
      const body = { share_code: shareCode, idempotency_key: randomUUID() };
      const { challenge_id: id } = await platform.must('POST', asking, { token: serviceToken, body });
      const path = `/api/person/two-factor/challenges/${id}`;
      const { presence } = await platform.must('GET', path, { token });
      const proof = proofOf(authenticator, presence);
      await platform.must('POST', `${path}/approve`, { token, body: { proof } });
      const { status } = await platform.must('GET', `${asking}/${id}`, { token: serviceToken });
      if (status !== 'approved') throw new Error(`The outcome is ${status}.`);
      done++;
    }
  };
  await Promise.all(people.map(lane));
  return { rounds: done, elapsedMs: performance.now() - began };
}
