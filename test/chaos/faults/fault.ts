import type { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../../packages/server/src/db/database.ts';
import type { Setting } from '../support/installation.ts';
import type { World } from '../world.ts';

/** Something that breaks while the platform is used. */
export interface ChaosFault {
  readonly name: string;
  readonly engines: readonly Engine[];
  /** One region unless it says otherwise. */
  readonly setting?: Setting;
  /** Nothing can be saved while it lasts: health may not say `ok` after some seconds. */
  readonly stopsSaving?: boolean;
  /** Nothing breaks: nothing may come twice. */
  readonly harmless?: boolean;
  /** A process is frozen on purpose: its calls have no answer in time. */
  readonly freezes?: boolean;
  /** Seconds that it needs at least to show something. */
  readonly least?: number;
  /** Why it cannot be made in this world; undefined: it can. */
  readonly missing?: (world: World) => string | undefined;
  /** Breaks, for about so many seconds, and puts right what is not meant to heal by itself. */
  run(world: World, random: Random, seconds: number): Promise<void>;
}

export const both: readonly Engine[] = ['sqlite', 'postgres'];
