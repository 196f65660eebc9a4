/** One text for one mailbox, as the platform stores it: in lower case, the domain in ASCII, as browsers send it (RFC 5890). */
export function mailboxOf(typed: string): string {
  const address = typed.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  // URLs decode percent signs and end a host at a slash, a port or a question; a domain of mail has none of them.
  if (at < 1 || /[^a-z0-9.\u0080-\u{10ffff}-]/u.test(domain)) return address;
  const url = `https://${domain}`;
  return URL.canParse(url) ? `${local.normalize('NFC')}@${new URL(url).hostname}` : address;
}
