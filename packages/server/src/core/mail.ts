import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Availability, Need } from './availability.ts';
import { timeLeft } from './deadline.ts';
import { PlatformError } from './errors.ts';
import { atFirstUse } from './first-use.ts';
import type { Ids } from './ids.ts';
import { mailHtml } from './mail-html.ts';
import { type Timers, timeLimit } from './timers.ts';
import { tryFolder } from './try-folder.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Paragraphs, with an empty line between two; in its HTML twin the lines of a paragraph flow. */
  readonly text: string;
  /** The code with which a paragraph of the text begins. */
  readonly code?: string;
  /** The address that is a paragraph of the text. */
  readonly link?: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves once the mail server (or the outbox folder) has it. While neither answers, calls are refused at once.
   * @throws {PlatformError} mail.unavailable, mail.refused
   */
  send(mail: Mail): Promise<void>;
  /** For acts that need a mail, before anything is done for them. @throws {PlatformError} mail.unavailable */
  refuseWhenAway(): void;
  /** The process ends: mails that are being sent have a few seconds left, and no other is sent. */
  stop(): void;
}

/** Where mails go. */
interface MailTransport {
  readonly title: string;
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Rejects while it takes no mails. */
  probe(): Promise<unknown>;
}

/** Milliseconds, of a mail server on the way to sending one mail. */
const SMTP_LIMITS = { connectMs: 5_000, greetingMs: 5_000, silentMs: 5_000 };
export type SmtpLimits = typeof SMTP_LIMITS;

/** The whole of sending one mail. */
const SEND_MOST_MS = 7_000;
const STOP_MOST_MS = 3_000;
/** Seconds after which a call whose mail could not be sent may be repeated. */
const RETRY_AFTER = '30';

const messageOf = (mail: Mail, from: string) => ({
  from,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  html: mailHtml(mail),
});

/** Mail through a server. */
export function smtpTransport(url: string, from: string, limits: SmtpLimits = SMTP_LIMITS): MailTransport {
  const opened = atFirstUse(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // The defaults are minutes: as long a server that says nothing would hold a call.
      dnsTimeout: limits.connectMs,
      connectionTimeout: limits.connectMs,
      greetingTimeout: limits.greetingMs,
      socketTimeout: limits.silentMs,
      socketCloseTimeout: 0,
    });
  });
  return {
    title: 'mail server',
    async send(mail, signal) {
      await (await opened()).sendMail({ ...messageOf(mail, from), signal });
    },
    probe: async () => (await opened()).verify(),
  };
}

/** Without a mail server: every mail becomes an .eml file (RFC 5322) in a folder, oldest first by name. */
export function outboxTransport(folder: string, from: string, ids: Ids): MailTransport {
  const opened = atFirstUse(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ streamTransport: true, buffer: true });
  });
  return {
    title: 'mail outbox',
    async send(mail) {
      const { message } = await (await opened()).sendMail(messageOf(mail, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${ids.uuid()}.eml`), message as Buffer, { mode: 0o600, flush: true });
    },
    probe: () => tryFolder(folder),
  };
}

/** A mailer that knows whether its transport is away. */
export function createMailer(
  transport: MailTransport,
  { availability, timers }: { availability: Availability; timers: Timers },
): Mailer {
  const { title, probe } = transport;
  const need: Need = availability.add('mail', { title, probe, reasonOf });
  const stopping = new AbortController();
  const refuseWhenAway = () => {
    if (need.isAway) throw unavailable();
  };
  return {
    refuseWhenAway,

    async send(mail) {
      refuseWhenAway();
      const tooLate = new AbortController();
      const cancel = timeLimit(timers, timeLeft(SEND_MOST_MS), () =>
        tooLate.abort(new Error('it takes too long')),
      );
      try {
        await transport.send(mail, AbortSignal.any([tooLate.signal, stopping.signal]));
      } catch (error) {
        if (stopping.signal.aborted) throw unavailable(error);
        need.failed(error);
        throw isRefused(error) ? new PlatformError('mail.refused', { cause: error }) : unavailable(error);
      } finally {
        cancel();
      }
    },

    stop() {
      timers.after(STOP_MOST_MS, () => stopping.abort(new Error('the process ends')));
    },
  };
}

function unavailable(cause?: unknown): PlatformError {
  return new PlatformError('mail.unavailable', { headers: { 'retry-after': RETRY_AFTER }, cause });
}

/** Whether the server takes no mail for this address: it said so for good (RFC 5321 4.2.1). */
function isRefused(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500;
}

/** A mail that the server does not take, for now or for good, says nothing about the next one. */
function reasonOf(error: unknown): string | undefined {
  const { code, message, reason } = error as { code?: unknown; message?: string; reason?: Error };
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return undefined;
  return reason?.message ?? message ?? String(error);
}
