/** The platform as a process of its own, for tests that kill it. Prints its address once it serves. */
import { readConfig } from '../../../server/src/core/config.ts';
import { serve } from '../../../server/src/serve.ts';

const platform = await serve(readConfig(process.env));
process.once('SIGTERM', () => void platform.stop());
console.log(platform.url);
