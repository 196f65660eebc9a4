import { connectLink } from '@symbolon/sdk';
import { writeLine } from '../terminal/output.ts';
import { readInput } from './files.ts';
import { findPassphrase } from './passphrase.ts';
import { readPublicKey } from './public-key.ts';

/** Prints the link for a QR code to a service, with the beginning of the fingerprint of the key in the file (wire 5.10). */
export async function printLink(
  file: string,
  options: { url: string; company: string; service: string; passphraseFile?: string },
): Promise<void> {
  const { sha256 } = await readPublicKey(await readInput(file), () => findPassphrase(options.passphraseFile));
  const { company: companyCode, service: serviceCode } = options;
  await writeLine(connectLink(options.url, { companyCode, serviceCode, fingerprint: sha256 }));
}
