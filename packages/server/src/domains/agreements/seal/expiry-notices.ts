import { isoTime } from '../../../core/clock.ts';
import type { Core } from '../../domain.ts';
import { daysLeft, type SealCertificate } from './configured-certificate.ts';
import { deleteNotice, insertNotice } from './store.ts';

/** Days before expiry at which the operator is notified, ascending. */
const NOTICE_DAYS = [1, 7, 30] as const;

/** Tells the operator in time that the configured certificate expires: once for each number of days, whatever process does it. */
export class ExpiryNotices {
  readonly #deps: Pick<Core, 'clock' | 'config' | 'database' | 'log' | 'mail'>;

  constructor(deps: Pick<Core, 'clock' | 'config' | 'database' | 'log' | 'mail'>) {
    this.#deps = deps;
  }

  /** Whether it is time to replace the certificate. */
  isDue(certificate: SealCertificate): boolean {
    return this.#dueOf(certificate) !== undefined;
  }

  async run(certificate: SealCertificate | undefined): Promise<void> {
    const days = certificate && this.#dueOf(certificate);
    if (certificate === undefined || days === undefined) return;
    const { clock, config, database, log, mail } = this.#deps;
    const row = { certificate_sha256: certificate.sha256, days, created_at: clock.now() };
    if (!(await database.write((writer) => insertNotice(writer, row)))) return;
    log.warn(
      { certificate: certificate.name, expires_at: isoTime(certificate.expiresAt) },
      'the certificate of the seal expires soon',
    );
    if (config.operatorEmail === undefined) return;
    try {
      await mail.send(noticeMail(certificate, config.operatorEmail, clock.now()));
    } catch (error) {
      await database.write((writer) => deleteNotice(writer, row)); // so that the next sweep tries again
      throw error;
    }
  }

  #dueOf(certificate: SealCertificate): number | undefined {
    const left = daysLeft(certificate, this.#deps.clock.now());
    return NOTICE_DAYS.find((days) => left <= days);
  }
}

function noticeMail(certificate: SealCertificate, to: string, now: number) {
  const left = daysLeft(certificate, now);
  const when = left < 0 ? 'has expired' : `expires in ${left} ${left === 1 ? 'day' : 'days'}`;
  return {
    to,
    subject: `The certificate of the seal ${when}`,
    text: [
      `The certificate "${certificate.name}", by which your platform seals documents, ${when}: ${isoTime(certificate.expiresAt)}.`,
      'From then on the acts that complete a contract are refused.',
      '',
      'Put a new PKCS#12 file where SYMBOLON_SEAL_CERTIFICATE says, and restart each process of the platform.',
      '',
      `SHA-256 of the certificate: ${certificate.sha256}`,
    ].join('\n'),
  };
}
