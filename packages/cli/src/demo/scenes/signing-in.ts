import { generateKeyPair } from '@symbolon/crypto';
import type { ConsentRequest, OpenedConsent } from '@symbolon/protocol';
import type { PersonClient } from '@symbolon/sdk/person';
import { type PendingSignIn, SignInClient } from '@symbolon/sdk/sign-in';
import { company as script, verifiedField } from '../cast.ts';
import type { Narrator } from '../narrator.ts';
import { expect, expectSame, textOf } from '../same-value.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';

export type SignInOutcome = { subject: string; claim: string; decrypted: string; verified: boolean };

const REDIRECT_URI = 'https://harbourbikes.example/signed-in';

/** The company's site: a sign-in app with its own key, made on the company's computer. */
export async function openSite(url: string, { account, service }: CompanySide): Promise<SignInClient> {
  const { publicKey, privateKey: pkcs8 } = await generateKeyPair();
  const app = await account.createOAuthApp({
    name: `${script.name} online`,
    redirect_uris: [REDIRECT_URI],
    public_key: publicKey,
    service_id: service.id,
  });
  return new SignInClient({
    url,
    clientId: app.client_id,
    clientSecret: app.client_secret ?? undefined,
    redirectUri: REDIRECT_URI,
    privateKey: { pkcs8 },
  });
}

/** A person signs in at the site, and shares an address that the site can check. */
export async function signIn(site: SignInClient, player: Player, tell: Narrator): Promise<SignInOutcome> {
  const { client, script: person } = player;
  tell.chapter(`${person.name} signs in at the company's site`);
  const claims = [{ name: 'mail', type: 'email', required: true, verified: true } as const];
  const pending = site.begin({ scope: 'openid', claims });
  const request = await openedBy(client, pending);
  tell.fact('Asks', `${request.app.name}, ${request.app.origin}: a verified e-mail address`);
  tell.fact(`${person.name} picks`, `${verifiedField}, sealed on the device to the site's key`);
  const callback = await approved(client, request, { claims: { mail: { field: verifiedField } } });
  tell.fact('Comes back with', 'a code, which the site exchanges within the minute');
  const { subject, claims: opened } = await site.complete(callback, pending);
  const mail = opened.mail;
  expectSame(player.field(verifiedField).text, mail?.value, 'The claim');
  expect(mail?.verified !== undefined, 'The claim is not verified.');
  expect(subject === client.person.share_code, 'The site got the subject of another person.');
  tell.fact('The site reads', `${subject}, ${textOf(mail?.value)} ✓ verified`);
  tell.say(
    'The site opened the claim with its key and checked the attestation. The platform had only ciphertext of the address.',
  );
  return { subject, claim: 'mail', decrypted: textOf(mail?.value), verified: true };
}

/** What the consent page shows of an address that a site made. */
export async function openedBy(client: PersonClient, { url }: PendingSignIn): Promise<ConsentRequest> {
  const opened: OpenedConsent = await client.consent.open(new URL(url).search);
  if ('request_id' in opened) return opened;
  throw new Error('The consent page refused the request of the site.');
}

/** @returns the address at which the person comes back */
export async function approved(
  { consent }: PersonClient,
  request: ConsentRequest,
  approval: Parameters<PersonClient['consent']['approve']>[2] = {},
): Promise<string> {
  const decided = await consent.approve(request, await consent.begin(request), approval);
  return 'redirect_to' in decided ? decided.redirect_to : '';
}
