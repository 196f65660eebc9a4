import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Signer } from '@symbolon/pdf';
import { PdfError } from '@symbolon/pdf/runner';
import { ConfigError } from '../../../core/config-error.ts';
import type { SealConfig } from '../../../core/config-seal.ts';

/** A certificate that seals, and what a verifier trusts to recognise its seals. */
export interface SealCertificate {
  readonly signer: Signer;
  readonly roots: readonly X509Certificate[];
  readonly name: string;
  readonly issuer: string;
  /** Milliseconds. */
  readonly expiresAt: number;
  /** Lowercase hex. */
  readonly sha256: string;
  readonly isDevelopment: boolean;
}

const DAY_MS = 86_400_000;

/** Whole days; below zero once it has expired. */
export function daysLeft({ expiresAt }: Pick<SealCertificate, 'expiresAt'>, now: number): number {
  return Math.floor((expiresAt - now) / DAY_MS);
}

/**
 * Reads the certificate that the configuration names, and tries whether key and certificate can seal.
 * @param now milliseconds
 * @returns undefined when it names none
 * @throws {ConfigError} naming the variable and the reason; it shows no password
 */
export async function configuredCertificate(
  config: SealConfig,
  now: number,
): Promise<SealCertificate | undefined> {
  const { certificateFile } = config;
  if (certificateFile === undefined) return undefined;
  const bytes = read('SYMBOLON_SEAL_CERTIFICATE', certificateFile);
  try {
    const { signerFromPkcs12 } = await import('@symbolon/pdf');
    const signer = signerFromPkcs12(bytes, config.password ?? '');
    return await sealCertificate(signer, configuredRoots(config), now);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    throw new ConfigError(`SYMBOLON_SEAL_CERTIFICATE names ${certificateFile}. ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * One that has expired is taken: it seals nothing any more, but everything else goes on.
 * @param roots when empty, the topmost certificate of the chain
 * @throws {PdfError} certificate_unusable
 */
export async function sealCertificate(
  signer: Signer,
  roots: readonly X509Certificate[],
  now: number,
  { isDevelopment = false } = {},
): Promise<SealCertificate> {
  const { checkSigner } = await import('@symbolon/pdf');
  const ends = [signer.certificate, ...signer.chain].map(({ validToDate }) => validToDate.getTime());
  const { name, issuer, expiresAt } = checkSigner(signer, Math.min(now, ...ends.map((end) => end - 1)));
  return {
    signer,
    roots: roots.length > 0 ? roots : [signer.chain.at(-1) ?? signer.certificate],
    name,
    issuer,
    expiresAt: expiresAt.getTime(),
    sha256: fingerprintOf(signer.certificate),
    isDevelopment,
  };
}

export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

/** The roots of the configuration, of the seal and of the timestamp authority. @throws {ConfigError} */
function configuredRoots({ rootsFile }: SealConfig): X509Certificate[] {
  if (rootsFile === undefined) return [];
  const parts = read('SYMBOLON_SEAL_ROOTS', rootsFile).toString('utf8').match(PEM) ?? [];
  try {
    if (parts.length > 0) return parts.map((part) => new X509Certificate(part));
  } catch (cause) {
    throw new ConfigError(`SYMBOLON_SEAL_ROOTS names ${rootsFile}, with a certificate that cannot be read.`, {
      cause,
    });
  }
  throw new ConfigError(`SYMBOLON_SEAL_ROOTS names ${rootsFile}, in which there is no certificate in PEM.`);
}

/** @throws {ConfigError} */
function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`${variable} names ${file}, which cannot be read (${code}).`, { cause });
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
