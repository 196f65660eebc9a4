import { createHash } from 'node:crypto';
import type { SealedFacts, Sealer, SealLevel } from '@symbolon/pdf';
import { PdfError, type PdfRunner } from '@symbolon/pdf/runner';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { SealCertificates } from './certificates.ts';
import type { SealCertificate } from './configured-certificate.ts';
import { trialPage } from './trial-page.ts';

export interface SealedPdf {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  /** Of the sealed file, lowercase hex. */
  readonly sha256: string;
}

/** Seconds after which an act that could not be sealed may be repeated. */
const RETRY_AFTER = { soon: '5', later: '60' };
/** Passes by itself within seconds. */
const SOON: ReadonlySet<string> = new Set(['busy', 'stopped', 'crashed']);

interface Deps extends Pick<Core, 'clock' | 'config' | 'instruments' | 'log'> {
  readonly certificates: SealCertificates;
  readonly runner: PdfRunner;
}

/** Seals documents. Files are read in child processes with limits, so that none harms or holds up the platform. */
export class Seals {
  readonly #deps: Deps;
  readonly #runner: PdfRunner;
  #sealing: { readonly certificate: SealCertificate; readonly sealer: Promise<Sealer> } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#runner = deps.runner;
  }

  /**
   * Appends the pages that say who signed, and seals the whole.
   * @param pdf whose SHA-256 is `facts.sha256`
   * @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable: nothing was sealed
   */
  async seal(pdf: Uint8Array, facts: SealedFacts): Promise<SealedPdf> {
    const began = performance.now();
    let outcome = 'failed';
    try {
      const sealer = await this.#sealer();
      const { bytes, level } = await sealer.seal(pdf, facts);
      outcome = level;
      return { bytes, level, sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (error instanceof PdfError) outcome = error.code;
      throw this.#answerFor(error);
    } finally {
      const seconds = (performance.now() - began) / 1000;
      this.#deps.instruments.record('symbolon.seal.duration', seconds, { outcome });
    }
  }

  /** Tries the timestamp authority with the configured certificate, so that an operator hears early that it fails. */
  async probe(): Promise<void> {
    const { certificates, log } = this.#deps;
    if (certificates.configured === undefined) return;
    try {
      const sealer = await this.#sealer();
      log.info(
        { level: await sealer.probe(), certificate: certificates.configured.name },
        'documents can be sealed',
      );
    } catch (error) {
      log.warn({ err: error }, 'documents cannot be sealed now; each act tries again');
    }
  }

  /** Seals a page for trial, by the very settings and processes of all others. @returns the level reached */
  async trial(): Promise<string> {
    const pdf = trialPage();
    const now = this.#deps.clock.now();
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    const facts = { documentName: 'Trial of the seal', sha256, sentAt: now, sealedAt: now, acts: [] };
    try {
      return `a trial seal reached ${(await this.seal(pdf, facts)).level}`;
    } catch (error) {
      const { cause } = error as Error;
      throw cause instanceof Error ? cause : error;
    }
  }

  async #sealer(): Promise<Sealer> {
    const { certificates, clock } = this.#deps;
    const certificate = await certificates.toSeal();
    if (certificate === undefined)
      throw unavailable('This platform has no certificate to seal documents with.');
    if (certificate.expiresAt <= clock.now()) throw unavailable('The certificate of the seal has expired.');
    if (this.#sealing?.certificate !== certificate) {
      this.#sealing = { certificate, sealer: this.#createSealer(certificate) };
    }
    return this.#sealing.sealer;
  }

  async #createSealer({ signer, roots }: SealCertificate): Promise<Sealer> {
    const { askByHttp, Sealer, timestampAuthority, validationSource } = await import('@symbolon/pdf');
    const { clock, config } = this.#deps;
    const { timestamps, rootsFile } = config.seal;
    if (timestamps === undefined) return new Sealer({ signer, worker: this.#runner });
    const ask = askByHttp();
    const trusted = roots.map(({ raw }) => raw);
    const isRooted = rootsFile !== undefined;
    const authority = timestampAuthority({ url: timestamps.url, ask, ...(isRooted && { roots: trusted }) });
    return new Sealer({
      signer,
      worker: this.#runner,
      timestamps: { authority, need: timestamps.need },
      ...(isRooted && {
        validation: validationSource({ signer, roots: trusted, ask, now: () => clock.now() }),
      }),
    });
  }

  #answerFor(error: unknown): unknown {
    // The caller has compared the digest: another one here is a mistake of ours.
    if (!(error instanceof PdfError) || error.code === 'digest_mismatch') return error;
    const { code, fault, message } = error;
    if (fault === 'file') {
      return new PlatformError('documents.pdf_unsupported', {
        text: message,
        details: { reason: code },
        cause: error,
      });
    }
    if (!SOON.has(code)) this.#deps.log.error({ err: error }, 'a document could not be sealed');
    return unavailable(undefined, error, SOON.has(code) ? RETRY_AFTER.soon : RETRY_AFTER.later);
  }
}

function unavailable(text?: string, cause?: unknown, seconds = RETRY_AFTER.later): PlatformError {
  return new PlatformError('documents.seal_unavailable', {
    headers: { 'retry-after': seconds },
    ...(text !== undefined && { text }),
    cause,
  });
}
