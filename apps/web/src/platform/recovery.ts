import { openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import type { Person, RecoveryState } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { isAway } from './away.ts';
import { onDevice } from './device.ts';
import { call } from './inner/api.ts';
import { keys, type Query } from './queries.ts';
import { byRecoveryCode } from './recovered.ts';
import type { Made } from './registration.ts';

const RECOVERY = '/api/person/recovery-code';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Papers get lost when they are put away: the code is asked for once more when that is done. */
const WEEK_MS = 7 * DAY_MS;
const YEAR_MS = 365 * DAY_MS;

export const recoveryState: Query<RecoveryState> = { key: keys.recovery, read: () => call('GET', RECOVERY) };

/** Whether the person should look for the recovery code: a week after it was made, and once a year. */
export function isRecoveryDue({ made_at, confirmed_at }: RecoveryState, now: number): boolean {
  const again = Date.parse(made_at) + WEEK_MS;
  const confirmed = confirmed_at === null ? Number.NEGATIVE_INFINITY : Date.parse(confirmed_at);
  return now >= again && (confirmed < again || confirmed + YEAR_MS <= now);
}

/**
 * Proves that the person has the recovery code: the key under it opens what was sealed to the person just now. The platform
 * notes the day.
 *
 * @param code in any spelling
 * @throws SymbolonError `crypto.key_invalid`, `account.recovery_invalid`, `page.recovery_broken`
 */
export async function confirmRecoveryCode({ email, public_key }: Person, code: string): Promise<void> {
  const { proof, wrapped, wrapKey } = await byRecoveryCode(call, '/api/person/recover/key', { email, code });
  const { key } = await onDevice('open', { wrapped, wrapKey });
  const sample = crypto.randomUUID();
  const sealed = serializeWrapper(await sealValue(sample, public_key));
  if ((await openText(sealed, key).catch(() => '')) !== sample)
    throw new SymbolonError({ errorKey: 'page.recovery_broken', message: 'The code opens another key.' });
  await call('POST', `${RECOVERY}/confirm`, { recovery_secret: proof.recovery_secret });
}

/** Lets a person in who has a new recovery code and typed it back. */
export async function enterWith({ person, finish }: Made, typed: string): Promise<void> {
  await finish();
  try {
    await confirmRecoveryCode(person, typed);
  } catch (error) {
    // The code is right: it is asked for again in a week.
    if (!isAway(error)) throw error;
  }
}

/** Letters and digits as the code has them, whatever was typed between and in which case. */
const plain = (text: string) =>
  text
    .replace(/[^0-9a-z]/giu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

/** The first group of four that is not as in the code, counted from 1; undefined when all of them are. */
export function wrongGroup(code: string, typed: string): number | undefined {
  const [right, given] = [plain(code), plain(typed)];
  for (let group = 0; group * 4 < Math.max(right.length, given.length); group++) {
    const [from, to] = [group * 4, group * 4 + 4];
    if (right.slice(from, to) !== given.slice(from, to)) return group + 1;
  }
  return undefined;
}
