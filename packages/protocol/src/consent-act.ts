import type { ApproveConsentRequest } from './schemas/consent.ts';

/**
 * The text of a decision at the consent page. The act of its proof of presence is `consent <request id> <hash>`, with the SHA-256
 * of this text in lower-case hex, so that a proof is good for exactly this decision. It is JSON with the members of each object
 * in the order of their names, without blanks.
 */
export function consentDecisionText({
  claims = [],
  decisions = [],
}: Pick<ApproveConsentRequest, 'claims' | 'decisions'>): string {
  return canonical({ claims, decisions });
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
