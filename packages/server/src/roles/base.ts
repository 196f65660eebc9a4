import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { AccessTokens } from '../access/access-token.ts';
import { Cookies } from '../access/cookies.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { memoryLimits, redisLimits } from '../access/limit-store.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { Availability } from '../core/availability.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { type EventLoopDelay, eventLoop } from '../core/event-loop.ts';
import { createIds } from '../core/ids.ts';
import { Instruments, type Show } from '../core/instruments.ts';
import { isLoopbackHost } from '../core/ip-address.ts';
import { KeyRing } from '../core/key-ring.ts';
import { Readiness } from '../core/probes.ts';
import { Regions } from '../core/regions.ts';
import { createSecrets } from '../core/secrets.ts';
import { systemTimers, type Timers } from '../core/timers.ts';
import { bindGlobalMeter } from '../http/telemetry.ts';

/** What every process has, one without a database too. */
export async function createBase(
  config: Config,
  deps: { clock: Clock; log: FastifyBaseLogger; timers?: Timers },
) {
  const { clock, log, timers = systemTimers } = deps;
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const secrets = createSecrets(new KeyRing(config.secret, config.dataDir));
  const availability = new Availability({ clock, timers, log });
  const instruments = new Instruments(clock);
  bindGlobalMeter(instruments);
  instruments.gauges(showProcess);
  const region = isRegion ? config.region : config.roles.has('front-door') ? 'front-door' : 'forwarder';
  const limitStore =
    config.redis === undefined ? memoryLimits : await redisLimits(config.redis, { region, availability });
  const configured = isRegion ? config.regions.get(config.region) : config.frontDoorUrl;
  const address = { publicUrl: config.publicUrl ?? configured ?? '' };
  const isConfigured = address.publicUrl !== '';
  const publicUrl = () => address.publicUrl;
  // The tokens are in the configuration, not in the database: their hashes need no key.
  const operators = [
    { token: config.operatorToken, mayAct: true },
    { token: config.operatorReadToken, mayAct: false },
  ].flatMap(({ token, mayAct }) =>
    token === undefined ? [] : [{ hash: digest(token), principal: { kind: 'operator', mayAct } as const }],
  );
  // A caller on this machine gets the name by which it called.
  const urlFor = (host: string | undefined) =>
    isConfigured || !isLoopbackHost(host) ? address.publicUrl : `http://${host}`;
  return {
    config,
    clock,
    ids: createIds(clock),
    timers,
    log,
    secrets,
    regions: new Regions({ config, ownBase: publicUrl }),
    availability,
    readiness: new Readiness([], config.management.readyChecks, timers),
    instruments,
    limitStore,
    tokens: new AccessTokens({ keys: secrets.keys, region: config.region, clock }),
    // Browsers are at the front door, whatever leads from there to a region.
    cookies: new Cookies(() => (config.frontDoorUrl ?? address.publicUrl).startsWith('https:')),
    publicUrl,
    urlFor,
    // One issuer, whatever this machine is called by: a page moves to `localhost`, and RFC 9207 compares to the letter.
    issuer: () => config.frontDoorUrl ?? address.publicUrl,
    rateLimits: new RateLimits(config.rateLimits, limitStore),
    failures: new FailureLimit(config.rateLimits, limitStore),
    address,
    operatorOf: (token: string) =>
      operators.find(({ hash }) => timingSafeEqual(digest(token), hash))?.principal,
    async stop() {
      availability.stop();
      await limitStore.stop();
    },
  };
}

function showProcess(show: Show): void {
  show('process.memory.usage', process.memoryUsage.rss(), {});
  const { user, system } = process.cpuUsage();
  show('process.cpu.time', (user + system) / 1e6, {});
  for (const [part, ms] of Object.entries(eventLoop.read()) as [keyof EventLoopDelay, number][])
    show(`nodejs.eventloop.delay.${part}`, ms / 1000, {});
}

const digest = (token: string) => createHash('sha256').update(token).digest();
