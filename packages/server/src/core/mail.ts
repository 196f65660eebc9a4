import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Ids } from './ids.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. Resolves once the mail server (or the outbox folder) has it. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Mail through a server. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url);
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from });
    },
  };
}

/** Without a mail server: every mail becomes an .eml file (RFC 5322) in a folder, oldest first by name. */
export function outboxMailer(folder: string, from: string, ids: Ids): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ ...mail, from });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${ids.uuid()}.eml`), message as Buffer, { mode: 0o600, flush: true });
    },
  };
}
