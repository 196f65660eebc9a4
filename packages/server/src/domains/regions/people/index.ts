export { SlotRegistrations } from './registrations.ts';
export { deleteRemoteSlotsOfCompany, RemoteSlots } from './remote-slots.ts';
export { ReplicaReceiver } from './replica-receiver.ts';
export { PersonReplicas } from './replicas.ts';
export { peopleRegionRoutes } from './routes.ts';
export { SlotCheck } from './slot-check.ts';
export { remotePersonTables } from './tables.ts';
