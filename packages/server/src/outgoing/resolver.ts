import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Names to addresses, as a port: a test decides where a name leads. */
export interface Resolver {
  /** Every address of a host, in order of preference; rejects when there is none. */
  resolve(host: string): Promise<ResolvedAddress[]>;
}

/** The operating system's resolver, asked anew every time. */
export const systemResolver: Resolver = {
  async resolve(host) {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
};
