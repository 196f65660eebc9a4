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

/** The lists are about 60 kB compressed, so that only programs that set a password load them, and only then. */
function loadEstimator(): Promise<Estimator> {
  estimator ??= makeEstimator().catch((cause: unknown) => {
    estimator = undefined;
    const message = 'The list of common passwords could not be loaded. Try again.';
    throw new ConfigurationError({ errorKey: 'sdk.password_rules_missing', message, cause });
  });
  return estimator;
}

/**
 * The passwords, first names and words of English that are used most, and each common password that these would let through. The whole
 * lists of the estimator's packages take 330 kB, and refuse little besides: two words of which one is less usual are at the edge of
 * what is taken.
 */
async function makeEstimator(): Promise<Estimator> {
  const [core, { default: decompress }, lists] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/dictionary-compression/decompress'),
    import('./password-lists.ts'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: {
      passwords: decompress(lists.PASSWORDS),
      missed: decompress(lists.MISSED),
      names: decompress(lists.NAMES),
      words: decompress(lists.WORDS),
    },
    graphs: JSON.parse(lists.GRAPHS),
  });
}

type Estimator = { check: (password: string, userInputs: string[]) => { score: number } };

let estimator: Promise<Estimator> | undefined;
const LEAST = 10;
const MOST = 200;
/** 3 of 4: at least 10^8 guesses, which the derivation makes slow. */
const LEAST_SCORE = 3;
