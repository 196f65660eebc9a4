import type { AccountEvent, Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Audit, AuditLogRow } from '../../operations/index.ts';
import type { Connections } from '../../sharing/index.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { CompanyMessage, CompanyReplicas } from './company-replicas.ts';
import { HomeDelivery } from './home-delivery.ts';
import { lockedConnectionsOf } from './store.ts';

/** Companies of other regions: their replicas, and the way to their account feeds and audit logs. */
export function openCompanies(core: Core, needs: { messages: MessageQueue }) {
  const companyReplicas = new CompanyReplicas({ ...core, ...needs });
  const deps = { ...core, ...needs, companyReplicas };
  const accountEvents = new HomeDelivery<AccountEvent>({
    ...deps,
    kind: 'account_event',
    companyOf: (event) => event.company.id,
  });
  const auditEntries = new HomeDelivery<AuditLogRow>({
    ...deps,
    kind: 'audit_entry',
    companyOf: (entry) => entry.company_id,
  });
  return { companyReplicas, accountEvents, auditEntries };
}

interface Needs extends ReturnType<typeof openCompanies> {
  readonly messages: MessageQueue;
  readonly audit: Audit;
  readonly connections: Connections;
  readonly outbox: Outbox;
}

/** Applies what other regions send about companies. */
export function receiveCompanies({ database }: Core, needs: Needs): void {
  const { accountEvents, audit, auditEntries, companyReplicas, connections, messages, outbox } = needs;
  accountEvents.receive((writer, event) => outbox.raise(writer, [], [event]));
  auditEntries.receive((writer, entry) => audit.keep(writer, entry));
  messages.handle(CompanyMessage.deleted, async (writer, { subject }) => {
    // Only this region can delete a company whose home it is.
    if ((await companyReplicas.ofHome(writer, subject)) !== undefined) return;
    // Its services are notified while its replica still exists.
    await connections.end(writer, await lockedConnectionsOf(database.engine, writer, subject));
    await companyReplicas.drop(writer, subject);
  });
}
