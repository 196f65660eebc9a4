export { matchesAttestationSync } from './attestation.ts';
export { fingerprintSync, privateKeyObject, publicKeyObject } from './keys.ts';
export { openBytesSync, openTextSync } from './open.ts';
export { sealTextSync } from './seal.ts';
export { textOfFile } from './text-of-file.ts';
