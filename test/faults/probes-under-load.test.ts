/** Probes of a process that has more to do than it can. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { freePort } from '@symbolon/testkit/platform/address';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { isAtLength } from '@symbolon/testkit/thoroughness';

/** Callers who sign in: fewer than a process lets wait, and many more than it hashes for at a time. */
const SIGN_INS = 20;
/** Callers whose bodies take long to read. */
const BODIES = 4;
const BODY = JSON.stringify({ file: '\\"'.repeat(250_000) });
const PROBES = 30;

const skip = !isAtLength && 'with --all';

test('a process that is loaded with its dearest calls answers probes before the calls that wait', {
  skip,
}, async () => {
  await using place = await openPlace('sqlite');
  const management = `127.0.0.1:${await freePort()}`;
  const environment = { ...place.environment, SYMBOLON_MANAGEMENT_ADDRESS: management };
  await using platform = await PlatformProcess.create(environment);
  await platform.start();
  const probes = new PlatformAt(`http://${management}`);
  // Each its own: an account of which many try at once is shut for a while.
  const companies = await Promise.all(Array.from({ length: SIGN_INS }, () => registerCompany(platform)));
  let answered = 0;
  let goesOn = true;
  /** @returns how many calls of the load were answered while this one waited */
  const overtaken = async (call: () => Promise<{ status: number; text: string }>, status: number) => {
    const before = answered;
    const answer = await call();
    assert.equal(answer.status, status, answer.text);
    return answered - before;
  };
  const signIn = ({ email, loginSecret }: TestCompany) =>
    platform.call('POST', '/api/portal/sign-in', { body: { email, login_secret: loginSecret } });
  const headers = { 'content-type': 'application/json' };
  const post = () => platform.call('POST', '/api/portal/sign-in', { headers, body: BODY });
  const control: number[] = [];
  const load = [
    ...companies.map((company) => async () => {
      control.push(await overtaken(() => signIn(company), 200));
    }),
    ...Array.from({ length: BODIES }, () => async () => void (await overtaken(post, 400))),
  ].map(async (call) => {
    while (goesOn) {
      await call().catch((error: unknown) => {
        goesOn = false;
        throw error;
      });
      answered++;
    }
  });
  for (const calls of load) calls.catch(() => {});
  const waited: Record<'/livez' | '/readyz', number[]> = { '/livez': [], '/readyz': [] };
  try {
    for (let probe = 0; probe < PROBES; probe++)
      for (const path of ['/livez', '/readyz'] as const)
        waited[path].push(await overtaken(() => probes.call('GET', path), 200));
    // Until the control is known, too.
    while (goesOn && control.length < PROBES + SIGN_INS) await probes.call('GET', '/livez');
  } finally {
    goesOn = false;
  }
  await Promise.all(load);
  const usual = median(control.slice(SIGN_INS));
  for (const [path, counts] of Object.entries(waited))
    assert.ok(median(counts) < usual / 2, `${path}: ${counts} against ${usual} for a sign-in`);
});

const median = (counts: readonly number[]): number =>
  counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? Number.NaN;
