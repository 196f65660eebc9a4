import type { Context } from '../../../server/src/context.ts';
import { stopServing } from '../../../server/src/roles/server.ts';

/** What tests reach into: the collaborators of all domains of a region, side by side. */
export type Insides = ReturnType<typeof insidesOf>;

export function insidesOf(context: Context) {
  const { core, domain, authenticator, outbox } = context;
  // Missing on a platform with one region; tests about regions have several.
  const several = context.regions.several as NonNullable<typeof context.regions.several>;
  return {
    ...context.operations,
    ...context.registry,
    ...context.accounts,
    ...context.people,
    ...context.companies,
    ...context.clients,
    ...context.profile,
    ...context.plugins,
    ...context.services,
    ...context.sharing,
    ...context.delivery,
    ...context.approval,
    ...context.agreements,
    ...context.flows,
    ...context.operator,
    ...several,
    companyMoves: several,
    regionMessages: several?.messages,
    ...core,
    authenticator,
    outbox,
    domain,
    stop: () => stopServing(context),
  };
}
