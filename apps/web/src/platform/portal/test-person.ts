import type { Service } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { actsOf } from '../inner/worker-acts.ts';
import { portalActing } from './inner/api.ts';
import type { TestPersonActs } from './inner/test-person.worker.ts';

export type { ChangedAnswer, TestPerson } from './inner/test-person.worker.ts';

/**
 * A person for tests of a service, who acts beside the page. Nothing is loaded before `make`; `close` forgets the person's key and
 * token, as does the end of the page. Neither the session of the portal nor that of a person in this browser is touched.
 */
export function testPersonAt({ id, company_code, share_code }: Service) {
  let worker: Worker | undefined;
  const beside = actsOf<TestPersonActs>(() => {
    worker = new Worker(new URL('./inner/test-person.worker.ts', import.meta.url), { type: 'module' });
    return worker;
  });
  return {
    /** @throws SymbolonError, for which {@link mailsCodes} and {@link withoutExample} know two reasons */
    make: () => portalActing(beside('make', { id, company_code, share_code })),
    /** Gives an answer that is live another value. @throws SymbolonError */
    change: () => portalActing(beside('change', undefined)),
    /** Ends the connection. @throws SymbolonError */
    end: () => portalActing(beside('end', undefined)),
    close: () => worker?.terminate(),
  };
}

/** Whether the platform registers nobody without a code that it mails. */
export const mailsCodes = (error: unknown): boolean =>
  error instanceof SymbolonError && error.errorKey === 'account.confirmation_required';

/** The question that must be answered, and for which there is no example. */
export function withoutExample(error: unknown): string | undefined {
  const isSo = error instanceof SymbolonError && error.errorKey === 'sdk.no_sample';
  return isSo ? String(error.details.label) : undefined;
}
