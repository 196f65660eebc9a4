import { type Static, Type } from 'typebox';
import { type Capability as CapabilityName, capabilities } from '../access.ts';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Nullable, Time } from './common.ts';

const Capability = Type.Unsafe<CapabilityName>(
  Type.Union(
    capabilities.map((name) => Type.Literal(name)),
    { description: 'capability group' },
  ),
);
const Capabilities = Type.Array(Capability, { maxItems: 50 });

/** Wire 2.1. Without capabilities a client has the baseline. */
export const CreateAccountClientRequest = Exact({
  name: DisplayName,
  capabilities: Type.Optional(Capabilities),
  purpose: Type.Optional(
    Nullable(Type.String({ pattern: limits.purpose, description: 'set now or never; one of its kind' })),
  ),
});
export type CreateAccountClientRequest = Static<typeof CreateAccountClientRequest>;

export const AccountClient = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  purpose: Nullable(Type.String()),
  capabilities: Capabilities,
  created_at: Time,
});
export type AccountClient = Static<typeof AccountClient>;
export const AccountClientList = Type.Object({ clients: Type.Array(AccountClient) });

export const AccountClientWithSecret = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String({ description: 'shown this once' }),
  name: Type.String(),
  purpose: Nullable(Type.String()),
  capabilities: Capabilities,
  grant_types: Type.Array(Type.String()),
});
export type AccountClientWithSecret = Static<typeof AccountClientWithSecret>;

export const ClientKind = Type.Union([
  Type.Literal('data_client'),
  Type.Literal('account_client'),
  Type.Literal('oauth_app'),
]);
export type ClientKind = Static<typeof ClientKind>;
/** Wire 4.7. */
export const ClientUse = Type.Object({
  client_id: Type.String(),
  kind: ClientKind,
  last_used_at: Type.Union([Time, Type.Null()], {
    description: 'when it last obtained a token, to the hour; null: not yet',
  }),
});
export type ClientUse = Static<typeof ClientUse>;
export const ClientUseList = Type.Object({ items: Type.Array(ClientUse) });

export const CapabilitiesRequest = Exact({ capabilities: Capabilities });
export const GrantedCapabilities = Type.Object({ client_id: Type.String(), capabilities: Capabilities });
export type GrantedCapabilities = Static<typeof GrantedCapabilities>;
