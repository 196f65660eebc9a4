import { lookUp } from '../../core/secrets.ts';
import type { Core } from '../domain.ts';
import { Blobs } from '../operations/index.ts';
import { openCompanies } from './companies/index.ts';
import { openDirectory } from './directory/index.ts';
import { RoutedGrant } from './directory/routed-grant.ts';
import { RoutedKeys } from './directory/routed-keys.ts';
import { RoutedSeals } from './directory/routed-seals.ts';
import { MessageQueue } from './messages/message-queue.ts';
import { departedCompany } from './moves/store.ts';
import { openPeople } from './people/index.ts';
import { remoteSlotsOf } from './people/store.ts';
import type { RegionPorts } from './ports.ts';

/** The first phase: what other domains are made with. It needs the core alone. */
export type OpenedRegions = ReturnType<typeof openRegions>;

export function openRegions(core: Core) {
  const directory = openDirectory(core);
  const messages = new MessageQueue(core);
  const companies = openCompanies(core, { messages });
  const blobs = new Blobs({ ...core, store: core.blobStore });
  const people = openPeople(core, { ...directory, blobs, messages });
  const own = { ...directory, ...companies, ...people, messages };
  return { ...own, ports: portsOf(core, own) };
}

type Collaborators = ReturnType<typeof openDirectory> &
  ReturnType<typeof openCompanies> &
  ReturnType<typeof openPeople>;

/** A device that hears later has looked by itself. */
const SIGNAL_MOST_MS = 3_000;

/** What other domains ask of the regions, in their words. */
function portsOf(core: Core, opened: Collaborators): RegionPorts {
  const { accountEvents, auditEntries, companyLocator, companyReplicas, personReplicas } = opened;
  return {
    names: opened.names,
    slotHome: opened.registrations,
    feedsElsewhere: {
      sendElsewhere: (writer, events, at) =>
        accountEvents.send(
          writer,
          events.map((event) => ({ ...event, at: event.at ?? at })),
        ),
    },
    logsElsewhere: {
      sendElsewhere: async (writer, entry) => (await auditEntries.send(writer, [entry])).length === 0,
    },
    replication: {
      personChanged: (writer, id) => personReplicas.personChanged(writer, id),
      awaitPerson: (id, epoch) => personReplicas.awaitPerson(id, epoch),
      fieldChanged: (writer, row, copies) => personReplicas.fieldChanged(writer, row, copies),
      fieldDeleted: (writer, id, fieldId) => personReplicas.fieldDeleted(writer, id, fieldId),
      slotsElsewhere: remoteSlotsOf,
      personDeleted: (writer, id) => personReplicas.personDeleted(writer, id),
      companyChanged: (writer, id) => companyReplicas.companyChanged(writer, id),
      companyDeleted: (writer, id) => companyReplicas.companyDeleted(writer, id),
    },
    presenceElsewhere: opened.remotePresence,
    signalsElsewhere: {
      async tell(region, personId, signal) {
        const path = `/internal/people/${personId}/signal`;
        await opened.peers.ask({ region }, { method: 'POST', path, body: signal, timeoutMs: SIGNAL_MOST_MS });
      },
    },
    routeKeys: (own) => new RoutedKeys({ ...core, ...opened }, own),
    routeSeals: (own) => new RoutedSeals({ ...core, ...opened }, own),
    routeGrants: (grant) => new RoutedGrant({ ...core, ...opened }, grant),
    homesElsewhere: {
      ofCompany: (companyId) => companyLocator.elsewhere(companyId),
      async ofSession(token) {
        const company = await lookUp(core.secrets.hashes(token), (hash) =>
          departedCompany(core.database.reader, hash),
        );
        return company === undefined ? undefined : companyLocator.elsewhere(company);
      },
    },
  };
}
