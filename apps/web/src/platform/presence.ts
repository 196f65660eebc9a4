import type { LoginParameters, PresenceOptions, PresenceProof } from '@symbolon/protocol';
import { onDevice } from './device.ts';
import { call } from './inner/api.ts';

export type Proof = PresenceProof;
/** A code that goes with the password. */
export type Second = { kind: 'totp' | 'mailed_code'; text: string };

/** @param act names the thing and the decision, as `approve challenge ID` */
export function proofOptions(act: string): Promise<PresenceOptions> {
  return call('POST', '/api/person/presence', { act });
}

export function mailProofCode(act: string): Promise<unknown> {
  return call('POST', '/api/person/presence/mailed-code', { act });
}

export async function passwordProof(input: {
  email: string;
  password: string;
  second?: Second;
}): Promise<Proof> {
  const { email, password, second } = input;
  const { loginSecret } = await derived(email, password);
  return { kind: 'password', login_secret: loginSecret, ...(second && secondMembers(second)) };
}

export function secondMembers({ kind, text }: Second) {
  return kind === 'mailed_code' ? { mailed_code: text.replace(/\s/g, '') } : secondMember(text);
}

/** Six digits are the code of the app; anything else is a recovery code of the second factor. */
export function secondMember(text: string): { code: string } | { recovery_code: string } {
  const code = text.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? { code } : { recovery_code: text.trim() };
}

/** What the password comes to for an address. */
export async function derived(email: string, password: string) {
  const parameters = await call<LoginParameters>('POST', '/api/person/login/parameters', { email });
  return { ...(await onDevice('loginSecret', { parameters, password })), version: parameters.version };
}
