import type { NeedName } from '../../core/availability.ts';
import { diskOf } from '../../core/disk.ts';
import type { Probe, ProbeName, Readiness } from '../../core/probes.ts';
import { checkSchema } from '../../db/upgrade.ts';
import type { Core, Domain } from '../../domains/domain.ts';

/** What every process may need; a forwarder has no database. */
export type ProbedCore = Pick<Core, 'availability' | 'config'> & Partial<Pick<Core, 'database'>>;

/** Room below which the next hour may bring a write that fails. */
const FREE_LEAST_BYTES = 256 * 2 ** 20;

/** What is behind each check that the platform watches anyway. */
const NEEDS: readonly [ProbeName, NeedName][] = [
  ['database', 'saving'],
  ['rate_limits', 'rate_limits'],
  ['files', 'files'],
  ['mail', 'mail'],
];

/** Has a process answer for itself and for its domains. */
export function addProbes(
  core: ProbedCore & { readonly readiness: Readiness },
  { probes = [] }: Pick<Domain, 'probes'>,
): void {
  core.readiness.add([...coreProbes(core), ...probes]);
}

/** The checks of a process beside those of its domains. */
function coreProbes({ availability, config, database }: ProbedCore): Probe[] {
  const probes = NEEDS.filter(([, need]) => availability.has(need)).map(
    ([name, need]): Probe => ({
      name,
      async check() {
        // Of the database this is a write: a replica answers reads, too.
        if (await availability.look(need)) throw new Error(availability.reason(need) ?? 'unavailable');
        return undefined;
      },
    }),
  );
  probes.push({
    name: 'workers',
    async check() {
      const failing = [...availability.failingWork];
      if (failing.length > 0) throw new Error(`failing: ${failing.join(', ')}`);
      return undefined;
    },
  });
  if (database === undefined) return probes;
  return [
    ...probes,
    { name: 'migrations', freshMs: 60_000, check: () => checkSchema(database) },
    {
      name: 'disk',
      freshMs: 10_000,
      async check() {
        const { free } = await diskOf(config.dataDir);
        const said = `${Math.floor(free / 2 ** 20)} MiB are free for ${config.dataDir}`;
        if (free < FREE_LEAST_BYTES) throw new Error(said);
        return said;
      },
    },
  ];
}
