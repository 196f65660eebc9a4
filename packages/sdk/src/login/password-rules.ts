/// <reference path="./word-lists.d.ts" />
import { ConfigurationError, InvalidRequestError } from '../http/errors.ts';

/**
 * Refuses a password that is short or easy to guess, before anything is derived from it or sent. The platform never sees the
 * password, so this is the only place where it can be checked.
 *
 * @param about texts that make a bad password for this account, such as its e-mail address
 * @throws InvalidRequestError `sdk.password_weak` with `details.reason`: `too_short`, `too_long` or `easy_to_guess`
 */
export async function checkPassword(password: string, about: readonly string[]): Promise<void> {
  const length = Array.from(password).length;
  if (length < LEAST) throw weak('too_short', `A password has at least ${LEAST} characters.`);
  if (length > MOST) throw weak('too_long', `A password has at most ${MOST} characters.`);
  const estimator = await loadEstimator();
  const words = about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter((text) => text.length > 2);
  if (estimator.check(password, words).score < LEAST_SCORE) {
    throw weak('easy_to_guess', 'This password is easy to guess. Choose a longer or less usual one.');
  }
}

function weak(reason: string, message: string): InvalidRequestError {
  return new InvalidRequestError({ errorKey: 'sdk.password_weak', message, details: { reason } });
}

/** The lists are about 330 kB compressed, so that only programs that set a password load them, and only then. */
function loadEstimator(): Promise<Estimator> {
  estimator ??= makeEstimator().catch((cause: unknown) => {
    estimator = undefined;
    const message = 'The list of common passwords could not be loaded. Try again.';
    throw new ConfigurationError({ errorKey: 'sdk.password_rules_missing', message, cause });
  });
  return estimator;
}

/**
 * Common passwords, and the first names and words of English that are used most. The package's lists of 89,000 last names and of
 * 56,000 words of films would be 450 kB more, and refuse little besides: a last name is mostly a common password, and two words that
 * are less usual are at the edge of what is taken.
 */
async function makeEstimator(): Promise<Estimator> {
  const [core, common, names, words] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en/dist/firstnames.json.mjs'),
    import('@zxcvbn-ts/language-en/dist/wikipedia.json.mjs'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, 'firstnames-en': names.default, 'wikipedia-en': words.default },
    graphs: common.adjacencyGraphs,
  });
}

type Estimator = { check: (password: string, userInputs: string[]) => { score: number } };

let estimator: Promise<Estimator> | undefined;
const LEAST = 10;
const MOST = 200;
/** 3 of 4: at least 10^8 guesses, which the derivation makes slow. */
const LEAST_SCORE = 3;
