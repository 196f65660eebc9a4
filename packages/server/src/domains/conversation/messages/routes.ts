import {
  AssignThreadRequest,
  CompanyMessageList,
  Inbox as InboxPage,
  InboxQuery,
  InboxThread,
  MessageQuery,
  MessagesRead,
  type MessageThread,
  MessageThreadList,
  PersonMessageList,
  ReadMessagesRequest,
  SendMessageRequest,
  SentMessage,
  ThreadStateRequest,
} from '@symbolon/protocol';
import { dataClientOf, loginOf, namedService, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { pageBefore } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Inbox } from './inbox.ts';
import type { PersonMessages } from './person-messages.ts';
import type { ServiceMessages } from './service-messages.ts';

const SEND = 'Send a message: body sealed to the key of the recipient, sender_body to that of the sender';

const sending = {
  errors: [
    'contact_data.encryption_required',
    'contact_data.value_too_large',
    'contact_data.wrapper_invalid',
    'messages.encryption_required',
    'messages.messaging_not_entitled',
    'messages.messaging_suspended',
    'messages.not_connected',
    'messages.rate_limited',
  ],
  summary: SEND,
  description: 'It raises no event, and acknowledges nothing.',
  body: SendMessageRequest,
  created: SentMessage,
} as const;

const listing = {
  errors: ['company_data.connection_not_found'],
  summary: 'The messages of a connection, newest first',
  description: 'The copies for the service key. Broadcasts have none: they are not in this list.',
  query: MessageQuery,
  ok: CompanyMessageList,
} as const;

const acknowledging = {
  errors: ['company_data.ack_boundary_invalid', 'company_data.connection_not_found'],
  summary: 'Acknowledge what the customer sent, up to a message',
  description: 'The customer sees that it was read. Receiving and answering acknowledge nothing.',
  invalidKeys: { '/up_to_message_id': 'company_data.ack_boundary_invalid' },
  body: ReadMessagesRequest,
  ok: MessagesRead,
} as const;

export function serviceMessageRoutes(app: App, { messages }: { messages: ServiceMessages }): void {
  const route = routesOf(app, { tags: ['messages'], access: ['data_client'] });
  const path = '/api/company-data/connections/:id/messages';
  route(`POST ${path}`, sending, (request) =>
    messages.send(dataClientOf(request), request.params.id, request.body),
  );
  route(`GET ${path}`, listing, (request) =>
    messages.list(dataClientOf(request), request.params.id, pageBefore(request.query)),
  );
  route(`POST ${path}/read`, acknowledging, (request) =>
    messages.read(dataClientOf(request), request.params.id, request.body.up_to_message_id),
  );
}

/** The same threads, for the staff of the company, who share them out. */
export function staffMessageRoutes(
  app: App,
  { messages, inbox }: { messages: ServiceMessages; inbox: Inbox },
): void {
  const route = routesOf(app, { tags: ['messages'], access: ['portal'] });
  const path = '/api/services/:id/customers/:connectionId/messages';
  const role = 'support';
  route(
    'GET /api/services/:id/threads',
    {
      errors: ['services.not_found'],
      summary: 'The inbox of a service: its threads, the one that was written in last first',
      description: 'Without state those that are open. What was written is read thread by thread.',
      query: InboxQuery,
      ok: InboxPage,
    },
    (request) => inbox.page(namedService(request), loginOf(request).loginId, request.query),
  );
  const thread = '/api/services/:id/customers/:connectionId/thread';
  const missing = ['company_data.connection_not_found', 'messages.thread_empty'] as const;
  route(
    `GET ${thread}`,
    {
      errors: missing,
      summary: 'How the thread of a customer stands in the inbox',
      ok: InboxThread,
    },
    (request) => inbox.one(namedService(request), request.params.connectionId),
  );
  route(
    `PUT ${thread}/assignee`,
    {
      errors: [...missing, 'delegates.not_found', 'delegates.only_views'],
      summary: 'Say which login looks after a thread; null for none',
      role,
      body: AssignThreadRequest,
      ok: InboxThread,
    },
    (request) => inbox.assign(namedService(request), request.params.connectionId, request.body.assigned_to),
  );
  route(
    `PUT ${thread}/state`,
    {
      errors: missing,
      summary: 'Say that a thread is done, or open again',
      description: 'The next message of the customer opens it again.',
      role,
      body: ThreadStateRequest,
      ok: InboxThread,
    },
    (request) => inbox.setState(namedService(request), request.params.connectionId, request.body.state),
  );
  route(`POST ${path}`, { ...sending, role }, (request) =>
    messages.send(namedService(request), request.params.connectionId, request.body),
  );
  route(`GET ${path}`, listing, (request) =>
    messages.list(namedService(request), request.params.connectionId, pageBefore(request.query)),
  );
  route(`POST ${path}/read`, { ...acknowledging, role }, (request) =>
    messages.read(namedService(request), request.params.connectionId, request.body.up_to_message_id),
  );
}

export function personMessageRoutes(app: App, { messages }: { messages: PersonMessages }): void {
  const route = routesOf(app, {
    tags: ['messages'],
    access: ['person'],
    federated: { by: 'id', missing: 'connections.not_found' },
  });
  const path = '/api/person/connections/:id/messages';

  route(
    `POST ${path}`,
    {
      errors: [
        'connections.not_found',
        'contact_data.encryption_required',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
        'messages.encryption_required',
        'messages.messaging_not_entitled',
        'messages.messaging_suspended',
        'messages.rate_limited',
      ],
      summary: SEND,
      body: SendMessageRequest,
      created: SentMessage,
    },
    (request) => messages.send(personOf(request), request.params.id, request.body),
  );

  route(
    `GET ${path}`,
    {
      errors: ['connections.not_found'],
      summary: 'The messages and broadcasts of a connection, newest first',
      description: "The copies for the person's key; the body of a broadcast is plain text.",
      query: MessageQuery,
      ok: PersonMessageList,
    },
    (request) => messages.list(personOf(request), request.params.id, pageBefore(request.query)),
  );

  route(
    `POST ${path}/read`,
    {
      errors: ['company_data.ack_boundary_invalid', 'connections.not_found'],
      summary: 'Mark what the service sent as read, up to a message or broadcast',
      invalidKeys: { '/up_to_message_id': 'company_data.ack_boundary_invalid' },
      body: ReadMessagesRequest,
      ok: MessagesRead,
    },
    (request) => messages.read(personOf(request), request.params.id, request.body.up_to_message_id),
  );

  route(
    'GET /api/person/messages',
    {
      summary: 'The threads in which something stands, and how much of it is unread',
      federated: {
        by: 'list',
        list: listOf<MessageThread>('threads', (thread) => thread.connection_id),
      },
      ok: MessageThreadList,
    },
    (request) => messages.threads(personOf(request)),
  );
}
