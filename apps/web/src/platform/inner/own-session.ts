import { type Answer, type Call, SymbolonError, type Transport } from '@symbolon/sdk/device';

/** The cookie is that of another session than this page's. Nothing was done, and nothing read. */
export const isForeign = (error: unknown): boolean =>
  error instanceof SymbolonError && error.errorKey === 'auth.anti_forgery';

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
