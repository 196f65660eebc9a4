import { systemRegistry } from '@symbolon/field-types';

/** Characters of an address (RFC 5321 4.5.3.1). */
const ADDRESS_MOST = 254;
const LOCAL_MOST = 64;
/** Of the domain, each between dots (RFC 1035 2.3.4). */
const LABEL_MOST = 63;

/** The stored form of an e-mail address, or undefined when it is invalid. Every address from outside is checked here. */
export function normalizeEmail(email: string): string | undefined {
  const address = email.trim().toLowerCase();
  // One mailbox: nothing that a mail header or a terminal could read as anything but one address.
  if (address.length > ADDRESS_MOST || /[\s\p{C}<>",;:()[\]\\]/u.test(address)) return undefined;
  if (address === '' || !systemRegistry.validate('email', address).valid) return undefined;
  const [local = '', domain = '', more] = address.split('@');
  if (more !== undefined || local.length > LOCAL_MOST || local.split('.').includes('')) return undefined;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(isLabel) ? address : undefined;
}

const isLabel = (label: string) =>
  label !== '' && label.length <= LABEL_MOST && !label.startsWith('-') && !label.endsWith('-');
