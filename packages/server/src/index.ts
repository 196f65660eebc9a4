export { type Config, ConfigError, configVariables, readConfig } from './config.ts';
export { pingPostgres } from './db/ping-postgres.ts';
export { type RunningPlatform, serve } from './serve.ts';
export { version } from './version.ts';
