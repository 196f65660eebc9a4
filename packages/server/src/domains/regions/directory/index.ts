import type { Core } from '../../domain.ts';
import type { Directory } from './directory.ts';
import { DirectoryService } from './directory-service.ts';
import { PeerTokens } from './peer-tokens.ts';
import { Peers } from './peers.ts';
import { RemoteDirectory } from './remote-directory.ts';

export type { Directory, Name } from './directory.ts';
export { directoryRoutes, regionOf } from './directory-routes.ts';
export { fenceDepartures } from './fence.ts';
export { peerTokenRoutes } from './grant-routes.ts';
export { homeRoutes } from './home-routes.ts';
export { Homes } from './homes.ts';
export { NameIntroductions } from './name-introductions.ts';
export { Names } from './names.ts';
export type { PeerAnswer, PeerCall, Peers } from './peers.ts';
export { rebaseRoutes } from './rebase.ts';
export { RoutedGrant } from './routed-grant.ts';
export { directoryTables } from './tables.ts';

/** The name under which the front door is called, and calls when it is no region. */
const FRONT_DOOR = 'front-door';

/** The directory of homes, and the signed calls between regions and the front door. */
export function createDirectory(core: Core) {
  const { config, secrets, publicUrl } = core;
  const isFrontDoor = config.roles.has('front-door');
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const peerTokens = new PeerTokens({
    ...core,
    key: secrets.peerKey,
    own: isRegion ? config.region : FRONT_DOOR,
    audiences: [...(isRegion ? [config.region] : []), ...(isFrontDoor ? [FRONT_DOOR] : [])],
  });
  const frontDoorUrl = () => config.frontDoorUrl ?? publicUrl();
  const peers = new Peers({ ...core, frontDoorUrl, tokens: peerTokens });
  const directoryService = isFrontDoor ? new DirectoryService(core) : undefined;
  const directory: Directory =
    directoryService?.forRegion(config.region) ?? new RemoteDirectory({ ...core, peers });
  return { peerTokens, peers, directoryService, directory };
}
