import { domainToASCII, domainToUnicode } from 'node:url';
import { systemRegistry } from '@symbolon/field-types';

/** Characters of an address (RFC 5321 4.5.3.1). */
const ADDRESS_MOST = 254;
const LOCAL_MOST = 64;
/** Of the domain, each between dots (RFC 1035 2.3.4). */
const LABEL_MOST = 63;

/** The stored form of an e-mail address, or undefined when it is invalid. Every address from outside is checked here. */
export function normalizeEmail(email: string): string | undefined {
  const address = mailboxOf(email);
  // One mailbox: nothing that a mail header or a terminal could read as anything but one address.
  if (address.length > ADDRESS_MOST || UNMAILABLE.test(address)) return undefined;
  if (address === '' || !systemRegistry.validate('email', address).valid) return undefined;
  const [local = '', domain = '', more] = address.split('@');
  if (more !== undefined || local.length > LOCAL_MOST || local.split('.').includes('')) return undefined;
  const labels = domain.split('.');
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '');
  return labels.length > 1 && labels.every(isLabel) && !isNumber ? address : undefined;
}

const UNMAILABLE = /[\s\p{C}<>",;:()[\]\\]/u;

/**
 * One text for one mailbox, however it is spelled: in lower case, the local part in NFC (RFC 6532 3.1) and the domain in
 * ASCII (RFC 5890), as browsers send it. What has no such domain stays as it is, in lower case.
 */
export function mailboxOf(email: string): string {
  const { given, local, domain } = partsOf(email);
  // URLs decode percent signs and end a host at a slash; a domain of mail has neither.
  if (local === '' || UNMAILABLE.test(domain) || /[^a-z0-9.\u0080-\u{10ffff}-]/u.test(domain)) return given;
  const ascii = domainToASCII(domain);
  return ascii === '' ? given : `${local.normalize('NFC')}@${ascii}`;
}

/**
 * How an address may stand in a row: as it was given, in the stored form, and as rows have it from before addresses had
 * one. The first that has a row is meant. All are the same mailbox: limits count by that, and text that is no address must not
 * reach the row of one.
 */
export function spellingsOf(email: string): readonly string[] {
  const { given } = partsOf(email);
  const mailbox = mailboxOf(email);
  const { local, domain } = partsOf(mailbox);
  const inWords = `${local}@${domainToUnicode(domain) || domain}`;
  const older = [inWords, inWords.normalize('NFD'), mailbox.normalize('NFD')];
  return [...new Set([given, mailbox, ...older.filter((spelling) => mailboxOf(spelling) === mailbox)])];
}

function partsOf(email: string): { given: string; local: string; domain: string } {
  const given = email.trim().toLowerCase();
  const at = given.lastIndexOf('@');
  return { given, local: given.slice(0, Math.max(at, 0)), domain: given.slice(at + 1) };
}

const isLabel = (label: string) =>
  label.length <= LABEL_MOST && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label) && !isFalseLabel(label);

/** Begins like a label in punycode, and stands for no word (RFC 5890 2.3.1): no registry has it. */
const isFalseLabel = (label: string) => label.startsWith('xn--') && domainToUnicode(label) === label;
