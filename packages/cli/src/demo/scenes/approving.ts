import { type DataClient, GoneError } from '@symbolon/sdk';
import type { SignInClient } from '@symbolon/sdk/sign-in';
import { AuthenticatorApp } from '../authenticator-app.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import { expect } from '../same-value.ts';
import type { CompanySide } from './company.ts';
import type { Player } from './people.ts';
import { approved, openedBy } from './signing-in.ts';

export type ApprovalOutcome = { digits: string; status: string; told_again: string };

/** A login of the company asks for a second factor: the person approves it, and the company reads the outcome once. */
export async function approveLogin(
  backend: DataClient,
  scene: { company: CompanySide; player: Player; site: SignInClient; folder: string },
  tell: Narrator,
): Promise<ApprovalOutcome> {
  const { company, player, site, folder } = scene;
  const { client, script, password } = player;
  tell.chapter(`${script.name} approves a login of the company`);
  await client.security.mailCode('beginTotp');
  const { code: mailedCode } = await codeFromOutbox(folder, client.person.email);
  const { secret } = await client.security.beginTotp({ password, mailedCode });
  const app = new AuthenticatorApp(secret);
  await client.security.confirmTotp(app.next());
  tell.fact('Second factor', `${script.name}'s authenticator app`);
  const enrolment = site.begin({ mode: '2fa_enroll' });
  site.completeEnrolment(await approved(client, await openedBy(client, enrolment)), enrolment);
  await company.account.setNumberMatching(company.service.id, true);
  tell.fact('Enrolled', 'the service may ask, and shows two digits to type');

  let digits = '';
  for await (const event of client.events()) {
    if (event.kind === 'connected') {
      const context = 'Sign-in from Hamburg';
      const asked = await backend.twoFactor.challenge(client.person.share_code, { context });
      digits = asked.matchingDigits ?? '';
      tell.fact('Company asks', `${context}; its login form shows ${digits}`);
    }
    if (event.kind !== 'two_factor_challenge') continue;
    const { id } = event;
    const card = await client.approvals.challenge(id);
    tell.fact('On her device', `${card.company.display_name}, ${card.service.name}: ${card.context}`);
    await client.approvals.approve(id, { password, code: app.next() }, digits);
    tell.fact(`${script.name} proves it`, `by her password and the app, and types ${digits}`);
    const { status } = await backend.twoFactor.waitForResult(id);
    expect(status === 'approved', 'The login was not approved.');
    tell.fact('Company reads', status);
    const again = await backend.twoFactor.result(id).then(
      () => '',
      (error: unknown) => (error instanceof GoneError ? error.errorKey : ''),
    );
    expect(again === 'twofa.result_consumed', 'The outcome was delivered twice.');
    tell.say('The outcome is delivered once: a second call learns that it is consumed.');
    return { digits, status, told_again: again };
  }
  throw new Error('The challenge did not arrive.');
}
