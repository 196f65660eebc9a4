import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves host names. A port, so that a test decides where a name leads. */
export interface Resolver {
  /** Every address of a host, in order of preference; rejects when there is none. */
  resolve(host: string): Promise<ResolvedAddress[]>;
}

/** The resolver of the operating system, without a cache. */
export const systemResolver: Resolver = {
  async resolve(host) {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
};
