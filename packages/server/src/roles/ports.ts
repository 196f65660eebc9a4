import { PortBoard } from '../core/ports.ts';
import type { Table } from '../db/table-registry.ts';
import type { AccountKind } from '../domains/accounts/index.ts';
import type { SignedRuns } from '../domains/agreements/index.ts';
import type { CodeGrants, PublicKeys } from '../domains/clients/index.ts';
import type { PortalLoginRow } from '../domains/companies/index.ts';
import type { DevicesSignals } from '../domains/delivery/index.ts';
import type { SealHealth } from '../domains/operations/index.ts';
import type { Endings, PluginUses } from '../domains/participation.ts';
import type { FieldFollowers, PersonRow } from '../domains/people/index.ts';
import type { RegionPorts } from '../domains/regions/index.ts';
import type { ServiceCustomers } from '../domains/services/index.ts';
import type {
  AskedConnections,
  ConnectionDocuments,
  DeletedChallenges,
  FlowRequestRows,
} from '../domains/sharing/index.ts';
import type { PendingEvents } from '../events/outbox.ts';

/** What domains need of those below them in the list. */
interface Ports extends RegionPorts {
  /** Of all domains together. */
  readonly tables: readonly Table[];
  readonly endings: Endings;
  readonly pluginUses: readonly PluginUses[];
  /** Deletes at once what has outlived its time. @returns how many rows of change feeds */
  readonly purge: () => Promise<number>;

  readonly personKind: AccountKind<PersonRow>;
  readonly loginKind: AccountKind<PortalLoginRow>;
  readonly pendingEvents: PendingEvents;
  readonly followers: FieldFollowers;
  readonly customers: ServiceCustomers;
  readonly personSignals: DevicesSignals;
  readonly codeGrants: CodeGrants;
  readonly signingKeys: PublicKeys;
  readonly deletedChallenges: DeletedChallenges;
  readonly sealHealth: SealHealth;
  readonly connectionDocuments: ConnectionDocuments;
  readonly askedConnections: AskedConnections;
  readonly signedRuns: SignedRuns;
  readonly flowRequestRows: FlowRequestRows;
}

export const declarePorts = () =>
  new PortBoard<Ports>({
    tables: 'context',
    endings: 'context',
    pluginUses: 'context',
    purge: 'context',
    personKind: 'people',
    loginKind: 'companies',
    pendingEvents: 'sharing',
    followers: 'sharing',
    customers: 'sharing',
    personSignals: 'delivery',
    codeGrants: 'approval',
    signingKeys: 'approval',
    deletedChallenges: 'approval',
    sealHealth: 'agreements',
    connectionDocuments: 'agreements',
    askedConnections: 'conversation',
    signedRuns: 'flows',
    flowRequestRows: 'flows',
    feedsElsewhere: 'regions',
    logsElsewhere: 'regions',
    names: 'regions',
    replication: 'regions',
    presenceElsewhere: 'regions',
    slotHome: 'regions',
    routeGrants: 'regions',
    routeKeys: 'regions',
    routeSeals: 'regions',
    homesElsewhere: 'regions',
    signalsElsewhere: 'regions',
  });
