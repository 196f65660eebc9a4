import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { textOfFile } from '@symbolon/crypto/node';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, isoTime } from './clock.ts';
import { ConfigError } from './config-error.ts';
import type { TlsFiles } from './config-tls.ts';
import type { Probe } from './probes.ts';
import type { Timers } from './timers.ts';

export interface TlsDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>;
}

/** A certificate and the key that fits it, in PEM. */
interface Pair {
  readonly cert: string;
  readonly key: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

/** How often the files are read again. */
export const LOOK_MS = 60_000;
/** What renews certificates does so weeks before their end. */
const EXPIRES_SOON_MS = 7 * 86_400_000;

/**
 * The certificate and key that a server shows, from files that are renewed while it runs: they are read again every minute, and at
 * SIGHUP. Files that cannot be used, as when one of the two is written and the other is not yet, leave the last good pair in use.
 */
export class TlsPair {
  readonly #deps: TlsDeps;
  readonly #files: TlsFiles;
  #pair: Pair;
  /** Why the files cannot be used as they are now. */
  #fault: string | undefined;
  #shown: ((context: SecureContextOptions) => void) | undefined;
  #cancel = () => {};
  #looking: Promise<void> = Promise.resolve();
  readonly #look = () => {
    this.#looking = this.#looking.then(() => this.#read());
  };

  private constructor(deps: TlsDeps, files: TlsFiles, pair: Pair) {
    this.#deps = deps;
    this.#files = files;
    this.#pair = pair;
  }

  /** @throws {ConfigError} for files that cannot be used */
  static async open(deps: TlsDeps, files: TlsFiles): Promise<TlsPair> {
    return new TlsPair(deps, files, await readPair(files));
  }

  /** What a server is made with. */
  get context(): SecureContextOptions {
    const { cert, key } = this.#pair;
    return { cert, key, minVersion: 'TLSv1.2' };
  }

  /** In milliseconds. */
  get expiresAt(): number {
    return this.#pair.expiresAt;
  }

  /** Whether the files can be used, and the certificate lasts. */
  get probe(): Probe {
    return {
      name: 'tls',
      check: async () => {
        if (this.#fault !== undefined) throw new Error(this.#fault);
        const said = `the certificate ends on ${isoTime(this.expiresAt)}`;
        if (this.expiresAt - this.#deps.clock.now() < EXPIRES_SOON_MS) throw new Error(said);
        return said;
      },
    };
  }

  /** Reads the files again from now on. @param show takes a new pair for connections that are opened afterwards */
  start(show: (context: SecureContextOptions) => void): void {
    this.#shown = show;
    process.on('SIGHUP', this.#look);
    const wait = () => {
      this.#cancel = this.#deps.timers.after(LOOK_MS, () => {
        this.#look();
        wait();
      });
    };
    wait();
  }

  async stop(): Promise<void> {
    this.#shown = undefined;
    process.off('SIGHUP', this.#look);
    this.#cancel();
    await this.#looking;
  }

  async #read(): Promise<void> {
    try {
      const pair = await readPair(this.#files);
      this.#fault = undefined;
      if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
      this.#pair = pair;
      this.#shown?.(this.context);
      this.#deps.log.info({ expires: new Date(pair.expiresAt) }, 'a new TLS certificate is in use');
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      // Once, not every minute.
      if (fault !== this.#fault)
        this.#deps.log.error(
          { reason: fault },
          'the files for TLS cannot be used, the last ones stay in use',
        );
      this.#fault = fault;
    }
  }
}

/** @throws {ConfigError}, which shows nothing of the key */
async function readPair({ certFile, keyFile }: TlsFiles): Promise<Pair> {
  const [cert, key] = await Promise.all([
    readText('SYMBOLON_TLS_CERT_FILE', certFile),
    readText('SYMBOLON_TLS_KEY_FILE', keyFile),
  ]);
  const certificate = attempt(
    () => new X509Certificate(cert),
    `SYMBOLON_TLS_CERT_FILE names ${certFile}, which holds no certificate in PEM.`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    `SYMBOLON_TLS_KEY_FILE names ${keyFile}, which holds no private key in PEM without a passphrase.`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      `The certificate in ${certFile} is not for the key in ${keyFile}: SYMBOLON_TLS_CERT_FILE and SYMBOLON_TLS_KEY_FILE.`,
    );
  // What comes after the first certificate, and what the library allows of keys.
  attempt(
    () => createSecureContext({ cert, key }),
    `SYMBOLON_TLS_CERT_FILE names ${certFile}, whose certificates cannot be used.`,
  );
  return { cert, key, expiresAt: certificate.validToDate.getTime() };
}

async function readText(variable: string, file: string): Promise<string> {
  try {
    return textOfFile(await readFile(file));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`${variable} names ${file}, which cannot be read (${code}).`, { cause });
  }
}

function attempt<Result>(work: () => Result, otherwise: string): Result {
  try {
    return work();
  } catch (cause) {
    throw new ConfigError(otherwise, { cause });
  }
}
