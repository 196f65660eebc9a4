import type { Core, Domain } from '../../domain.ts';
import { CompanyLocator } from './company-locator.ts';
import type { Directory } from './directory.ts';
import { DirectoryService } from './directory-service.ts';
import { fenceDepartures } from './fence.ts';
import { GlobalNames } from './global-names.ts';
import { PeerTokens } from './peer-tokens.ts';
import { Peers } from './peers.ts';
import { regionRoutes } from './region-routes.ts';
import { RemoteDirectory } from './remote-directory.ts';

export type { Directory, Name } from './directory.ts';
export { directoryRoutes, regionOf } from './directory-routes.ts';
export type { PeerAnswer, PeerCall, Peers } from './peers.ts';
export { rebaseRoutes } from './rebase.ts';
export { RoutedGrant } from './routed-grant.ts';
export { directoryTables } from './tables.ts';

/** The name of the front door in calls, when its process is no region. */
const FRONT_DOOR = 'front-door';

/** The directory of homes, and the signed calls between regions and the front door. */
export function openDirectory(core: Core) {
  const { config, secrets, publicUrl } = core;
  const isFrontDoor = config.roles.has('front-door');
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const peerTokens = new PeerTokens({
    ...core,
    key: secrets.keys.key('peer', secrets.keys.oldest),
    own: isRegion ? config.region : FRONT_DOOR,
    audiences: [...(isRegion ? [config.region] : []), ...(isFrontDoor ? [FRONT_DOOR] : [])],
  });
  const frontDoorUrl = () => config.frontDoorUrl ?? publicUrl();
  const peers = new Peers({ ...core, frontDoorUrl, tokens: peerTokens });
  const directoryService = isFrontDoor ? new DirectoryService(core) : undefined;
  const directory: Directory = directoryService ?? new RemoteDirectory({ ...core, peers });
  const own = { ...core, directory };
  return {
    peerTokens,
    peers,
    directoryService,
    directory,
    names: new GlobalNames(own),
    companyLocator: new CompanyLocator(own),
  };
}

type Needs = ReturnType<typeof openDirectory> & Omit<Parameters<typeof regionRoutes>[1], 'names'>;

/** Answers what the front door and other regions ask this region. */
export function createDirectory(core: Core, needs: Needs): Domain {
  return {
    hooks: (app) => fenceDepartures(app, { ...core, ...needs }),
    routes: (app) => regionRoutes(app, needs),
    stop: () => needs.peers.stop(),
  };
}
