import type { DataClient } from '@symbolon/sdk';
import { Interrupted } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import { openClient } from './open-client.ts';

type Shared = { config?: string; json?: boolean };

/** Raises a challenge, prints it, and waits for its outcome when asked to. */
export async function askPerson(
  shareCode: string,
  options: Shared & { context?: string; idempotencyKey?: string; wait?: boolean },
): Promise<void> {
  await using client = openClient(options.config);
  const { context, idempotencyKey } = options;
  const asked = await client.twoFactor.challenge(shareCode, { context, idempotencyKey });
  const { id, expiresAt, matchingDigits } = asked;
  const paint = createPaint(process.stdout);
  const digits = matchingDigits === undefined ? '' : `  digits ${paint.bold(printable(matchingDigits))}`;
  await writeLine(
    options.json
      ? jsonLine({ status: 'pending', ...asked })
      : `${paint.name(printable(id))}  pending until ${printable(expiresAt)}${digits}`,
  );
  if (options.wait) await tellOutcome(client, id, options);
}

/** Waits for the outcome of a challenge. */
export async function watchChallenge(id: string, options: Shared & { seconds: number }): Promise<void> {
  await using client = openClient(options.config);
  await tellOutcome(client, id, options);
}

async function tellOutcome(
  client: DataClient,
  id: string,
  { json, seconds }: Shared & { seconds?: number },
): Promise<void> {
  const { signalled, forget } = untilSignal();
  const stop = new AbortController();
  void signalled.then(() => stop.abort(new Interrupted()));
  try {
    const budgetMs = seconds === undefined ? undefined : seconds * 1000;
    const result = await client.twoFactor.waitForResult(id, { budgetMs, signal: stop.signal });
    const { good, bad } = createPaint(process.stdout);
    const isApproved = result.status === 'approved';
    await writeLine(json ? jsonLine({ id, ...result }) : (isApproved ? good : bad)(result.status));
    if (!isApproved) process.exitCode = 1;
  } finally {
    forget();
  }
}
