import { Worker } from '../../core/worker.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Name } from './directory/directory.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { RoutedGrant } from './directory/routed-grant.ts';
import { RoutedKeys } from './directory/routed-keys.ts';
import { RoutedSeals } from './directory/routed-seals.ts';
import { type OpenedRegions, openRegions } from './open.ts';
import { peersProbe } from './peers-probe.ts';
import { createRelay } from './relay/index.ts';

const CLAIMS_PAUSE_MS = 60_000;

/** Keeps the directory, in a process with the role `front-door`. */
export function createDirectoryKeeper(core: Core, { directoryService, peers }: OpenedRegions): Domain {
  if (directoryService === undefined) return {};
  const settleClaims = new Worker({
    ...core,
    name: 'claims of the directory',
    pauseMs: CLAIMS_PAUSE_MS,
    work: () =>
      directoryService.settleClaims(async (region, owner, names) => {
        const path = '/internal/names/held';
        const { held } = await peers.ask<{ held: Name[] }>(
          { region },
          { method: 'POST', path, body: { owner, names } },
        );
        return held;
      }),
  });
  return {
    routes: (app) => directoryRoutes(app, { directory: directoryService }),
    workers: [{ role: 'front-door', start: () => settleClaims.start(), stop: () => settleClaims.stop() }],
  };
}

/** The regions as seen by a front door that hosts no region: it forwards calls, and answers for all regions. */
export function openFrontDoor(core: Core) {
  const opened = openRegions(core);
  const own = { ...core, ...opened };
  return {
    opened,
    grant: new RoutedGrant(own),
    publicKeys: new RoutedKeys(own),
    seals: new RoutedSeals(own),
    document: documentOfRegions(core, opened),
    domain: combine(
      { stop: () => opened.peers.stop(), probes: [peersProbe(core, opened)] },
      createRelay(core, opened),
      createDirectoryKeeper(core, opened),
    ),
  };
}

/** The OpenAPI document of the first region that answers, with the base URLs of all regions as its servers. */
function documentOfRegions({ regions, clock }: Core, { peers }: OpenedRegions): () => Promise<object> {
  let kept: { readonly document: Promise<object>; readonly until: number } | undefined;
  const read = async ([region = '', ...others]: readonly string[]): Promise<object> => {
    try {
      return await peers.ask<object>({ region }, { method: 'GET', path: '/openapi.json' });
    } catch (error) {
      if (others.length === 0) throw error;
      return read(others);
    }
  };
  const ask = async () => ({
    ...(await read(regions.names)),
    servers: regions.names.map((name) => ({ url: regions.apiUrl(name), description: name })),
  });
  return () => {
    if (kept === undefined || kept.until <= clock.now()) {
      const asked = { document: ask(), until: clock.now() + DOCUMENT_KEPT_MS };
      asked.document.catch(() => {
        if (kept === asked) kept = undefined;
      });
      kept = asked;
    }
    return kept.document;
  };
}

/** A region tells of a new release after a restart: sooner than this it need not be known. */
const DOCUMENT_KEPT_MS = 60_000;
