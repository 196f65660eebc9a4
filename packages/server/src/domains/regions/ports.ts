import { noPresenceElsewhere, type PresenceElsewhere } from '../../access/presence.ts';
import { type HomesElsewhere, noHomesElsewhere } from '../../access/routing.ts';
import { localNames, type UniqueNames } from '../../access/unique-names.ts';
import { type AccountFeeds, localAccountFeeds } from '../../events/outbox.ts';
import { noReplication, type Replication } from '../../events/replication.ts';
import { localSeals, type SealRouter } from '../agreements/index.ts';
import { type GrantRouter, type KeyRouter, localGrants, localKeys } from '../clients/index.ts';
import { noSignalsElsewhere, type SignalsElsewhere } from '../delivery/index.ts';
import { type AuditLogs, localAuditLogs } from '../operations/index.ts';
import { localSlots, type SlotHome } from '../sharing/index.ts';

/** What other domains ask of the regions, each in its own words. */
export interface RegionPorts {
  readonly feedsElsewhere: AccountFeeds;
  readonly logsElsewhere: AuditLogs;
  readonly names: UniqueNames;
  readonly replication: Replication;
  readonly presenceElsewhere: PresenceElsewhere;
  readonly slotHome: SlotHome;
  readonly routeGrants: GrantRouter;
  readonly routeKeys: KeyRouter;
  readonly routeSeals: SealRouter;
  readonly homesElsewhere: HomesElsewhere;
  readonly signalsElsewhere: SignalsElsewhere;
}

/** With one region nothing is elsewhere. */
export const oneRegion: RegionPorts = {
  feedsElsewhere: localAccountFeeds,
  logsElsewhere: localAuditLogs,
  names: localNames,
  replication: noReplication,
  presenceElsewhere: noPresenceElsewhere,
  slotHome: localSlots,
  routeGrants: localGrants,
  routeKeys: localKeys,
  routeSeals: localSeals,
  homesElsewhere: noHomesElsewhere,
  signalsElsewhere: noSignalsElsewhere,
};
