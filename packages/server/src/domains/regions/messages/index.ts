export { laneOf, MessageQueue } from './message-queue.ts';
export { MessageSender } from './message-sender.ts';
export type { MessageHandler, RegionMessages } from './messages.ts';
export { messageRoutes } from './routes.ts';
export { messageTables } from './tables.ts';
