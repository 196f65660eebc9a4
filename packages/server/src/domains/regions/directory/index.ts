import type { Core, Domain } from '../../domain.ts';
import { CompanyLocator } from './company-locator.ts';
import type { Directory } from './directory.ts';
import { DirectoryService } from './directory-service.ts';
import { GlobalNames } from './global-names.ts';
import { configuredKeys, derivedKeys } from './peer-keys.ts';
import { PeerTokens } from './peer-tokens.ts';
import { Peers } from './peers.ts';
import { regionRoutes } from './region-routes.ts';
import { rejectMovedCompanies } from './reject-moved-companies.ts';
import { RelayTokens } from './relay-tokens.ts';
import { RelayedAnswers } from './relayed-answers.ts';
import { RemoteDirectory } from './remote-directory.ts';
import { seenCalls } from './seen-calls.ts';
import { trustRelayHeaders } from './trust-relay-headers.ts';

/** The name of the front door in calls, when its process is no region. */
const FRONT_DOOR = 'front-door';

/** The directory of homes, and the signed calls between regions and the front door. */
export function openDirectory(core: Core) {
  const { config, secrets, publicUrl } = core;
  const isFrontDoor = config.roles.has('front-door');
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const own = isRegion ? config.region : FRONT_DOOR;
  const names = new Set([...core.regions.names, FRONT_DOOR]);
  const seen = seenCalls(core);
  const keys =
    config.peerKeys === undefined ? derivedKeys(names, secrets.keys) : configuredKeys(config.peerKeys);
  const peerTokens = new PeerTokens({
    ...core,
    keys,
    seen,
    own,
    audiences: [...(isRegion ? [config.region] : []), ...(isFrontDoor ? [FRONT_DOOR] : [])],
  });
  const frontDoorUrl = () => config.frontDoorUrl ?? publicUrl();
  const peers = new Peers({ ...core, frontDoorUrl, tokens: peerTokens });
  const directoryService = isFrontDoor ? new DirectoryService(core) : undefined;
  const directory: Directory = directoryService ?? new RemoteDirectory({ ...core, peers });
  const withDirectory = { ...core, directory };
  return {
    peerTokens,
    relayedAnswers: new RelayedAnswers(core),
    relayTokens: new RelayTokens({ ...core, keys, own, frontDoor: FRONT_DOOR }),
    seenCalls: seen,
    peers,
    directoryService,
    directory,
    names: new GlobalNames(withDirectory),
    companyLocator: new CompanyLocator(withDirectory),
  };
}

type Needs = ReturnType<typeof openDirectory> & Omit<Parameters<typeof regionRoutes>[1], 'names'>;

/** Answers what the front door and other regions ask this region. */
export async function createDirectory(core: Core, needs: Needs): Promise<Domain> {
  await needs.relayedAnswers.start();
  return {
    hooks(app) {
      trustRelayHeaders(app, needs);
      app.awaitsCall.push(() => needs.relayedAnswers.end());
      // With one region alone no company can have moved.
      if (core.regions.others.length > 0) rejectMovedCompanies(app, { ...core, ...needs });
    },
    routes: (app) => regionRoutes(app, needs),
    sweeps: [{ name: 'calls between regions', run: (stopping) => needs.seenCalls.sweep(stopping) }],
    async stop() {
      needs.relayedAnswers.stop();
      await needs.peers.stop();
    },
  };
}
