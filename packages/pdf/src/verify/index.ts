import type { SealedFacts } from '../page/facts.ts';
import { parseFacts, type StatedFacts } from '../page/stated-facts.ts';
import { digestOf, hex } from './bytes.ts';
import {
  fingerprint,
  leadsTo,
  maySignDocuments,
  type ReadCertificate,
  readCertificate,
} from './certificate.ts';
import { type Container, findContainers } from './containers.ts';
import { checkSignedData, type ReadSignedData, readSignedData } from './signed-data.ts';
import { readToken, tokenLeadsTo } from './timestamp.ts';

export type { Act, SealedFacts } from '../page/facts.ts';

/**
 * - `sealed`: signed, all of it, by a certificate that leads to one of the roots, and unchanged since
 * - `untrusted`: signed and unchanged, by a certificate that leads to none of the roots
 * - `extended`: what was signed is unchanged, something was added after it
 * - `changed`: the file is not what was signed
 * - `not_signed`: there is no signature
 */
export type Verdict = 'sealed' | 'untrusted' | 'extended' | 'changed' | 'not_signed';

export interface Verification {
  readonly verdict: Verdict;
  /** In the order in which they were added. */
  readonly signatures: readonly SignatureReport[];
  /** What the seal says, where it can be believed: the verdict is `sealed`, or no roots were asked for. */
  readonly facts: SealedFacts | null;
  /** Whether the document that was signed is in the file, bit by bit as it was. Null when the seal does not tell where. */
  readonly originalIntact: boolean | null;
}

export interface SignatureReport {
  readonly coversWholeFile: boolean;
  /** Whether the bytes that it covers are those that were signed, by the key of the certificate. */
  readonly unchanged: boolean;
  /** Null when no roots were given. */
  readonly trusted: boolean | null;
  readonly signer: CertificateReport | null;
  /** What the signer claims; a timestamp proves. */
  readonly claimedAt: Date | null;
  readonly timestamp: {
    readonly time: Date;
    readonly authority: CertificateReport;
    readonly trusted: boolean | null;
  } | null;
}

export interface CertificateReport {
  readonly name: string;
  readonly issuer: string;
  readonly from: Date;
  readonly to: Date;
  /** SHA-256 of the certificate, lowercase hex. */
  readonly sha256: string;
}

export interface VerifyOptions {
  /** DER. Certificates of authorities, or of the seal itself. Without them nothing is said about trust. */
  readonly roots?: readonly Uint8Array[];
  /**
   * Whose seals are trusted under the roots: SHA-256 of the certificate (hex), or its name. Everybody whose certificate is one
   * for signing documents, unless given.
   */
  readonly signers?: readonly string[] | undefined;
  /** The time at which certificates must be valid where no timestamp proves one. Now, unless given. */
  readonly at?: Date;
}

/**
 * Tells what was signed in a PDF, by whom, when, and whether it is unchanged. Works in browsers and in Node, needs no network
 * and nothing but the file. Any bytes can be given.
 */
export async function verifyPdf(
  file: Uint8Array,
  { roots, signers, at = new Date() }: VerifyOptions = {},
): Promise<Verification> {
  const trust = roots && { roots: roots.map(readCertificate), signers: signers?.map(plain) };
  const { marks, containers } = findContainers(file);
  const judged: Judged[] = [];
  for (const container of containers) judged.push(await judge(file, container, trust, at));
  const last = judged.at(-1);
  const verdict = verdictOf(last, marks);
  const believed = verdict === 'sealed' || (verdict === 'untrusted' && !roots) ? last?.stated : undefined;
  return {
    verdict,
    signatures: judged.map(({ report }) => report),
    facts: believed?.facts ?? null,
    originalIntact: believed?.original ? await isIntact(file, believed) : null,
  };
}

interface Trust {
  readonly roots: readonly ReadCertificate[];
  readonly signers: readonly string[] | undefined;
}

interface Judged {
  readonly report: SignatureReport;
  readonly stated: StatedFacts | undefined;
}

function verdictOf(last: Judged | undefined, marks: number): Verdict {
  if (!last) return marks > 0 ? 'changed' : 'not_signed';
  const { unchanged, coversWholeFile, trusted } = last.report;
  if (!unchanged) return 'changed';
  if (!coversWholeFile) return 'extended';
  return trusted ? 'sealed' : 'untrusted';
}

async function judge(
  file: Uint8Array,
  container: Container,
  trust: Trust | undefined,
  at: Date,
): Promise<Judged> {
  const { gap, end } = container;
  const claimedAt = container.claimed ?? null;
  const coversWholeFile = end === file.length;
  const stated = container.facts === undefined ? undefined : parseFacts(container.facts);
  try {
    const signed = readSignedData(container.signature);
    const digest = (hash: string) => digestOf(hash, file.subarray(0, gap[0]), file.subarray(gap[1], end));
    const checked = await checkSignedData(signed, digest);
    const token = signed.token && (await readToken(signed.token, signed.signature));
    const tokenTrusted = token && trust ? await tokenLeadsTo(trust.roots, token) : null;
    const time = token && tokenTrusted !== false ? token.time : at;
    return {
      stated,
      report: {
        coversWholeFile,
        unchanged: checked.content && checked.signature,
        trusted: trust ? await isTrusted(trust, signed, time) : null,
        signer: await describe(signed.signer),
        claimedAt,
        timestamp: token
          ? { time: token.time, authority: await describe(token.authority), trusted: tokenTrusted }
          : null,
      },
    };
  } catch {
    const trusted = trust ? false : null;
    return {
      stated,
      report: { coversWholeFile, unchanged: false, trusted, signer: null, claimedAt, timestamp: null },
    };
  }
}

async function isTrusted(
  { roots, signers }: Trust,
  { signer, certificates }: ReadSignedData,
  at: Date,
): Promise<boolean> {
  if (!maySignDocuments(signer)) return false;
  const names = [plain(signer.name), await fingerprint(signer)];
  if (signers && !names.some((name) => signers.includes(name))) return false;
  return leadsTo(roots, signer, certificates, at);
}

/** A name as people copy it; a fingerprint as programs print it. */
function plain(text: string): string {
  const bare = text.trim();
  return /^(?:[0-9a-f]{2}:?){32}$/i.test(bare) ? bare.replaceAll(':', '').toLowerCase() : bare;
}

async function describe(certificate: ReadCertificate): Promise<CertificateReport> {
  const { name, issuer, from, to } = certificate;
  return { name, issuer, from, to, sha256: await fingerprint(certificate) };
}

async function isIntact(file: Uint8Array, { facts, original }: StatedFacts): Promise<boolean> {
  if (!original || original.from + original.length > file.length) return false;
  const bytes = file.subarray(original.from, original.from + original.length);
  return hex(await digestOf('SHA-256', bytes)) === facts.sha256;
}
