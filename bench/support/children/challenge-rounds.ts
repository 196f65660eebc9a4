import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
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

const agent = new Agent({ keepAlive: true, maxSockets: 600 });
const authenticators: SoftwareAuthenticator[] = [];

answering(true, { answer, stop: async () => agent.destroy() });

async function answer({ prepare, run, polls }: Question): Promise<unknown> {
  if (prepare !== undefined) return made(prepare.url, prepare.people);
  if (run !== undefined) return rounds(run);
  if (polls === undefined) return undefined;
  const path = `/api/service-2fa/challenges/${polls.id}`;
  const call = () => send(polls.url, 'GET', path, polls.serviceToken);
  const answers = await Promise.all(Array.from({ length: polls.count }, call));
  return answers.map(({ status }) => status);
}

/** The credential id and COSE key of each person's passkey. */
function made(url: string, people: number) {
  return Array.from({ length: people }, () => {
    const authenticator = SoftwareAuthenticator.for({ url });
    authenticators.push(authenticator);
    const rp = { id: 'localhost' };
    const { id, response } = authenticator.create({ challenge: 'x', rp, user: { id: 'dXNlcg' } });
    // The key is the last member of what the authenticator attests.
    const key = Buffer.from(response.attestationObject, 'base64url').subarray(-77);
    return { id, key: key.toString('base64url') };
  });
}

/** Each person is asked, approves and is asked again; gives how many rounds there were. */
async function rounds({ url, serviceToken, people, seconds }: NonNullable<Question['run']>) {
  const until = performance.now() + seconds * 1000;
  const began = performance.now();
  let done = 0;
  const lane = async ({ token, shareCode }: { token: string; shareCode: string }, index: number) => {
    const authenticator = authenticators[index];
    if (authenticator === undefined) throw new Error('There is no passkey.');
    while (performance.now() < until) {
      const ask = { share_code: shareCode, idempotency_key: randomUUID() };
      const asked = await good(url, 'POST', '/api/service-2fa/challenges', serviceToken, ask);
      const path = `/api/person/two-factor/challenges/${asked.challenge_id}`;
      const card = await good(url, 'GET', path, token);
      await good(url, 'POST', `${path}/approve`, token, { proof: proofOf(authenticator, card.presence) });
      const result = await good(
        url,
        'GET',
        `/api/service-2fa/challenges/${asked.challenge_id}`,
        serviceToken,
      );
      if (result.status !== 'approved') throw new Error(`The outcome is ${result.status}.`);
      done++;
    }
  };
  await Promise.all(people.map(lane));
  return { rounds: done, elapsedMs: performance.now() - began };
}

/** Without the handle of the user, which is the platform's own. */
function proofOf(authenticator: SoftwareAuthenticator, options: { nonce: string }): object {
  const proof = authenticator.proof(options);
  const { userHandle: _, ...response } = proof.credential.response;
  return { ...proof, credential: { ...proof.credential, response } };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the platform under test
async function good(url: string, method: string, path: string, token: string, body?: object): Promise<any> {
  const { status, text } = await send(url, method, path, token, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

function send(url: string, method: string, path: string, token: string, body?: object) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string | number> = { authorization: `Bearer ${token}` };
    if (content !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(content);
    }
    const call = request(url + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(content);
  });
}
