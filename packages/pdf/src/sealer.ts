import type { PdfKind } from './file/open.ts';
import type { SealedFacts } from './page/facts.ts';
import type { SealWish } from './prepare.ts';
import { type Signer, signedData } from './sign/cms.ts';
import { completeSignature, type Prepared, type ValidationData } from './sign/prepared.ts';
import type { TimestampAuthority, Token } from './sign/timestamp-authority.ts';
import { hex } from './verify/bytes.ts';
import type { PdfWorker } from './worker.ts';

/** PAdES levels: signed; with a timestamp; with all that later validation needs. */
export type SealLevel = 'B-B' | 'B-T' | 'B-LT';

export interface Sealed {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  readonly kind: PdfKind;
}

export interface SealerOptions {
  readonly signer: Signer;
  readonly worker: PdfWorker;
  readonly timestamps?: {
    readonly authority: TimestampAuthority;
    /** What it means when no timestamp can be had: the document is not sealed, or sealed at a lower level. */
    readonly need: 'required' | 'preferred';
  };
  /** Gathers validation data for the seal and the authority's certificates; null when some of it cannot be had. */
  readonly validation?: (token: Token) => Promise<ValidationData | null>;
}

/** Room for a signature, in bytes, before it is known what a signature takes. */
const USUAL_ROOM = 24_576;
const SPARE = 2048;
const ATTEMPTS = 3;
const PROBE = new Uint8Array(32);
/** How long an authority that failed is not asked where a timestamp is only preferred, in milliseconds. */
const PAUSE = 30_000;

interface Signed<P> {
  readonly prepared: P;
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
}

/** Seals documents with one certificate. */
export class Sealer {
  readonly #options: SealerOptions;
  #room = USUAL_ROOM;
  /** Tells which certificates the authority uses. */
  #lastToken: Token | undefined;
  #pausedUntil = 0;

  constructor(options: SealerOptions) {
    this.#options = options;
  }

  /**
   * Signs nothing, to learn what room a signature takes.
   * @returns the level that a seal would have now
   * @throws {PdfError} timestamp_failed where a timestamp is required
   */
  async probe(): Promise<SealLevel> {
    const validation = await this.#validation();
    const { signature, token } = await this.#signature(PROBE);
    this.#room = Math.ceil(signature.length * 1.25) + SPARE;
    return levelOf(token, validation);
  }

  /**
   * Appends pages that say who signed, and signs the whole. A file that carries signatures already is sealed as it is and
   * attached to these pages.
   * @throws {PdfError} digest_mismatch, why the file cannot be sealed, timestamp_failed where one is required
   */
  async seal(bytes: Uint8Array, facts: SealedFacts): Promise<Sealed> {
    const { worker } = this.#options;
    const document = await this.#sign(bytes, (wish) => worker.prepareSeal(bytes, { facts, ...wish }));
    const { kind, size } = document.prepared;
    if (!kind.signed) return { bytes: document.bytes, level: document.level, kind };
    const cover = await this.#sign(document.bytes, (wish) =>
      worker.prepareCover(document.bytes, bytes.length, size, { facts, ...wish }),
    );
    return { bytes: cover.bytes, level: lower(document.level, cover.level), kind };
  }

  /** Prepares again when the room was too small, or the authority has a new certificate. */
  async #sign<P extends Prepared>(
    base: Uint8Array,
    prepare: (wish: Pick<SealWish, 'room' | 'validation'>) => Promise<P>,
  ): Promise<Signed<P>> {
    for (let attempt = 1; ; attempt++) {
      const validation = await this.#validation();
      const prepared = await prepare({ room: this.#room, ...(validation && { validation }) });
      const { signature, token } = await this.#signature(prepared.digest);
      const level = levelOf(token, validation);
      if (attempt < ATTEMPTS) {
        if (signature.length > prepared.container.room) {
          this.#room = signature.length + SPARE;
          continue;
        }
        if (validation && token && level !== 'B-LT') continue;
      }
      return { prepared, bytes: completeSignature(base, prepared, signature), level };
    }
  }

  async #signature(digest: Uint8Array): Promise<{ signature: Uint8Array; token: Token | undefined }> {
    let token: Token | undefined;
    const signature = await signedData(digest, this.#options.signer, async (bytes) => {
      token = await this.#stamp(bytes);
      return token?.der;
    });
    return { signature, token };
  }

  async #stamp(bytes: Uint8Array): Promise<Token | undefined> {
    const { timestamps } = this.#options;
    if (!timestamps || performance.now() < this.#pausedUntil) return undefined;
    try {
      this.#lastToken = await timestamps.authority.stamp(bytes);
      return this.#lastToken;
    } catch (error) {
      if (timestamps.need === 'required') throw error;
      this.#pausedUntil = performance.now() + PAUSE;
      return undefined;
    }
  }

  async #validation(): Promise<ValidationData | null> {
    if (!this.#options.validation) return null;
    const token = this.#lastToken ?? (await this.#stamp(PROBE));
    return token ? this.#options.validation(token) : null;
  }
}

function levelOf(token: Token | undefined, validation: ValidationData | null): SealLevel {
  if (!token) return 'B-B';
  const held = new Set(validation?.certificates.map(hex));
  return token.certificates.every(({ der }) => held.has(hex(der))) ? 'B-LT' : 'B-T';
}

const LEVELS: readonly SealLevel[] = ['B-B', 'B-T', 'B-LT'];

function lower(a: SealLevel, b: SealLevel): SealLevel {
  return LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b;
}
