import { ConfigError } from './config-error.ts';
import type { variablesOf } from './read-variables.ts';

/** What the platform seals documents with. */
export interface SealConfig {
  /** PKCS#12; undefined: a platform of this machine alone makes its own. */
  readonly certificateFile: string | undefined;
  readonly password: string | undefined;
  /** PEM: the roots above the certificate and above the timestamp authority's. */
  readonly rootsFile: string | undefined;
  readonly timestamps: { readonly url: string; readonly need: 'required' | 'preferred' } | undefined;
  /** Child processes that read PDF files, and what one file may cost. */
  readonly processes: number;
  readonly deadlineMs: number;
  readonly memoryBytes: number;
}

/** @throws {ConfigError} */
export function readSealConfig({
  optional,
  whole,
  matching,
  url,
}: ReturnType<typeof variablesOf>): SealConfig {
  const certificateFile = optional('SYMBOLON_SEAL_CERTIFICATE');
  const password = optional('SYMBOLON_SEAL_PASSWORD');
  const timestampUrl = url('SYMBOLON_TIMESTAMP_URL', ['http:', 'https:']);
  const need = matching('SYMBOLON_TIMESTAMP', /^(required|preferred)$/, 'required or preferred');
  return {
    certificateFile,
    password,
    rootsFile: optional('SYMBOLON_SEAL_ROOTS'),
    timestamps:
      timestampUrl === undefined
        ? undefined
        : { url: timestampUrl, need: need === 'required' ? 'required' : 'preferred' },
    processes: atLeastOne('SYMBOLON_SEAL_PROCESSES', whole('SYMBOLON_SEAL_PROCESSES', 64)),
    deadlineMs: atLeastOne('SYMBOLON_SEAL_SECONDS', whole('SYMBOLON_SEAL_SECONDS', 600)) * 1000,
    memoryBytes: atLeastOne('SYMBOLON_SEAL_MEMORY_MB', whole('SYMBOLON_SEAL_MEMORY_MB', 65_536)) * 2 ** 20,
  };
}

/** @throws {ConfigError} */
function atLeastOne(name: string, value: number): number {
  if (value > 0) return value;
  throw new ConfigError(`${name} takes at least 1.`);
}
