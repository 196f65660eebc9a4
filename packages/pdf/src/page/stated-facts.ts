import { type Act, METHODS, type SealedFacts } from './facts.ts';

/** What stands in a seal, for programs. */
export interface StatedFacts {
  readonly facts: SealedFacts;
  /** Where the bytes are that were signed; null when the file had to be rewritten to be sealed. */
  readonly original: { readonly from: number; readonly length: number } | null;
}

const VERSION = 1;

export function writeFacts({ facts, original }: StatedFacts): string {
  return JSON.stringify({ version: VERSION, ...facts, original });
}

/** @returns undefined for what this version does not understand */
export function parseFacts(text: string): StatedFacts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.version !== VERSION) return undefined;
  const { documentName, sha256, sentBy, sentAt, sealedAt, acts, original } = value;
  if (typeof documentName !== 'string' || typeof sha256 !== 'string' || !Array.isArray(acts))
    return undefined;
  if (!isCount(sentAt) || !isCount(sealedAt) || !acts.every(isAct)) return undefined;
  return {
    facts: { documentName, sha256, ...(typeof sentBy === 'string' && { sentBy }), sentAt, sealedAt, acts },
    original:
      isRecord(original) && isCount(original.from) && isCount(original.length)
        ? { from: original.from, length: original.length }
        : null,
  };
}

function isAct(value: unknown): value is Act {
  return (
    isRecord(value) &&
    (value.action === 'signed' || value.action === 'accepted') &&
    typeof value.name === 'string' &&
    typeof value.nameVerified === 'boolean' &&
    (value.method === undefined ||
      (typeof value.method === 'string' && Object.hasOwn(METHODS, value.method))) &&
    isCount(value.at)
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
