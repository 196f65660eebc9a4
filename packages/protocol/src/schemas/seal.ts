import { type Static, Type } from 'typebox';
import { Time } from './common.ts';

const Fingerprint = Type.String({ description: 'SHA-256 of the certificate, lower-case hex' });

/** By which verifiers recognise seals of this platform. */
export const SealCertificateList = Type.Object({
  certificates: Type.Array(
    Type.Object({
      name: Type.String(),
      issuer: Type.String(),
      sha256: Fingerprint,
      expires_at: Time,
      development: Type.Boolean({ description: 'the platform made it itself, and nobody else trusts it' }),
    }),
  ),
  roots: Type.Array(Type.Object({ sha256: Fingerprint, pem: Type.String() })),
});
export type SealCertificateList = Static<typeof SealCertificateList>;
