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

/**
 * A name that a user chose, as mails show it: with a space of no width where mail programs would make a link or an address of it, or read an
 * encoded word (RFC 2047).
 */
export const inMail = (name: string): string => name.replace(/[.:/@](?=\S)|=(?=\?)/g, '$&\u200B');

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves once the mail server (or the outbox folder) has it. While neither answers, calls are refused at once.
   * @throws {PlatformError} mail.unavailable, mail.refused
   */
  send(mail: Mail): Promise<void>;
  /** For acts that need a mail, before anything is done for them. @throws {PlatformError} mail.unavailable */
  refuseWhenAway(): void;
  /** Sends a mail for the operator to see how that goes, also while the server is taken to be away. */
  tryOut(mail: Mail): Promise<MailTrial>;
  /** The process ends: mails that are being sent have a few seconds left, and no other is sent. */
  stop(): void;
}

/** What came of a mail that was sent to see whether mails can be sent. */
export interface MailTrial {
  readonly sent: boolean;
  readonly through: 'server' | 'outbox';
  readonly reason: string | null;
  /** What was said; without a password and without the mail. */
  readonly talk: readonly string[];
}

/** Where mails go. */
interface MailTransport {
  readonly kind: MailTrial['through'];
  /** Sends a mail as `send` does, over a connection of its own. @param say is called with each line of the talk */
  tryOut(mail: Mail, signal: AbortSignal, say: (line: string) => void): Promise<void>;
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
  const open = async (options: object = {}) => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // The defaults are minutes: as long a server that says nothing would hold a call.
      dnsTimeout: limits.connectMs,
      connectionTimeout: limits.connectMs,
      greetingTimeout: limits.greetingMs,
      socketTimeout: limits.silentMs,
      socketCloseTimeout: 0,
      ...options,
    });
  };
  const opened = atFirstUse(() => open());
  return {
    title: 'mail server',
    kind: 'server',
    async tryOut(mail, signal, say) {
      const transport = await open({ logger: talkLogger(say), debug: true });
      try {
        await transport.sendMail({ ...messageOf(mail, from), signal });
      } finally {
        transport.close();
      }
    },
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
  const send = async (mail: Mail) => {
    const { message } = await (await opened()).sendMail(messageOf(mail, from));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${ids.uuid()}.eml`;
    await writeFile(join(folder, name), message as Buffer, { mode: 0o600, flush: true });
    return name;
  };
  return {
    title: 'mail outbox',
    kind: 'outbox',
    send: async (mail) => void (await send(mail)),
    tryOut: async (mail, _signal, say) => say(`written as ${join(folder, await send(mail))}`),
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
  const inTime = async (act: (signal: AbortSignal) => Promise<unknown>) => {
    const tooLate = new AbortController();
    const cancel = timeLimit(timers, timeLeft(SEND_MOST_MS), () =>
      tooLate.abort(new Error('it takes too long')),
    );
    await act(AbortSignal.any([tooLate.signal, stopping.signal])).finally(cancel);
  };
  return {
    refuseWhenAway,

    async tryOut(mail) {
      const talk: string[] = [];
      const say = (line: string) => talk.length < TALK_MOST && talk.push(line.slice(0, TALK_LINE_MOST));
      try {
        await inTime((signal) => transport.tryOut(mail, signal, say));
        return { sent: true, through: transport.kind, reason: null, talk };
      } catch (error) {
        return { sent: false, through: transport.kind, reason: textOf(error), talk };
      }
    },
    async send(mail) {
      refuseWhenAway();
      try {
        await inTime((signal) => transport.send(mail, signal));
      } catch (error) {
        if (stopping.signal.aborted) throw unavailable(error);
        need.failed(error);
        throw isRefused(error) ? new PlatformError('mail.refused', { cause: error }) : unavailable(error);
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

const textOf = (error: unknown): string => {
  const { message, reason } = error as { message?: string; reason?: Error };
  return reason?.message ?? message ?? String(error);
};

/** Lines of a trial's talk, and characters of each. */
const TALK_MOST = 100;
const TALK_LINE_MOST = 500;

/** Of what the library logs, what the two sides say: it leaves passwords out. */
function talkLogger(say: (line: string) => void) {
  const debug = (entry: { tnx?: string }, message: string) => {
    const arrow = entry.tnx === 'client' ? '>' : entry.tnx === 'server' ? '<' : undefined;
    if (arrow !== undefined) for (const line of message.split('\n')) say(`${arrow} ${line.trimEnd()}`);
  };
  const quiet = () => {};
  return { debug, level: quiet, trace: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet };
}

/** A mail that the server does not take, for now or for good, says nothing about the next one. */
function reasonOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? undefined : textOf(error);
}
