export { type Config, ConfigError, configVariables, readConfig } from './core/config.ts';
export { version } from './core/version.ts';
export { pingPostgres } from './db/ping-postgres.ts';
export { type RunningPlatform, serve } from './serve.ts';
