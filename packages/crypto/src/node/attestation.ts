import { hash } from 'node:crypto';
import { equalTexts } from '../bytes.ts';

/** Whether the salted hash attests this plaintext (wire 2.5). Never throws. */
export function matchesAttestationSync(plaintext: string, salt: string, expected: string): boolean {
  return equalTexts(expected, hash('sha256', salt + plaintext, 'hex'));
}
