import {
  type Answer,
  AuthenticationError,
  type Call,
  SymbolonError,
  type Transport,
} from '@symbolon/sdk/device';

/** The cookie is that of another session than this page's. Nothing was done, and nothing read. */
export const isForeign = (error: unknown): boolean =>
  error instanceof SymbolonError && error.errorKey === 'auth.anti_forgery';

/** The session itself is over; a wrong password is answered otherwise. */
const ENDED: ReadonlySet<string> = new Set(['auth.invalid', 'auth.expired']);
const isEnded = (error: unknown) => error instanceof AuthenticationError && ENDED.has(error.errorKey);

/** The sessions that a page has, one after the other, and whether what a call finds ends the present one. */
export class PageSessions {
  /**
   * What proves that a call comes from this page and not from another site, and whose page it is. It is no secret of the account.
   */
  #token: string | undefined;
  #begun = 0;
  #replacing = 0;
  #ended: () => void = () => undefined;

  get token(): string | undefined {
    return this.#token;
  }

  /** @param token of the session that the page has from now on; undefined without an account */
  become(token: string | undefined): void {
    if (token !== this.#token) this.#begun++;
    this.#token = token;
  }

  /** Calls back when a call finds that the session has ended. */
  whenEnded(callback: () => void): void {
    this.#ended = callback;
  }

  /** Before a call is sent. Tells later what it found: a refusal of a session before this one ends nothing. */
  watch(): (error: unknown) => void {
    const before = this.#begun;
    return (error) => {
      if (isEnded(error) && this.#replacing === 0 && this.#begun === before) this.#ended();
    };
  }

  /**
   * A call that is answered with another session. Until its answer has come, other calls carry the cookie of the former one:
   * that these are refused does not mean that the account is signed out.
   */
  async replacing<T>(work: () => Promise<T>): Promise<T> {
    this.#replacing++;
    try {
      return await work();
    } catch (error) {
      if (isEnded(error)) this.#ended();
      throw error;
    } finally {
      this.#replacing--;
      this.#begun++;
    }
  }
}

/** Whose calls these are. */
interface Own {
  /** What proves it, as it is now; undefined while no account is signed in. */
  readonly token: () => string | undefined;
  /** Asks who is signed in. Whoever it is may be another one by now: that call is sent without the proof. */
  readonly sessionPath: string;
  /** Whether it is still the same account, which may have another session. */
  readonly isStillIn: () => Promise<boolean>;
}

/** Sends a call as one of this page's account: once more where only its session is another one. @throws SymbolonError */
export async function sendAsOwn(sent: Call, by: Pick<Transport, 'send'>, own: Own): Promise<Answer> {
  const proven = (): Call => {
    const token = own.token();
    if (token === undefined || sent.path === own.sessionPath) return sent;
    return { ...sent, headers: { ...sent.headers, 'x-csrf-token': token } };
  };
  try {
    return await by.send('', proven());
  } catch (error) {
    if (!isForeign(error) || !(await own.isStillIn())) throw error;
    return by.send('', proven());
  }
}
