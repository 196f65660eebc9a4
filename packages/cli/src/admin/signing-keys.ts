import type { SigningKeyView } from '@symbolon/protocol';
import { line, type Options, show, showList } from './acts.ts';
import { findOperator, operate } from './operator.ts';

interface Answer {
  signing_keys: SigningKeyView[];
}

const linesOf = ({ signing_keys: keys }: Answer) =>
  keys.map((key) =>
    line(
      [key.kid, 43],
      [key.algorithm, 6],
      [`signs from ${key.signs_from}`, 36],
      [key.published_until === null ? 'the newest' : `published until ${key.published_until}`, 42],
    ),
  );

export async function listSigningKeys(options: Options): Promise<void> {
  const answer = await operate<Answer>(findOperator(options), 'GET', '/signing-keys');
  await showList(options, answer.signing_keys, () =>
    answer.signing_keys.length === 0 ? ['There are no keys yet: no sign-in app needs one.'] : linesOf(answer),
  );
}

export async function rotateSigningKeys(options: Options & { compromised?: boolean }): Promise<void> {
  const compromised = options.compromised === true;
  const answer = await operate<Answer>(findOperator(options), 'POST', '/signing-keys/rotate', {
    compromised,
  });
  await show(options, answer, (paint) => [
    ...linesOf(answer),
    paint.dim(
      compromised
        ? 'The new keys sign from now on. Tokens under the older ones are refused.'
        : 'The new keys sign in an hour; until then clients come to know them.',
    ),
  ]);
}
