import type { ServiceCustomer } from '@symbolon/protocol';
import { useState } from 'react';
import { sendDocument } from '../../../platform/portal/copies.ts';

type Sent = Omit<Parameters<typeof sendDocument>[0], 'to'>;
interface Failure {
  readonly customer: ServiceCustomer;
  readonly error: unknown;
}

/** Copies that are sent, one after the other. */
export interface Sending {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly Failure[];
  readonly isUnderWay: boolean;
}

/** Sends one document to many. A copy that fails holds up no other; those are sent again alone. */
export function useSending() {
  const [sending, setSending] = useState<Sending>();
  const send = async (copy: Sent, customers: readonly ServiceCustomer[], before = 0) => {
    const total = before + customers.length;
    let done = before;
    let failed: readonly Failure[] = [];
    const show = (isUnderWay: boolean) => setSending({ total, done, failed, isUnderWay });
    show(true);
    for (const customer of customers) {
      try {
        await sendDocument({
          ...copy,
          to: { connectionId: customer.connection_id, userId: customer.user_id },
        });
        done++;
      } catch (error) {
        failed = [...failed, { customer, error }];
      }
      show(true);
    }
    show(false);
  };
  return { sending, send };
}
