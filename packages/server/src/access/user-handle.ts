/** An account that can prove presence: a person, or a login of a company's portal. */
export type AccountRef =
  | { readonly kind: 'person'; readonly personId: string }
  | { readonly kind: 'portal'; readonly companyId: string; readonly loginId: string };

/*
 * The user handle of a passkey names its account to the platform, when no address was typed: which kind it is, then the
 * ids as bytes. An authenticator shows it to the platform alone.
 */
const PERSON = 1;
const PORTAL = 2;
const ID_BYTES = 16;

export function userHandle(ref: AccountRef): string {
  const [kind, ids] =
    ref.kind === 'person' ? [PERSON, [ref.personId]] : [PORTAL, [ref.companyId, ref.loginId]];
  const bytes = ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
  return Buffer.concat([Buffer.from([kind]), ...bytes]).toString('base64url');
}

/** The account of a user handle; undefined for an invalid one. It proves nothing. */
export function accountOfHandle(handle: string | null | undefined): AccountRef | undefined {
  if (handle === undefined || handle === null) return undefined;
  const bytes = Buffer.from(handle, 'base64url');
  const id = (at: number) => {
    const hex = bytes.toString('hex', 1 + at * ID_BYTES, 1 + (at + 1) * ID_BYTES);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  if (bytes[0] === PERSON && bytes.length === 1 + ID_BYTES) return { kind: 'person', personId: id(0) };
  if (bytes[0] === PORTAL && bytes.length === 1 + 2 * ID_BYTES)
    return { kind: 'portal', companyId: id(0), loginId: id(1) };
  return undefined;
}
