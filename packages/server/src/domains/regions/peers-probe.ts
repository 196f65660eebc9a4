import type { Probe } from '../../core/probes.ts';
import type { Core } from '../domain.ts';
import type { PeerName, Peers } from './directory/peers.ts';

const FRESH_MS = 15_000;
const ANSWER_MS = 3_000;

/** Whether the other regions and the front door answer calls under this process's keys. */
export function peersProbe(
  { config, regions }: Pick<Core, 'config' | 'regions'>,
  deps: { peers: Peers },
): Probe {
  const isDoor = config.roles.has('front-door');
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const others: PeerName[] = [
    ...(isRegion ? regions.others : regions.names).map((region) => ({ region })),
    ...(isDoor ? [] : ['front-door' as const]),
  ];
  const nameOf = (peer: PeerName) => (peer === 'front-door' ? peer : peer.region);
  return {
    name: 'peers',
    freshMs: FRESH_MS,
    async check() {
      const call = { method: 'GET', path: '/api/health', timeoutMs: ANSWER_MS } as const;
      const asked = await Promise.allSettled(others.map((peer) => deps.peers.ask(peer, call)));
      const silent = others.filter((_, index) => asked[index]?.status === 'rejected').map(nameOf);
      if (silent.length > 0) throw new Error(`no answer: ${silent.join(', ')}`);
      return `answer: ${others.map(nameOf).join(', ')}`;
    },
  };
}
