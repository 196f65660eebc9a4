import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Cancellations } from './cancellations.ts';
import { Endings } from './endings.ts';
import { cancellationRoutes } from './routes.ts';

/** Cancelling documents, and the day on which cancelled contracts end. */
export function createCancellations(
  core: Core,
  needs: NeedsOf<typeof Cancellations> & NeedsOf<typeof Endings>,
): Domain {
  const cancellations = new Cancellations({ ...core, ...needs });
  const endings = new Endings({ ...core, ...needs });
  return {
    routes: (app) => cancellationRoutes(app, { cancellations }),
    sweeps: [{ name: 'ending contracts', run: (stopping) => endings.run(stopping) }],
  };
}
