import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, Nullable, rowPlace, shownText, Time, WrapperInput } from './common.ts';
import { CustomerType } from './company-data.ts';
import { CompanyIdentity } from './customer.ts';

/** A message is sealed twice, so that both sides can read it later. */
export const SendMessageRequest = Exact({
  body: WrapperInput,
  sender_body: WrapperInput,
});
export type SendMessageRequest = Static<typeof SendMessageRequest>;

export const SentMessage = Type.Object({ message_id: Id, connection_id: Id, created_at: Time });
export type SentMessage = Static<typeof SentMessage>;

export const MessageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  before: rowPlace('a message_id: only older ones'),
});

/** Seen from the side that reads. */
export const MessageDirection = Type.Union([Type.Literal('inbound'), Type.Literal('outbound')]);
export type MessageDirection = Static<typeof MessageDirection>;

const messageMembers = {
  message_id: Id,
  direction: MessageDirection,
  body: Type.String({ description: 'JSON text of a wrapper for the key of the side that reads' }),
  created_at: Time,
  read_at: Nullable(Type.String({ description: 'when the recipient read it' })),
};
export const CompanyMessage = Type.Object(messageMembers);
export type CompanyMessage = Static<typeof CompanyMessage>;
export const CompanyMessageList = Type.Object({ items: Type.Array(CompanyMessage) });
export type CompanyMessageList = Static<typeof CompanyMessageList>;

export const PersonMessage = Type.Object({
  ...messageMembers,
  broadcast: Type.Boolean({ description: 'sent to all people of the service: body is plain text' }),
});
export type PersonMessage = Static<typeof PersonMessage>;
export const PersonMessageList = Type.Object({ items: Type.Array(PersonMessage) });
export type PersonMessageList = Static<typeof PersonMessageList>;

/** Whose connection it is counts before the boundary: without one, a foreign connection is not found, and in one's own thread it is refused. */
export const ReadMessagesRequest = Exact({
  up_to_message_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'that one, and all before it; without it the call is refused with company_data.ack_boundary_invalid',
    }),
  ),
});
export type ReadMessagesRequest = Static<typeof ReadMessagesRequest>;
export const MessagesRead = Type.Object({
  read: Type.Integer({ description: 'how many turned read by this call' }),
});
export type MessagesRead = Static<typeof MessagesRead>;

export const BroadcastRequest = Exact({
  body: Type.String({
    minLength: 1,
    maxLength: limits.broadcastTextMost,
    pattern: '\\S',
    description: 'plain text that every person of the service reads',
  }),
});
export type BroadcastRequest = Static<typeof BroadcastRequest>;
export const Broadcast = Type.Object({
  broadcast_id: Id,
  recipients: Type.Integer({ description: 'people who are connected' }),
});
export type Broadcast = Static<typeof Broadcast>;

/** A broadcast of a service, as its staff sees it. */
export const SentBroadcast = Type.Object({ broadcast_id: Id, body: Type.String(), created_at: Time });
export type SentBroadcast = Static<typeof SentBroadcast>;
export const SentBroadcastList = Type.Object({
  recipients: Type.Integer({ description: 'people who are connected now: the next one goes to them' }),
  most: Nullable(Type.Integer({ description: 'to how many one may go; null: to any number' })),
  broadcasts: Type.Array(SentBroadcast),
  next: Nullable(Type.String({ description: 'goes into before for the page that follows' })),
});
export type SentBroadcastList = Static<typeof SentBroadcastList>;

/** A text that staff sends again and again. */
export const ReplyTemplateRequest = Exact({
  name: shownText(limits.replyTemplateNameMost),
  body: Type.String({
    minLength: 1,
    maxLength: limits.replyTemplateTextMost,
    pattern: '\\S',
    description: 'plain text, which the platform can read; {name} stands for the name of the customer',
  }),
});
export type ReplyTemplateRequest = Static<typeof ReplyTemplateRequest>;
export const ReplyTemplate = Type.Object({
  id: Id,
  name: Type.String(),
  body: Type.String(),
  updated_at: Time,
});
export type ReplyTemplate = Static<typeof ReplyTemplate>;
export const ReplyTemplateList = Type.Object({
  templates: Type.Array(ReplyTemplate, { description: 'by name' }),
});
export type ReplyTemplateList = Static<typeof ReplyTemplateList>;

/** A thread of a person, in the list of threads. */
export const MessageThread = Type.Object({
  connection_id: Id,
  company: CompanyIdentity,
  service: Type.Object({ id: Id, name: Type.String(), share_code: Type.String() }),
  last_at: Nullable(Type.String({ description: 'of the newest message or broadcast' })),
  unread: Type.Integer(),
});
export type MessageThread = Static<typeof MessageThread>;
export const MessageThreadList = Type.Object({ threads: Type.Array(MessageThread) });
export type MessageThreadList = Static<typeof MessageThreadList>;

export const InboxState = Type.Union([Type.Literal('open'), Type.Literal('done')], {
  description: 'open from a message of the customer until staff says that it is done',
});
export type InboxState = Static<typeof InboxState>;

export const InboxQuery = Type.Object({
  state: Type.Optional(InboxState),
  assigned_to: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'the id of a login, or me: only the threads that it looks after',
    }),
  ),
  before: rowPlace('`next` of the page before'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
});
export type InboxQuery = Static<typeof InboxQuery>;

/** A thread of a service, as its staff sees it in a list. */
export const InboxThread = Type.Object({
  connection_id: Id,
  display_name: Type.String(),
  customer_type: CustomerType,
  last_at: Time,
  last_direction: MessageDirection,
  unread: Type.Integer({ description: 'what the customer wrote and nobody of the company acknowledged' }),
  state: InboxState,
  assigned_to: Nullable(
    Type.Object({ id: Id, name: Type.String() }, { description: 'the login that looks after it' }),
  ),
});
export type InboxThread = Static<typeof InboxThread>;

export const Inbox = Type.Object({
  threads: Type.Array(InboxThread),
  next: Nullable(Type.String({ description: 'goes into before for the page that follows' })),
  open: Type.Integer({ description: `threads that are open, counted up to ${limits.inboxCountMost}` }),
  mine: Type.Integer({ description: 'those of them that the caller looks after' }),
});
export type Inbox = Static<typeof Inbox>;

export const AssignThreadRequest = Exact({ assigned_to: Nullable(Id) });
export type AssignThreadRequest = Static<typeof AssignThreadRequest>;
export const ThreadStateRequest = Exact({ state: InboxState });
export type ThreadStateRequest = Static<typeof ThreadStateRequest>;

/** What the operator keeps a company from. */
export const MessagingSuspension = Exact({
  messages: Type.Boolean({ description: 'also broadcasts' }),
  broadcasts: Type.Boolean(),
});
export type MessagingSuspension = Static<typeof MessagingSuspension>;
