/** What a person may read together in one call: the rest of each address after `/api/person/`. */
export const personReads = [
  'connect-requests',
  'connections',
  'consents',
  'devices',
  'documents',
  'flow-runs',
  'messages',
  'passkeys',
  'recovery-code',
  'totp',
  'two-factor/challenges',
] as const;
export type PersonRead = (typeof personReads)[number];
