import { CryptoError, deriveRecoveryKeys, type RecoveryKeys, unwrapPrivateKey } from '@symbolon/crypto';
import type { RecoverRequest, RecoveryKeyRequest, WrappedPrivateKey } from '@symbolon/protocol';
import { InvalidRequestError } from '../http/errors.ts';
import { openingKey } from '../http/opening-key.ts';
import type { Transport } from '../http/transport.ts';
import { type FromHome, type LoginArea, postHome } from './home-call.ts';
import { newCredentials } from './material.ts';
import { type SecondFactor, secondMembers, withSecondFactor } from './second-step.ts';

/** What a recovery gives the device. The used recovery code is void; `recoveryCode` is the new one. */
export type Recovered<T> = FromHome<T> & {
  pkcs8: Uint8Array<ArrayBuffer>;
  loginSecret: string;
  version: number;
  recoveryCode: string;
};

/**
 * Sets a new password by the recovery code, which is replaced by a new one.
 *
 * @param input.secondFactor asked where recovering takes it too
 * @throws InvalidRequestError `sdk.recovery_code_malformed`, `sdk.password_weak`; AuthenticationError
 * `account.recovery_invalid`, `auth.two_factor_required`
 */
export async function recoverAccount<T>(
  transport: Transport,
  base: string,
  area: LoginArea,
  input: {
    email: string;
    recoveryCode: string;
    newPassword: string;
    secondFactor?: (() => Promise<SecondFactor>) | undefined;
  },
): Promise<Recovered<T>> {
  const { email } = input;
  const { recoverySecret, wrapKey } = await keysOfCode(input.recoveryCode);
  const proof: RecoveryKeyRequest = { email, recovery_secret: recoverySecret };
  type Found = { encrypted_private_key: WrappedPrivateKey };
  const found = await postHome<Found>(transport, base, `${area}/recover/key`, proof);
  const pkcs8 = await openingKey(unwrapPrivateKey(found.body.encrypted_private_key, wrapKey));
  const { credentials, loginSecret, recoveryCode } = await newCredentials(input.newPassword, pkcs8, [email]);
  const json: RecoverRequest = { ...proof, ...credentials };
  const send = (body: object) => postHome<T>(transport, found.base, `${area}/recover`, body);
  const sent = await withSecondFactor(send(json), input.secondFactor, (given) =>
    send({ ...json, ...secondMembers(given) }),
  );
  return { ...sent, pkcs8, loginSecret, version: credentials.version, recoveryCode };
}

/** @throws InvalidRequestError `sdk.recovery_code_malformed` */
export async function keysOfCode(recoveryCode: string): Promise<RecoveryKeys> {
  try {
    return await deriveRecoveryKeys(recoveryCode);
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new InvalidRequestError({ errorKey: 'sdk.recovery_code_malformed', message: error.message });
  }
}
