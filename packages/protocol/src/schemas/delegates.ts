import { type Static, Type } from 'typebox';
import { Exact, Id, Nullable, Time } from './common.ts';
import { PortalRole } from './portal.ts';

/** A person who signs in to a company's portal or is invited to it. */
export const Delegate = Type.Object({
  id: Id,
  email: Type.String(),
  name: Nullable(Type.String({ description: 'null until the invitation is accepted' })),
  role: PortalRole,
  status: Type.Union([Type.Literal('active'), Type.Literal('invited')]),
  company_login: Type.Boolean({ description: "is it the company's own login, of its registration" }),
  two_factor: Type.Boolean(),
  created_at: Time,
  invitation_expires_at: Nullable(Time),
});
export type Delegate = Static<typeof Delegate>;
export const DelegateList = Type.Object({ items: Type.Array(Delegate) });

export const InviteDelegateRequest = Exact({ email: Type.String({ maxLength: 254 }), role: PortalRole });
export type InviteDelegateRequest = Static<typeof InviteDelegateRequest>;
export const DelegateRoleRequest = Exact({ role: PortalRole });
export type DelegateRoleRequest = Static<typeof DelegateRoleRequest>;

export const InvitationRequest = Exact({ token: Type.String({ maxLength: 200 }) });
export type InvitationRequest = Static<typeof InvitationRequest>;
/** An invitation, as its recipient sees it. */
export const Invitation = Type.Object({
  company_name: Type.String(),
  email: Type.String(),
  role: PortalRole,
  expires_at: Time,
});
export type Invitation = Static<typeof Invitation>;
