import type { Database } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Peers } from '../directory/index.ts';
import type { MessageQueue } from './message-queue.ts';
import { MessageSender } from './message-sender.ts';
import { messageRoutes } from './routes.ts';

export { laneOf, type MessageHandler, MessageQueue } from './message-queue.ts';
export type { MessageSender } from './message-sender.ts';
export { messageTables } from './tables.ts';

interface Needs {
  readonly messages: MessageQueue;
  readonly peers: Peers;
  readonly maintenance: Maintenance;
  readonly pausedDatabase: Database;
}

/** Sends the queued messages to the other regions, and receives theirs. */
export function createMessages(core: Core, needs: Needs) {
  const messageSender = new MessageSender({ ...core, ...needs, database: needs.pausedDatabase });
  const domain: Domain = { routes: (app) => messageRoutes(app, needs), workers: [messageSender] };
  return { messageSender, domain };
}
