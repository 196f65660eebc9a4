import type { Core } from '../domain.ts';
import { AccountFeedsElsewhere, AuditLogsElsewhere, CompanyCards } from './companies/index.ts';
import { createDirectory, Homes, Names, RoutedGrant } from './directory/index.ts';
import { MessageQueue } from './messages/index.ts';
import { departedCompany } from './moves/index.ts';
import { PersonReplicas, RemoteSlots, SlotRegistrations } from './people/index.ts';
import type { RegionPorts } from './ports.ts';
import { RegionReplication } from './replication.ts';

/** The half of the regions that the other domains are made with: it needs the core alone. */
export type OpenedRegions = ReturnType<typeof openRegions>;

export function openRegions(core: Core) {
  const directory = createDirectory(core);
  const own = { ...core, ...directory };
  const names = new Names(own);
  const homes = new Homes(own);
  const messages = new MessageQueue(own);
  const cards = new CompanyCards({ ...own, messages });
  const feeds = new AccountFeedsElsewhere({ ...own, cards, messages });
  const auditLogs = new AuditLogsElsewhere({ ...own, cards, messages });
  const remoteSlots = new RemoteSlots({ ...own, messages });
  const replicas = new PersonReplicas({ ...own, messages });
  const registrations = new SlotRegistrations({ ...own, messages, replicas });
  const ports: RegionPorts = {
    feedsElsewhere: feeds,
    logsElsewhere: auditLogs,
    names,
    replication: new RegionReplication({ cards, replicas, remoteSlots }),
    slotHome: registrations,
    routeGrants: (grant) => new RoutedGrant(own, grant),
    homesElsewhere: {
      ofCompany: (companyId) => homes.elsewhere(companyId),
      async ofSession(token) {
        const company = await departedCompany(core.database.reader, core.secrets.hash(token));
        return company === undefined ? undefined : homes.elsewhere(company);
      },
    },
  };
  return {
    ...directory,
    ports,
    names,
    homes,
    messages,
    cards,
    feeds,
    auditLogs,
    remoteSlots,
    replicas,
    registrations,
  };
}
