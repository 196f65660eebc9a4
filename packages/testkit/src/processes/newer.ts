/** The command, of a version with one more migration. */
import { beNewer } from '../platform/newer.ts';

beNewer();
await import('../../../cli/src/main.ts');
