import { createHash } from 'node:crypto';
import type { SealedFacts } from '../../../pdf/src/page/facts.ts';

export const SEALED_AT = Date.UTC(2026, 10, 22, 12, 30, 45);

/** What a seal says of a contract that two signed. */
export function factsOf(pdf: Uint8Array, changes: Partial<SealedFacts> = {}): SealedFacts {
  return {
    documentName: 'Rental contract 12',
    sha256: createHash('sha256').update(pdf).digest('hex'),
    sentBy: 'Acme GmbH',
    sentAt: SEALED_AT - 86_400_000,
    sealedAt: SEALED_AT,
    acts: [
      {
        action: 'signed',
        name: 'Ada Lovelace',
        nameVerified: true,
        method: 'biometric',
        at: SEALED_AT - 60_000,
        viewedAt: SEALED_AT - 3_600_000,
        contentSha256: 'ab'.repeat(32),
      },
      {
        action: 'accepted',
        name: 'Charles Babbage',
        nameVerified: false,
        method: 'email',
        at: SEALED_AT,
        onBehalfOf: 'Acme GmbH',
      },
    ],
    ...changes,
  };
}
