import { createServiceKey, generateKeyPair } from '@symbolon/crypto';
import type { RequestFieldInput } from '@symbolon/protocol';
import { publish as publishRows } from '@symbolon/testkit/actors/actors';
import type { Calls } from './calls.ts';
import type { LargeWorld } from './large.ts';

/** Publishes rows over those that stand; gives how long the publish took. */
export async function publish(
  calls: Calls,
  { service }: LargeWorld,
  rows: readonly RequestFieldInput[],
): Promise<number> {
  await publishRows(calls, service.company, service.id, rows);
  return calls.ms;
}

export async function replaceKey(calls: Calls, { service }: LargeWorld): Promise<number> {
  const { publicKey } = await generateKeyPair();
  const { encryptedPrivateKey } = await createServiceKey();
  return calls.time('PUT', `/api/services/${service.id}/key`, {
    token: service.company.token,
    body: { public_key: publicKey, encrypted_private_key: encryptedPrivateKey },
  });
}

export function deleteService(calls: Calls, { service }: LargeWorld): Promise<number> {
  return calls.time('DELETE', `/api/services/${service.id}?confirm=true`, { token: service.company.token });
}

/** Resolves when nothing is left to do for the large service; at once where the platform leaves nothing to a worker. */
export async function settled(calls: Calls, world: LargeWorld): Promise<void> {
  for (;;) {
    const { status, text } = await calls.send({
      method: 'GET',
      path: `/api/services/${world.service.id}/jobs`,
      token: world.service.company.token,
    });
    if (status === 404) return;
    if (status === 200) {
      const { jobs } = JSON.parse(text) as { jobs: { state: string }[] };
      if (jobs.every(({ state }) => state === 'done')) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** An act with what it leaves to a worker. */
export async function actAndSettle(
  calls: Calls,
  world: LargeWorld,
  act: () => Promise<number>,
): Promise<{ ms: number; doneMs: number }> {
  const from = performance.now();
  const ms = await act();
  await settled(calls, world);
  return { ms, doneMs: performance.now() - from };
}
