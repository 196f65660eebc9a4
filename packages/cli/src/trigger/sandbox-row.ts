import type { RequestField, RequestFieldInput } from '@symbolon/protocol';
import { ConflictError } from '@symbolon/sdk/portal';
import { Interrupted, Problem } from '../problem.ts';
import type { Portal } from '../profile/enter-portal.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import type { ActOptions } from './acts.ts';
import type { Sandbox } from './sandbox.ts';

/** What everybody connected would be asked for in between. */
const SANDBOX_ROW = {
  slug: 'symbolon_sandbox',
  label: 'Sandbox test, please ignore',
  type: 'text',
} as const satisfies RequestFieldInput;

/**
 * Publishes a row without answers, has the work done, and takes the row out again, whatever happens in between.
 *
 * @throws Problem unless the publishing is allowed: it asks everybody, not the sandbox person alone
 */
export async function withSandboxRow<T>(
  { portal }: Sandbox,
  { slug, allowPublish }: ActOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (slug !== undefined) {
    throw new Problem(`The sandbox person has not been asked for ${slug}, or has answered it.`, {
      exitCode: 2,
    });
  }
  if (!allowPublish) {
    const { connection_count: count } = portal.service;
    throw new Problem(
      `Nothing waits for the sandbox person's consent. --allow-publish adds the request row ${SANDBOX_ROW.slug} for a moment and removes it again; all ${count} connected to ${portal.service.name} are asked for it until then.`,
      { exitCode: 2 },
    );
  }
  // Ctrl-C must not leave the row behind.
  const { signalled, forget } = untilSignal();
  let isInterrupted = false;
  signalled.then(() => {
    isInterrupted = true;
  });
  try {
    // One that a killed run left behind is not asked again: it goes first.
    await changeRows(portal, (rows) => rows.filter(isNotOurs));
    await changeRows(portal, (rows) => [...rows, SANDBOX_ROW]);
    const done = await work().finally(() => changeRows(portal, (rows) => rows.filter(isNotOurs)));
    if (isInterrupted) throw new Interrupted();
    return done;
  } finally {
    forget();
  }
}

/** Publishes the rows changed, on top of whatever stands by then. */
async function changeRows(
  { client, service }: Portal,
  change: (rows: readonly RequestFieldInput[]) => readonly RequestFieldInput[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { request_fields: present, config_token } = await client.requestFields(service.id);
    const rows = present.map(asInput);
    const changed = change(rows);
    if (changed.length === rows.length) return;
    try {
      await client.publishRequestFields(service.id, changed, config_token);
      return;
    } catch (error) {
      const isConflict = error instanceof ConflictError && error.errorKey === 'services.config_conflict';
      if (!isConflict || tries === 5) throw error;
    }
  }
}

function isNotOurs({ slug }: { slug: string }): boolean {
  return slug !== SANDBOX_ROW.slug;
}

/** A row as it is published again: all but its id. */
function asInput({ id: _id, ...row }: RequestField): RequestFieldInput {
  return row;
}
