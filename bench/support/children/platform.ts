import { readConfig, serve } from '@symbolon/server';
import { answering } from './answering.ts';

/** The platform as `symbolon serve` runs it, configured by the environment. */
const platform = await serve(readConfig(process.env));
answering(platform.url, { stop: () => platform.stop() });
