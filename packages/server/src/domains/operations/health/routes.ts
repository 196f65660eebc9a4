import { Type } from 'typebox';
import type { Availability } from '../../../core/availability.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';

const Health = Type.Object({
  status: Type.Union([
    Type.Literal('ok'),
    Type.Literal('writes_paused', {
      description: 'saving is paused or not possible (db.writes_paused)',
    }),
    Type.Literal('out_of_order', { description: 'calls are refused (platform.out_of_order)' }),
  ]),
  away: Type.Optional(
    Type.Array(
      Type.Union([
        Type.Literal('saving', {
          description: 'the database takes no writes: its disk is full or read-only',
        }),
        Type.Literal('rate_limits', { description: 'Redis; what it counts is refused' }),
        Type.Literal('mail', { description: 'the mail server, or the folder for mails' }),
        Type.Literal('files', { description: 'the folder or the store of photos' }),
      ]),
      { description: 'What the platform needs and does not reach; missing when there is nothing' },
    ),
  ),
  seal: Type.Optional(
    Type.Object(
      { days_left: Type.Integer({ description: 'until the certificate expires; below zero: it has' }) },
      { description: 'The certificate that seals documents is to be replaced; missing while there is time' },
    ),
  ),
});

/** What health says of the certificate that seals documents; undefined while there is nothing to do. */
export type SealHealth = () => { readonly days_left: number } | undefined;

/**
 * Load balancers ask this, so it is 200 as long as the process serves, whatever the region is kept from: callers must go on
 * reaching the answers that tell them when to come back.
 */
export function healthRoutes(
  app: App,
  {
    availability,
    check,
    maintenance,
    sealHealth,
  }: {
    availability: Pick<Availability, 'away' | 'look'>;
    check: () => Promise<void>;
    maintenance: Pick<Maintenance, 'state'>;
    sealHealth?: SealHealth;
  },
): void {
  const route = routesOf(app, {
    tags: ['platform'],
    access: 'open',
    limit: 'pages',
    alwaysJson: true,
    answersUncounted: true,
  });

  route('GET /api/health', { summary: 'Whether the platform serves', ok: Health }, async () => {
    const { state } = maintenance;
    // A region that is being rebuilt may have no database.
    if (state !== 'out_of_order') await check();
    const canSave = state !== undefined || !(await availability.look('saving'));
    const { away } = availability;
    const seal = sealHealth?.();
    return {
      status: state ?? (canSave ? ('ok' as const) : ('writes_paused' as const)),
      ...(away.length === 0 ? {} : { away }),
      ...(seal !== undefined && { seal }),
    };
  });
}
