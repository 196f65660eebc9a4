export { type Config, readConfig } from './core/config.ts';
export { ConfigError } from './core/config-error.ts';
export { configVariables } from './core/config-variables.ts';
export { version } from './core/version.ts';
export { pingPostgres } from './db/ping-postgres.ts';
export { configuredCertificate, daysLeft } from './domains/agreements/index.ts';
export { type RunningPlatform, serve } from './serve.ts';
