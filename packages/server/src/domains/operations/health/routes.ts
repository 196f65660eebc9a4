import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Maintenance } from '../maintenance/index.ts';

const Health = Type.Object({
  status: Type.Union([
    Type.Literal('ok'),
    Type.Literal('writes_paused', { description: 'saving is paused (db.writes_paused)' }),
    Type.Literal('out_of_order', { description: 'calls are refused (platform.out_of_order)' }),
  ]),
});

/**
 * Load balancers ask this, so it is 200 as long as the process serves, whatever the region is kept from: callers must go on
 * reaching the answers that tell them when to come back.
 */
export function healthRoutes(
  app: App,
  { check, maintenance }: { check: () => Promise<void>; maintenance: Pick<Maintenance, 'state'> },
): void {
  const route = routesOf(app, {
    tags: ['platform'],
    access: 'open',
    alwaysJson: true,
    answersUncounted: true,
  });

  route('GET /api/health', { summary: 'Whether the platform serves', ok: Health }, async () => {
    const { state } = maintenance;
    // A region that is being rebuilt may have no database.
    if (state !== 'out_of_order') await check();
    return { status: state ?? ('ok' as const) };
  });
}
