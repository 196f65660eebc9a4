import { ConfigError } from './config-error.ts';
import type { variablesOf } from './read-variables.ts';

/** PEM files with which the platform speaks TLS itself. */
export interface TlsFiles {
  /** The certificate, and after it those between it and its root. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** @returns undefined: plain HTTP. @throws {ConfigError} */
export function readTlsFiles({ optional }: ReturnType<typeof variablesOf>): TlsFiles | undefined {
  const certFile = optional('SYMBOLON_TLS_CERT_FILE');
  const keyFile = optional('SYMBOLON_TLS_KEY_FILE');
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === keyFile) return undefined;
  throw new ConfigError('SYMBOLON_TLS_CERT_FILE and SYMBOLON_TLS_KEY_FILE are set together, or not at all.');
}
