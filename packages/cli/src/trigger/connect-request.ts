import { openClient } from '../data/open-client.ts';
import { otherClient } from './other-client.ts';
import type { Done, Sandbox } from './sandbox.ts';

/** Has the service ask the sandbox person to connect, who answers. */
export async function answerRequest(
  sandbox: Sandbox,
  config: string | undefined,
  answer: (id: string) => Promise<Done>,
): Promise<Done> {
  const { client: person, portal } = sandbox;
  await using service = openClient(config);
  const { id } = await service.connectRequests.send(person.person.share_code);
  const asked = (await person.connectRequests.pending()).find(({ request_id }) => request_id === id);
  if (asked?.service.id !== portal.service.id) {
    throw otherClient(sandbox);
  }
  return answer(id);
}
