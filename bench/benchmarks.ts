import type { Benchmark } from './support/report.ts';

interface Entry {
  readonly load: () => Promise<Benchmark>;
  /** What it may take on two cores, in seconds; a run ends it then. All together stay under 25 minutes. */
  readonly seconds: number;
}

/** Each by its name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, Entry>> = {
  'token-route': { load: async () => (await import('./token-route.ts')).tokenRoute, seconds: 170 },
  'code-exchange': { load: async () => (await import('./code-exchange.ts')).codeExchange, seconds: 90 },
  'feed-drain': { load: async () => (await import('./feed-drain.ts')).feedDrain, seconds: 80 },
  'sdk-sync': { load: async () => (await import('./sdk-sync.ts')).sdkSync, seconds: 80 },
  'list-scale': { load: async () => (await import('./list-scale.ts')).listScale, seconds: 75 },
  durability: { load: async () => (await import('./durability.ts')).durability, seconds: 110 },
  // With the build of what it starts, pages included.
  start: { load: async () => (await import('./start.ts')).start, seconds: 120 },
  authentication: { load: async () => (await import('./authentication.ts')).authentication, seconds: 60 },
  webhooks: { load: async () => (await import('./webhooks.ts')).webhooks, seconds: 300 },
  challenges: { load: async () => (await import('./challenges.ts')).challenges, seconds: 50 },
  'device-signals': { load: async () => (await import('./device-signals.ts')).deviceSignals, seconds: 40 },
  'open-streams': { load: async () => (await import('./open-streams.ts')).openStreams, seconds: 40 },
  broadcasts: { load: async () => (await import('./broadcasts.ts')).broadcasts, seconds: 50 },
  uploads: { load: async () => (await import('./uploads.ts')).uploads, seconds: 30 },
  'worst-company': { load: async () => (await import('./worst-company.ts')).worstCompany, seconds: 90 },
  'consent-page': { load: async () => (await import('./consent-page.ts')).consentPage, seconds: 50 },
  seal: { load: async () => (await import('./seal.ts')).seal, seconds: 80 },
  generation: { load: async () => (await import('./generation.ts')).generation, seconds: 20 },
  flows: { load: async () => (await import('./flows.ts')).flows, seconds: 15 },
  'flow-runs': { load: async () => (await import('./flow-runs.ts')).flowRuns, seconds: 50 },
  forwarder: { load: async () => (await import('./forwarder.ts')).forwarder, seconds: 50 },
};

/** What has a command of its own, because it takes long or measures nothing; and the page that it writes, where it is not one of the docs. */
export const ON_THEIR_OWN: Readonly<Record<string, string | undefined>> = {
  scale: 'results/scale.md',
  'noisy-neighbour': 'results/noisy-neighbour.md',
  soak: 'results/soak.md',
  costs: undefined,
  plan: undefined,
  budget: undefined,
};
