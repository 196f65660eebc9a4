import type { ConsentClaim } from '@symbolon/protocol';
import type { Begun, Choices, Request } from '../../platform/consent.ts';
import { type PassFor, passForApp } from '../../platform/plugin-pass.ts';
import { type Asked, type Picked, pickedOf, rowAsked } from '../answers/asked.ts';

/** @param state as the site sent it */
export function askedOf(request: Request, begun: Begun, state: string | null): Asked[] {
  // Who is connected already is asked only for what is pending.
  const rows = begun.connected ? begun.request_fields : (request.connect?.request_fields ?? []);
  const passFor = passForApp(request.app.client_id, state);
  return [
    ...rows.flatMap((row) =>
      request.service ? [rowAsked(row, { company: request.company, service: request.service })] : [],
    ),
    ...request.claims.map((claim) => claimAsked(claim, passFor)),
  ];
}

/** @param passFor none: no plugin answers it */
export function claimAsked(claim: ConsentClaim, passFor?: PassFor): Asked {
  const { name: slug, plugin } = claim;
  return {
    ...(plugin && passFor && { plugin: { slug, snapshot: plugin.snapshot, passFor } }),
    key: `claim ${claim.name}`,
    kind: 'claim',
    id: claim.name,
    type: claim.type,
    label: claim.label,
    required: claim.required,
    verified: claim.verified,
    maxAgeDays: claim.verified_max_age_days,
    readable: claim.delivery === 'plaintext',
    mayLive: false,
    mustLive: false,
    suggest: typeof claim.suggest === 'string' ? claim.suggest : undefined,
    names: [claim.name, claim.label ?? ''],
  };
}

export function withPicked(asked: readonly Asked[], picked: ReadonlyMap<string, Picked>): Choices {
  return {
    claims: pickedOf('claim', asked, picked),
    rows: pickedOf('row', asked, picked),
  };
}
