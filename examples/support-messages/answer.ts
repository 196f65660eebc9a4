/**
 * Answers what people write to a service, and tells them that it was read.
 *
 *   SYMBOLON_CONFIG=client.json node examples/support-messages/answer.ts
 */
import { type Change, ChangePump, DataClient } from '@symbolon/sdk';

/** What a support desk has for this example. A real one puts the message into a queue of people who answer. */
export type Answer = (text: string, change: Change) => Promise<string | undefined> | string | undefined;

/** Handles one change; it may see a change twice after a crash. */
export async function handleChange(client: DataClient, change: Change, answer: Answer): Promise<void> {
  const { event, connectionId, messageId, messageBody, personId } = change;
  if (event !== 'message_received' || connectionId === undefined || messageId === undefined) return;
  // Without the right private key there is nothing to answer, and nothing was read.
  if (typeof messageBody !== 'string') return;
  const text = await answer(messageBody, change);
  // Only the call that turns it read answers, so that a repetition of the change answers nothing twice. A crash between the two
  // leaves it read and not answered: a real desk stores the answer first.
  const turned = await client.messages.markRead(connectionId, messageId);
  if (text !== undefined && turned > 0) await client.messages.send(connectionId, text, { personId });
}

if (import.meta.main) {
  const client = DataClient.fromEnvironment();
  const answer: Answer = (text, { personId }) => {
    console.log(`${personId}: ${text}`);
    return 'Thank you. We answer within a day.';
  };
  const pump = new ChangePump({
    client,
    file: 'support.db',
    handle: (change) => handleChange(client, change, answer),
    onError: (error) => console.error(error),
  });
  pump.start();
  process.once('SIGINT', async () => {
    await pump.stop();
    await client.close();
  });
}
