import { createServiceKey, generateKeyPair } from '@symbolon/crypto';
import type { Calls } from './calls.ts';
import type { LargeWorld } from './large.ts';

interface Row {
  readonly slug: string;
}
interface Config {
  readonly config_token: string;
  readonly request_fields: readonly (Row & { readonly id: string })[];
}

/** Publishes what `change` makes of the present rows; gives how long the publish took. */
export async function publish(
  calls: Calls,
  world: LargeWorld,
  change: (rows: readonly Row[]) => readonly object[],
): Promise<number> {
  const path = `/api/services/${world.service.id}/request-fields`;
  const token = world.portal;
  const { body } = await calls.must<Config>({ method: 'GET', path, token });
  const { ms } = await calls.must({
    method: 'PUT',
    path,
    token,
    json: {
      config_token: body.config_token,
      request_fields: change(body.request_fields.map(({ id: _, ...row }) => row)),
    },
  });
  return ms;
}

export const row = (slug: string) => ({ slug, label: slug, type: 'text' });

export async function replaceKey(calls: Calls, world: LargeWorld): Promise<number> {
  const { publicKey } = await generateKeyPair();
  const { encryptedPrivateKey } = await createServiceKey();
  const { ms } = await calls.must({
    method: 'PUT',
    path: `/api/services/${world.service.id}/key`,
    token: world.portal,
    json: { public_key: publicKey, encrypted_private_key: encryptedPrivateKey },
  });
  return ms;
}

export async function deleteService(calls: Calls, world: LargeWorld): Promise<number> {
  const { ms } = await calls.must({
    method: 'DELETE',
    path: `/api/services/${world.service.id}?confirm=true`,
    token: world.portal,
  });
  return ms;
}

/** Resolves when nothing is left to do for the large service; at once where the platform leaves nothing to a worker. */
export async function settled(calls: Calls, world: LargeWorld): Promise<void> {
  for (;;) {
    const { status, text } = await calls.send({
      method: 'GET',
      path: `/api/services/${world.service.id}/jobs`,
      token: world.portal,
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
