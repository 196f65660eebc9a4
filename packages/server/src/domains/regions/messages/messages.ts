import type { Writer } from '../../../db/database.ts';

/** Something another region is to be told. */
export interface RegionMessage {
  readonly kind: string;
  /** The id of whom it is about: of one subject, messages arrive in the order in which they were sent. */
  readonly subject: string;
  /** Becomes JSON. */
  readonly body: unknown;
}

/** Takes in a message in the transaction that writes down that it came: both or neither. */
export type MessageHandler = (
  writer: Writer,
  message: { readonly from: string; readonly subject: string; readonly body: unknown },
) => Promise<void>;

/** What the features need of the queue between regions. */
export interface RegionMessages {
  /** Queues a message in the caller's transaction: it arrives, once, if and only if that commits. */
  send(writer: Writer, to: string, message: RegionMessage): Promise<void>;
  /** To every other region; with one region alone, nothing. */
  sendToAll(writer: Writer, message: RegionMessage): Promise<void>;
  /** Says what is done with messages of a kind; before the process serves. */
  handle(kind: string, handler: MessageHandler): void;
}
