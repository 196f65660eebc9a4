import type { CustomerFlowRun, FlowRun, KeyBatch, ServicePublicKey } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import type { ConfirmedKeys, NamedKey, Owned } from '../known-keys/confirmed-keys.ts';

/** What runs need of the known keys. */
export type RunKeys = Pick<ConfirmedKeys, 'assertConfirmed' | 'assertKnown' | 'assertOwners'>;

/** The parties of a run beside the customer: they get what the customer answers. */
export const customerParties = (run: CustomerFlowRun, ownId: string): Owned => ({
  kind: 'run',
  id: run.id,
  owners: [
    { kind: 'service', id: run.service_id },
    ...Object.values(run.bindings)
      .filter((id) => id !== ownId && id !== run.company_user_id)
      .map((id) => ({ kind: 'person' as const, id })),
  ],
});

/**
 * Everybody who gets what is answered: those who are bound to the parties that the flow shows.
 * @throws UnconfirmedKeyError `sdk.owner_changed` when somebody is bound to none of them
 */
export function boundUsers({ bindings, definition }: Pick<FlowRun, 'bindings' | 'definition'>): string[] {
  const shown = new Set(definition.parties.map(({ key }) => key));
  const added = Object.entries(bindings).flatMap(([party, id]) => (shown.has(party) ? [] : [`person ${id}`]));
  if (added.length > 0)
    throw new UnconfirmedKeyError({
      errorKey: 'sdk.owner_changed',
      message: 'Nothing was sealed: the platform binds somebody to a party that the flow does not have.',
      details: { added },
    });
  return [...new Set(Object.values(bindings))];
}

/**
 * The keys to which a customer's answers are sealed: that of the service must be known. Those of other parties are remembered at their first use, as
 * far as they were parties when the run was first opened.
 *
 * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.person_key_changed`, `sdk.owner_changed`; NotFoundError `keys.not_found` of a party that
 *   was deleted
 */
export async function customerKeys(
  {
    api,
    confirmed,
    own,
  }: {
    api: Pick<Api, 'json'>;
    confirmed: RunKeys;
    own: { id: string; publicKey: string };
  },
  run: CustomerFlowRun,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  await confirmed.assertOwners([customerParties(run, own.id)]);
  const users = boundUsers(run);
  const others = users.filter((id) => id !== own.id && id !== run.company_user_id);
  const keys = new Map<string, string>();
  const named: NamedKey[] = [];
  if (others.length > 0) {
    const call = { method: 'POST', path: '/api/keys/batch', json: { user_ids: others } } as const;
    const { keys: found } = await api.json<KeyBatch>({ ...call, idempotent: true, signal });
    for (const id of others) {
      const publicKey = new Map(Object.entries(found)).get(id);
      if (publicKey === undefined)
        throw new NotFoundError({
          errorKey: 'keys.not_found',
          message: 'A party of this run has no key any more.',
          details: { user_id: id },
        });
      named.push({ kind: 'person', id, publicKey });
      keys.set(id, publicKey);
    }
  }
  if (users.includes(run.company_user_id)) {
    const address = path`/api/keys/${run.company.share_code}/${run.service.share_code}`;
    const { public_key: publicKey } = await api.json<ServicePublicKey>({
      method: 'GET',
      path: address,
      signal,
    });
    named.push({ kind: 'service', id: run.service_id, publicKey });
    keys.set(run.company_user_id, publicKey);
  }
  for (const key of named)
    await (key.kind === 'service' ? confirmed.assertKnown(key) : confirmed.assertConfirmed(key));
  if (users.includes(own.id)) keys.set(own.id, own.publicKey);
  return keys;
}
