import { Event } from '@symbolon/protocol/constants';
import { openClient } from '../data/open-client.ts';
import { connected } from './connected.ts';
import { byItsClient } from './other-client.ts';
import type { Done, Sandbox } from './sandbox.ts';

const NAME = 'Sandbox document';

/** What becomes of a document that the service gives to the sandbox person, up to its end: none is left behind. */
type DocumentEvent =
  | typeof Event.documentCreated
  | typeof Event.documentUpdated
  | typeof Event.documentDeleted
  | typeof Event.documentStatusChanged;

/** Has the service issue a document to the sandbox person, do what raises the event, and delete it again. */
export async function issueDocument(
  sandbox: Sandbox,
  config: string | undefined,
  event: DocumentEvent,
): Promise<Done> {
  await using service = openClient(config);
  const {
    connection: { connection_id: connectionId },
    also,
  } = await connected(sandbox);
  const isOffered = event === Event.documentStatusChanged;
  const { id } = await byItsClient(sandbox, () =>
    service.documents.create({
      name: NAME,
      kind: isOffered ? 'agreement' : 'document',
      to: { connectionId },
      content: { json: { from: 'symbolon trigger' } },
      requiresAcceptance: isOffered,
      metadata: { can_be_cancelled_in_app: isOffered },
    }),
  );
  if (event === Event.documentUpdated) await service.documents.update(id, { name: `${NAME}, renamed` });
  if (isOffered) {
    await sandbox.client.documents.cancel(id, 'symbolon trigger');
    await sandbox.client.documents.delete(id);
  }
  await service.documents.delete(id);
  const raised = [Event.documentCreated, Event.documentDeleted].filter((each) => each !== event);
  return { value: id, also: [...also, ...raised] };
}
