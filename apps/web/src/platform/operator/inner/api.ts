import { AuthenticationError, type Call, jsonOf, Transport } from '@symbolon/sdk/device';

/** Some acts look through all rows. What is refused for a time is not tried again by itself: whoever operates wants to know it now. */
const transport = new Transport({ timeoutMs: 120_000, retry: { attempts: 0 } });

let token: string | undefined;
let refused: () => void = () => undefined;
let acted: () => void = () => undefined;

export function setOperatorToken(given: string | undefined): void {
  token = given;
}

/** Calls back when the platform does not take the token any more. */
export function whenOperatorRefused(callback: () => void): void {
  refused = callback;
}

/** Calls back when a call has changed something, or may have. */
export function whenOperatorActed(callback: () => void): void {
  acted = callback;
}

/** Whether it says that the token is not the operator's. */
export const isRefused = (error: unknown): boolean =>
  error instanceof AuthenticationError && error.errorKey === 'auth.invalid';

/** Calls one of the operator's routes. @param path below their address @throws SymbolonError */
export async function operatorCall<T>(method: Call['method'], path: string, json?: unknown): Promise<T> {
  const call: Call = { method, path: `/api/admin${path}`, ...(json !== undefined && { json }) };
  try {
    const answer = await transport.send('', call, token);
    if (method !== 'GET') acted();
    return jsonOf(answer) as T;
  } catch (error) {
    if (isRefused(error)) refused();
    throw error;
  }
}
