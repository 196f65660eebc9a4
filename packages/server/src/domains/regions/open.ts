import type { Core } from '../domain.ts';
import { AccountFeedsElsewhere } from './companies/account-feeds.ts';
import { AuditLogsElsewhere } from './companies/audit-logs.ts';
import { CompanyCards } from './companies/cards.ts';
import { Homes } from './directory/homes.ts';
import { createDirectory } from './directory/index.ts';
import { Names } from './directory/names.ts';
import { RoutedGrant } from './directory/routed-grant.ts';
import { MessageQueue } from './messages/message-queue.ts';
import { departedCompany } from './moves/store.ts';
import { SlotRegistrations } from './people/registrations.ts';
import { RemoteSlots } from './people/remote-slots.ts';
import { PersonReplicas } from './people/replicas.ts';
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
