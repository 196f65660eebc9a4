import { readFileSync, statSync } from 'node:fs';
import { textOfFile } from '@symbolon/crypto/node';
import type { SealCertificateList } from '@symbolon/protocol';
import {
  type Act,
  ConfigurationError,
  type Verdict,
  type Verification,
  verifyDocument,
} from '@symbolon/sdk/verify';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';

const FILE_MOST = 256 * 2 ** 20;

/** What a program may branch on: sealed; unchanged, but signed by no trusted party; anything else. */
const EXIT: Readonly<Record<Verdict, number>> = {
  sealed: 0,
  untrusted: 3,
  extended: 1,
  changed: 1,
  not_signed: 1,
};

interface Options {
  readonly root?: string;
  readonly signer?: readonly string[];
  /** A file with what `GET /api/seal/certificates` of a platform answered. */
  readonly platform?: string;
  readonly json?: boolean;
}

/** Says what the seal of a PDF says, and whether it holds. Needs nothing but the file. */
export async function verifyFile(file: string, options: Options): Promise<void> {
  if (statSync(file).size > FILE_MOST)
    throw new Problem(`${file} is larger than ${FILE_MOST / 2 ** 20} MiB.`);
  return reportSeal(readFileSync(file), options);
}

/** Prints what the seal of a PDF says, and leaves the exit code. @throws Problem for a file of roots that holds none */
export async function reportSeal(pdf: Uint8Array, options: Options): Promise<void> {
  const found = await verified(pdf, options);
  process.exitCode = found.originalIntact === false ? 1 : EXIT[found.verdict];
  if (options.json) return writeLine(jsonLine(found));
  const asked = options.platform !== undefined ? 'platform' : options.root !== undefined ? 'roots' : 'nobody';
  for (const line of linesOf(found, asked, createPaint(process.stdout))) await writeLine(line);
}

/** Which signers are trusted. */
type Asked = 'platform' | 'roots' | 'nobody';

function verified(
  pdf: Uint8Array,
  { root: rootFile, signer: signers, platform }: Options,
): Promise<Verification> {
  if (platform !== undefined) {
    if (rootFile !== undefined || signers)
      throw new Problem('--platform says whom to believe: leave out --root and --signer.', { exitCode: 2 });
    return verifyDocument(pdf, { platform: certificatesIn(platform) }).catch(wrongRoots(platform));
  }
  if (rootFile === undefined) {
    if (signers) throw new Problem('--signer needs --root, which says whom to believe.', { exitCode: 2 });
    return verifyDocument(pdf);
  }
  return verifyDocument(pdf, { roots: textOfFile(readFileSync(rootFile)), signers }).catch(
    wrongRoots(rootFile),
  );
}

const wrongRoots = (file: string) => (cause: unknown) => {
  if (!(cause instanceof ConfigurationError)) throw cause;
  throw new Problem(`${file}: ${cause.message}`, { exitCode: 2, cause });
};

/** @throws Problem when it is not what a platform answers */
function certificatesIn(file: string): SealCertificateList {
  try {
    const list = JSON.parse(textOfFile(readFileSync(file))) as Partial<SealCertificateList> | null;
    // What is wrong inside is found when the certificates are read.
    if (Array.isArray(list?.certificates) && Array.isArray(list.roots)) return list as SealCertificateList;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw new Problem(`${file} is not what GET /api/seal/certificates of a platform answers.`, { exitCode: 2 });
}

function linesOf({ verdict, signatures, facts, originalIntact }: Verification, asked: Asked, paint: Paint) {
  const last = signatures.at(-1);
  const row = (name: string, value: string) => `${pad(paint.bold(name), WIDTH)}  ${printable(value)}`;
  const lines = [headline(verdict, asked, paint)];
  if (originalIntact === false) lines.push(paint.bad('✗ The document in it is not the one that was signed.'));
  if (last?.signer) {
    lines.push(row('Sealed by', `${last.signer.name}, certified by ${last.signer.issuer}`));
    lines.push(row('Certificate', last.signer.sha256));
  }
  if (last?.timestamp) {
    const { time, authority, trusted } = last.timestamp;
    const trust = trusted === false ? ', under none of the roots' : '';
    lines.push(row('Timestamp', `${time.toISOString()} by ${authority.name}${trust}`));
  } else if (last?.claimedAt) {
    lines.push(row('Sealed at', `${last.claimedAt.toISOString()}, as its signer says`));
  }
  if (facts === null) return lines;
  lines.push(row('Document', facts.documentName), row('SHA-256', facts.sha256));
  if (originalIntact) lines.push(row('', 'The document that was signed is in the file, bit by bit.'));
  if (facts.sentBy !== undefined) lines.push(row('Sent by', `${facts.sentBy}, ${isoOf(facts.sentAt)}`));
  for (const act of facts.acts)
    lines.push(row(act.action === 'signed' ? 'Signed by' : 'Accepted by', actText(act)));
  return lines;
}

function headline(verdict: Verdict, asked: Asked, paint: Paint): string {
  switch (verdict) {
    case 'sealed':
      return paint.good(`✓ Sealed${asked === 'platform' ? ' by this platform' : ''}, and unchanged since.`);
    case 'untrusted':
      if (asked === 'platform')
        return paint.bad(
          '✗ Unchanged, but sealed by another party: its certificate is not one of this platform.',
        );
      return asked === 'roots'
        ? paint.bad(
            '✗ Unchanged, but its certificate leads to none of the roots, or is not one that you trust to seal.',
          )
        : `– Unchanged since it was sealed. ${paint.dim('--root FILE checks who sealed it.')}`;
    case 'extended':
      return paint.bad('✗ Something was added after it was sealed.');
    case 'changed':
      return paint.bad('✗ Changed since it was sealed.');
    case 'not_signed':
      return paint.bad('✗ Not sealed.');
  }
}

function actText(act: Act): string {
  const name = `${act.name}${act.nameVerified ? ' (identity verified)' : ''}`;
  const behalf = act.onBehalfOf === undefined ? '' : ` for ${act.onBehalfOf}`;
  const how = act.method === undefined ? '' : `, ${METHODS[act.method]}`;
  return `${name}${behalf}, ${isoOf(act.at)}${how}`;
}

const isoOf = (at: number) => new Date(at).toISOString();

const METHODS: Readonly<Record<NonNullable<Act['method']>, string>> = {
  biometric: 'confirmed on the device',
  twofa: 'two-factor authentication',
  email: 'code by e-mail',
};
const WIDTH = 12;
