import type { FastifyBaseLogger } from 'fastify';
import { noPeers } from '../../../access/peers.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Config } from '../../../core/config.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { Database } from '../../../db/database.ts';
import { type Directory, noDirectory } from './directory.ts';
import { DirectoryService } from './directory-service.ts';
import { PeerTokens } from './peer-tokens.ts';
import { Peers } from './peers.ts';
import { Regions } from './regions.ts';
import { RemoteDirectory } from './remote-directory.ts';

/** The name under which the front door is called, and calls when it is no region. */
const FRONT_DOOR = 'front-door';

/** What a process needs to deal with other regions; with one alone, next to nothing. */
export function createRegions(deps: {
  config: Config;
  clock: Clock;
  log: FastifyBaseLogger;
  database: Database;
  secrets: Secrets;
  /** Under which clients reach this process. */
  ownBase: () => string;
}) {
  const { config, clock, log, database, secrets, ownBase } = deps;
  const regions = new Regions({ config, ownBase });
  if (!regions.several) {
    return {
      regions,
      peerTokens: noPeers,
      peers: undefined,
      directoryService: undefined,
      directory: noDirectory,
    };
  }
  const isFrontDoor = config.roles.has('front-door');
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const peerTokens = new PeerTokens({
    key: secrets.peerKey,
    own: isRegion ? config.region : FRONT_DOOR,
    audiences: [...(isRegion ? [config.region] : []), ...(isFrontDoor ? [FRONT_DOOR] : [])],
    clock,
  });
  const peers = new Peers({
    regions,
    frontDoorUrl: () => config.frontDoorUrl ?? ownBase(),
    tokens: peerTokens,
  });
  const directoryService = isFrontDoor ? new DirectoryService({ database, clock }) : undefined;
  const directory: Directory =
    directoryService?.forRegion(config.region) ?? new RemoteDirectory({ peers, log });
  return { regions, peerTokens, peers, directoryService, directory };
}
