import type { FlowRun } from '@symbolon/protocol';
import type { PeopleKeys } from '../data/people-keys.ts';
import type { Owned } from '../known-keys/confirmed-keys.ts';
import { boundUsers } from './customer-keys.ts';
import type { FlowSide } from './flow-side.ts';

/** The side of the company that asks: its backend, or its staff in a browser. */
type CompanyParts = Pick<
  FlowSide<FlowRun>,
  'address' | 'api' | 'fieldTypes' | 'open' | 'picture' | 'transport'
> & {
  people: Pick<PeopleKeys, 'confirmed' | 'keys'>;
  /** The public half of the key that opens. @throws when there is none */
  ownKey: () => string;
};

export function companySide({ people, ownKey, ...parts }: CompanyParts): FlowSide<FlowRun> {
  return {
    ...parts,
    fileAddress: (file) =>
      'slug' in file
        ? `/slots/${encodeURIComponent(file.slug)}/file`
        : `/source-files/${encodeURIComponent(file.source)}`,
    viewer: (run) => run.company_user_id,
    parties: companyParties,
    confirmed: people.confirmed,
    keys: async (run, signal) => {
      await people.confirmed.assertOwners([companyParties(run)]);
      return companyKeys(boundUsers(run), { companyId: run.company_user_id, people, ownKey, signal });
    },
  };
}

/** The parties of a run beside the company: they get what it answers. */
export const companyParties = (run: Pick<FlowRun, 'id' | 'bindings' | 'company_user_id'>): Owned => ({
  kind: 'run',
  id: run.id,
  owners: Object.values(run.bindings)
    .filter((id) => id !== run.company_user_id)
    .map((id) => ({ kind: 'person', id })),
});

/** The keys to which the company seals what it gives to a run. @throws UnconfirmedKeyError `sdk.person_key_changed`; what `ownKey` throws */
export async function companyKeys(
  users: readonly string[],
  {
    companyId,
    people,
    ownKey,
    signal,
  }: Pick<CompanyParts, 'ownKey'> & {
    companyId: string;
    people: Pick<PeopleKeys, 'keys'>;
    signal: AbortSignal | undefined;
  },
): Promise<Map<string, string>> {
  const others = users.filter((user) => user !== companyId);
  const keys = others.length === 0 ? new Map<string, string>() : await people.keys(others, signal);
  return others.length === users.length ? keys : keys.set(companyId, ownKey());
}
