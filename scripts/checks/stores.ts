import { type Import, serverImports } from './imports.ts';

/** A feature that runs queries of another one, and why that is right. */
export interface SharedStore {
  /** `<domain>/<feature>` whose files import from the other's store. */
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The features that import from the store of another one. */
const sharedStores: readonly SharedStore[] = [
  {
    from: 'companies/delegates',
    to: 'companies/portal',
    reason: 'a delegate is a login of the portal, or an invitation that becomes one',
  },
  {
    from: 'plugins/plugin-specs',
    to: 'plugins/registry',
    reason:
      'what others ask of plugins is read from the rows that the registry writes; it has no table of its own',
  },
  {
    from: 'sharing/company-connections',
    to: 'sharing/connections',
    reason: 'the connections of a company are rows of the same tables, and have none of their own',
  },
  {
    from: 'agreements/run-copies',
    to: 'agreements/documents',
    reason: 'the copy of a run for one party is a document',
  },
  {
    from: 'agreements/acts',
    to: 'agreements/documents',
    reason: 'an act changes the document in the transaction that locks it',
  },
  {
    from: 'agreements/acts',
    to: 'agreements/run-copies',
    reason: 'an act on the copy of a run changes it in the same transaction',
  },
  {
    from: 'agreements/cancellations',
    to: 'agreements/documents',
    reason: 'a cancellation changes the document in the transaction that locks it',
  },
  {
    from: 'conversation/messages',
    to: 'conversation/broadcasts',
    reason: 'a thread lists both, and both are marked as read in one transaction',
  },
  {
    from: 'flows/generation',
    to: 'flows/runs',
    reason: 'the documents of a run are made from its steps and copies',
  },
  {
    from: 'regions/moves',
    to: 'regions/people',
    reason:
      'a move registers the slots of a company at the homes of people, or drops them, in its own transactions',
  },
  {
    from: 'regions/companies',
    to: 'regions/people',
    reason: 'the replica of a company goes with the rows about its slots, in one transaction',
  },
];

/**
 * Checks that no feature of the server runs queries of another feature of its domain, but for those in the list, and those
 * that the door of the domain hands to other domains as well. Types of rows may be imported.
 * @param files paths relative to `root`
 * @returns one line for every other import, and for every line of the list that nothing needs
 */
export function stores(root: string, files: readonly string[]): string[] {
  return storeProblems(serverImports(root, files), sharedStores);
}

export function storeProblems(imports: readonly Import[], shared: readonly SharedStore[]): string[] {
  const isShared =
    ({ from, to }: { from: string; to: string }) =>
    (line: SharedStore) =>
      line.from === from && line.to === to;
  const atDoors = new Map<string, Set<string>>();
  for (const { from, to, values } of imports) {
    if (!/^domains\/[^/]+\/index\.ts$/.test(from)) continue;
    atDoors.set(to, new Set([...(atDoors.get(to) ?? []), ...values]));
  }
  const crossing = imports.flatMap(({ from, to, values }) => {
    const [here, there] = [featureOf(from), featureOf(to)];
    const inner = values.filter((name) => atDoors.get(to)?.has(name) !== true);
    const isCrossing = /(?:^|[/-])store\.ts$/.test(to) && here !== there && inner.length > 0;
    if (here === undefined || there === undefined || !isCrossing) return [];
    return [{ file: from, from: here, to: there, names: inner }];
  });
  return [
    ...crossing
      .filter((pair) => !shared.some(isShared(pair)))
      .map(
        ({ file, to, names }) =>
          `packages/server/src/${file} runs queries of ${to} (${names.join(', ')}): call its rules, or say in scripts/checks/stores.ts why not`,
      ),
    ...shared
      .filter((line) => !crossing.some((pair) => isShared(pair)(line)))
      .map(({ from, to }) => `scripts/checks/stores.ts: ${from} runs no query of ${to}; delete the line`),
  ];
}

/** `<domain>/<feature>` of a file; undefined outside features. */
function featureOf(file: string): string | undefined {
  return /^domains\/([^/]+\/[^/]+)\//.exec(file)?.[1];
}
