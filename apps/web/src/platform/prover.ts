import type { PresenceOptions } from '@symbolon/protocol';
import { mailProofCode, type Proof, passwordProof, proofOptions, type Second } from './presence.ts';
import { currentSession } from './session.ts';

/** Whose presence is proved. */
export interface Prover {
  /** The address whose password counts. */
  readonly email: () => string;
  /** @param act names the thing and the decision */
  readonly options: (act: string) => Promise<PresenceOptions>;
  readonly mailCode: (act: string) => Promise<unknown>;
  readonly byPassword: (password: string, second: Second | undefined) => Promise<Proof>;
}

const email = () => {
  const session = currentSession();
  return session.state === 'in' ? session.person.email : '';
};

export const personProver: Prover = {
  email,
  options: proofOptions,
  mailCode: mailProofCode,
  byPassword: (password, second) => passwordProof({ email: email(), password, ...(second && { second }) }),
};
