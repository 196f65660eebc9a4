export { ConfigurationError, SymbolonError } from '../http/errors.ts';
export { type AccountKeySource, importAccountKey } from './account-key.ts';
export { deliveryKey } from './delivery-key.ts';
export { type ExpressRequest, expressHandler } from './express-handler.ts';
export { type FastifyScope, fastifyPlugin } from './fastify-plugin.ts';
export { fetchHandler } from './fetch-handler.ts';
export type { DeliveryHeaders } from './headers.ts';
export { nodeHandler } from './node-handler.ts';
export type { IncomingRequest, OutgoingResponse } from './node-http.ts';
export { type ParsedDelivery, type ParseOptions, parseDelivery } from './parse-delivery.ts';
export { MemorySeenDeliveries, type SeenDeliveries } from './seen-deliveries.ts';
export { type RawDelivery, type VerifyOptions, verifyDelivery } from './verify-delivery.ts';
export type { BasicCredentials, OneOrMore, Webhook, Webhooks } from './webhook.ts';
export {
  type Delivery,
  WebhookReceiver,
  type WebhookReceiverOptions,
  type WebhookReply,
} from './webhook-receiver.ts';
export { WebhookRejected, type WebhookRejectedCode } from './webhook-rejected.ts';
