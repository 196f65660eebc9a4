import { systemRegistry } from '@symbolon/field-types';

/** The stored form of an e-mail address, or undefined when it is none. */
export function normalizeEmail(email: string): string | undefined {
  const trimmed = email.trim();
  // One mailbox: nothing that a mail header could read as more than one address.
  if (trimmed.length > 254 || /[\s<>",;:()[\]\\]/.test(trimmed)) return undefined;
  return systemRegistry.validate('email', trimmed).valid && trimmed !== ''
    ? trimmed.toLowerCase()
    : undefined;
}
