import type { Database } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Presence } from '../../accounts/index.ts';
import type { DevicesSignals } from '../../delivery/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { PersonDeletion } from '../../people/index.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { SlotRegistrations } from './registrations.ts';
import { RemoteFiles } from './remote-files.ts';
import { RemotePresence } from './remote-presence.ts';
import { RemoteSlots } from './remote-slots.ts';
import { ReplicaReceiver } from './replica-receiver.ts';
import { PersonReplicas } from './replicas.ts';
import { peopleRoutes } from './routes.ts';
import { SlotCheck } from './slot-check.ts';

/** People and their slots in other regions. */
export function openPeople(
  core: Core,
  needs: { blobs: Blobs; directory: Directory; messages: MessageQueue; peers: Peers },
) {
  const own = { ...core, ...needs };
  const remoteSlots = new RemoteSlots(own);
  const personReplicas = new PersonReplicas(own);
  const remoteFiles = new RemoteFiles(own);
  const registrations = new SlotRegistrations({ ...own, personReplicas, remoteFiles });
  const remotePresence = new RemotePresence(own);
  return { remoteSlots, personReplicas, registrations, remoteFiles, remotePresence };
}

interface Needs extends ReturnType<typeof openPeople> {
  readonly blobs: Blobs;
  readonly liveSlots: LiveSlots;
  readonly messages: MessageQueue;
  readonly outbox: Outbox;
  readonly pausedDatabase: Database;
  readonly peers: Peers;
  readonly personDeletion: PersonDeletion;
  readonly presence: Presence;
  readonly personSignals: DevicesSignals;
}

/** Receives the replicas of people, answers other regions, and checks slots that were never made. */
export function createPeople(core: Core, needs: Needs) {
  new ReplicaReceiver({ ...core, ...needs }).receive();
  const slotCheck = new SlotCheck({ ...core, ...needs, database: needs.pausedDatabase });
  const domain: Domain = {
    routes: (app) => peopleRoutes(app, { ...core, ...needs }),
    sweeps: [{ name: 'slots in other regions', run: (stopping) => slotCheck.run(stopping) }],
  };
  return { slotCheck, domain };
}
