import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { without } from '../tools.ts';

/** Why tests that need a certificate are skipped; false when they run. */
export const noCertificates = without('openssl');

export interface TestCertificate {
  /** PEM; it is its own authority. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate for these hosts, valid for two days. @param hosts `DNS:<name>` or `IP:<address>` */
export function createCertificate(...hosts: string[]): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '2', '-subj', '/CN=test', '-addext', `subjectAltName=${hosts.join()}`],
        ...['-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
