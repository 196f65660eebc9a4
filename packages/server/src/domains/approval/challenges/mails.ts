import { isoTime } from '../../../core/clock.ts';
import { inMail, type Mail } from '../../../core/mail.ts';
import type { AskedChallenge } from './store.ts';

/** To the admin of a service: a person says that a login is not theirs. What the service wrote on the card is not repeated. */
export function notMeMail(row: AskedChallenge): Mail {
  const service = inMail(row.service_name);
  return {
    to: row.admin_email,
    subject: `${service}: a person did not start a login`,
    text: [
      `The person ${row.share_code} was asked to approve a login of your service ${service}`,
      `and answered: this was not me.`,
      '',
      `Challenge: ${row.id}`,
      '',
      `Raised at: ${isoTime(row.created_at)}`,
      '',
      'Somebody may know the password of this account at your service. Check the account, end its sessions,',
      'and have the password changed. The log of the service lists every such answer; within 10 minutes you get',
      'one mail for a person.',
    ].join('\n'),
  };
}
