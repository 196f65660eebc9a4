import { issue } from './issue.ts';

const DAY = 86_400_000;

export interface DevelopmentChain {
  /** PEM, PKCS#8. */
  readonly privateKey: string;
  /** PEM. */
  readonly certificate: string;
  /** PEM. Only this platform trusts it. */
  readonly root: string;
}

/** A new root and a certificate for a seal under it, for development and tests. */
export function createDevelopmentChain(options: {
  readonly name: string;
  readonly now: number;
  readonly days?: number;
}): DevelopmentChain {
  const from = new Date(options.now - DAY);
  const to = new Date(options.now + (options.days ?? 3650) * DAY);
  const root = issue({ name: `${options.name} (development root)`, purpose: 'authority', from, to });
  const leaf = issue({ name: options.name, purpose: 'seal', from, to, issuer: root });
  return {
    privateKey: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: leaf.certificate.toString(),
    root: root.certificate.toString(),
  };
}
