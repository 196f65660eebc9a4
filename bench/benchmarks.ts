import type { Benchmark } from './support/report.ts';

/** Each by its name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  'token-route': async () => (await import('./token-route.ts')).tokenRoute,
  'code-exchange': async () => (await import('./code-exchange.ts')).codeExchange,
  'feed-drain': async () => (await import('./feed-drain.ts')).feedDrain,
  'sdk-sync': async () => (await import('./sdk-sync.ts')).sdkSync,
  'list-scale': async () => (await import('./list-scale.ts')).listScale,
  durability: async () => (await import('./durability.ts')).durability,
  start: async () => (await import('./start.ts')).start,
  authentication: async () => (await import('./authentication.ts')).authentication,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  challenges: async () => (await import('./challenges.ts')).challenges,
  'device-signals': async () => (await import('./device-signals.ts')).deviceSignals,
  broadcasts: async () => (await import('./broadcasts.ts')).broadcasts,
  uploads: async () => (await import('./uploads.ts')).uploads,
  'consent-page': async () => (await import('./consent-page.ts')).consentPage,
  seal: async () => (await import('./seal.ts')).seal,
  generation: async () => (await import('./generation.ts')).generation,
  flows: async () => (await import('./flows.ts')).flows,
  'flow-runs': async () => (await import('./flow-runs.ts')).flowRuns,
  forwarder: async () => (await import('./forwarder.ts')).forwarder,
};
