import { readConfig, serve } from '@symbolon/server';
import { answering, childEnvironment } from './answering.ts';

/** The platform as `symbolon serve` runs it, configured by the environment. */
const platform = await serve(readConfig(childEnvironment()));
answering(platform.url, { stop: () => platform.stop() });
