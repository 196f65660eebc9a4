import { openClient } from '../data/open-client.ts';
import { Problem } from '../problem.ts';
import type { Done, Sandbox } from './sandbox.ts';

/** Has the service ask the sandbox person to connect, who answers. */
export async function answerRequest(
  { client: person, portal }: Sandbox,
  config: string | undefined,
  answer: (id: string) => Promise<Done>,
): Promise<Done> {
  await using service = openClient(config);
  const { id } = await service.connectRequests.send(person.person.share_code);
  const asked = (await person.connectRequests.pending()).find(({ request_id }) => request_id === id);
  if (asked?.service.id !== portal.service.id) {
    throw new Problem(`The client that is configured is not the data client of ${portal.service.name}.`, {
      exitCode: 2,
    });
  }
  return answer(id);
}
