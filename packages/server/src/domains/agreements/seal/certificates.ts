import { X509Certificate } from 'node:crypto';
import type { SealCertificateList } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { isLoopbackHost } from '../../../core/ip-address.ts';
import type { Core } from '../../domain.ts';
import { fingerprintOf, type SealCertificate, sealCertificate } from './configured-certificate.ts';
import type { PublishedSeals } from './published-seals.ts';
import { insertSealChain, sealChains } from './store.ts';
import type { SealChainRow } from './tables.ts';

const ID = 'development';
const PLACE = { table: 'seal_chains', column: 'private_key', id: ID };

type Deps = Pick<Core, 'clock' | 'database' | 'publicUrl' | 'secrets'>;

/** Which certificate seals: the configured one, else, on a platform of this machine alone, one made here. */
export class SealCertificates implements PublishedSeals {
  readonly #deps: Deps;
  /** Undefined: none is configured. */
  readonly configured: SealCertificate | undefined;
  #made: SealCertificate | undefined;

  constructor(deps: Deps, configured: SealCertificate | undefined) {
    this.#deps = deps;
    this.configured = configured;
  }

  /** The one that seals; makes it on the first call of a development platform. Undefined: nothing is sealed here. */
  async toSeal(): Promise<SealCertificate | undefined> {
    const known = await this.known();
    if (known !== undefined || !this.#isLocal()) return known;
    const { clock, database, secrets } = this.#deps;
    const now = clock.now();
    const { createDevelopmentChain } = await import('@symbolon/pdf');
    const chain = createDevelopmentChain({ name: 'Symbolon (development)', now });
    const row: SealChainRow = {
      id: ID,
      private_key: secrets.encrypt(Buffer.from(chain.privateKey), PLACE),
      certificate: chain.certificate,
      root: chain.root,
      created_at: now,
    };
    await database.write((writer) => insertSealChain(writer, row));
    return this.known(); // it may be another process's
  }

  /** The one that seals or sealed before; makes none. */
  async known(): Promise<SealCertificate | undefined> {
    if (this.configured !== undefined) return this.configured;
    if (this.#made !== undefined || !this.#isLocal()) return this.#made;
    const { clock, database, secrets } = this.#deps;
    const [row] = await sealChains(database.vital);
    if (row === undefined) return undefined;
    const privateKey = secrets.decrypt(row.private_key, PLACE).toString('utf8');
    const { signerFromPem } = await import('@symbolon/pdf');
    const signer = signerFromPem(privateKey, row.certificate);
    this.#made = await sealCertificate(signer, [new X509Certificate(row.root)], clock.now(), {
      isDevelopment: true,
    });
    return this.#made;
  }

  async published(): Promise<SealCertificateList> {
    const known = await this.known();
    if (known === undefined) return { certificates: [], roots: [] };
    const { name, issuer, sha256, expiresAt, isDevelopment, roots } = known;
    return {
      certificates: [{ name, issuer, sha256, expires_at: isoTime(expiresAt), development: isDevelopment }],
      roots: roots.map((root) => ({ sha256: fingerprintOf(root), pem: root.toString() })),
    };
  }

  #isLocal(): boolean {
    const base = this.#deps.publicUrl();
    return base === '' || isLoopbackHost(new URL(base).host);
  }
}
