import { SignInClient } from '@symbolon/sdk/sign-in';
import { openClient } from '../data/open-client.ts';
import { Problem } from '../problem.ts';
import { otherClient } from './other-client.ts';
import type { Done, Sandbox } from './sandbox.ts';

/** Has the service ask the sandbox person, who is enrolled first when necessary, and approves. */
export async function completeChallenge(sandbox: Sandbox, config: string | undefined): Promise<Done> {
  const { client: person, portal } = sandbox;
  // Opened first: without the data client there is no challenge.
  await using service = openClient(config);
  await enrol(sandbox);
  const asked = await service.twoFactor.challenge(person.person.share_code, { context: 'symbolon trigger' });
  const card = (await person.approvals.pending()).find(({ challenge_id }) => challenge_id === asked.id);
  if (card === undefined || card.service.id !== portal.service.id) {
    throw otherClient(sandbox);
  }
  // Where two factors are demanded, only a mail would bring one: a denial raises the event as well.
  const value = card.presence?.methods.includes('password')
    ? await person.approvals.approve(asked.id, { password: sandbox.password }, asked.matchingDigits)
    : await person.approvals.deny(asked.id);
  return { value, also: [] };
}

/** Through a sign-in app that is made for it and deleted again. */
async function enrol({ client: person, portal }: Sandbox): Promise<void> {
  const { id: service_id, name } = portal.service;
  const enrolled = await person.approvals.enrollments();
  if (enrolled.some(({ service }) => service.id === service_id)) return;
  const redirectUri = 'http://localhost/symbolon-sandbox';
  const { client_id: clientId } = await portal.client.createOAuthApp({
    name: `Sandbox of ${name}`.slice(0, 80),
    confidential: false,
    redirect_uris: [redirectUri],
    service_id,
  });
  try {
    const app = new SignInClient({ url: portal.profile.base_url, clientId, redirectUri });
    const request = await person.consent.open(new URL(app.begin({ mode: '2fa_enroll' }).url).search);
    if (!('request_id' in request)) throw new Problem(refusalOf(request.redirect_to));
    await person.consent.approve(request, await person.consent.begin(request));
  } finally {
    await portal.client.deleteOAuthApp(clientId);
  }
}

function refusalOf(redirect: string): string {
  const reason = new URL(redirect).searchParams.get('error_description');
  return `The sandbox person cannot enrol: ${reason ?? 'the platform refused the request'}`;
}
