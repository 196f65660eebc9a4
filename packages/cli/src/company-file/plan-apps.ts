import type { OAuthApp, OAuthAppWithSecret, Service } from '@symbolon/protocol';
import { Problem } from '../problem.ts';
import { pathOf } from '../resources/find.ts';
import { keyOf } from './owned.ts';
import {
  type Act,
  differences,
  idOf,
  isSame,
  newPart,
  type Part,
  type Planning,
  shown,
  type Target,
} from './parts.ts';
import type { WantedApp } from './shape.ts';

const LIST = '/api/account/oauth-apps';
type Around = { targets: readonly Target[]; services: readonly Service[]; planning: Planning };

/** The sign-in apps of the company, which are recognised by their names. */
export async function planApps(wanted: readonly WantedApp[] | undefined, around: Around): Promise<Part> {
  const { present, owned, prune } = around.planning;
  const part = newPart();
  if (wanted === undefined && owned.below(keyOf.app('')).length === 0) return part;
  const before = await present.apps();
  for (const app of wanted ?? []) {
    const what = `app ${app.name}`;
    const found = before.filter(({ name }) => name === app.name);
    if (found.length > 1)
      throw new Problem(`There are ${found.length} apps ${app.name}. Give each its own name.`);
    const serviceOf = serviceIn(app, around);
    const [former] = found;
    if (former === undefined) {
      part.acts.push(creation(app, what, serviceOf));
      continue;
    }
    part.same.push(keyOf.app(former.client_id));
    const how = changesOf(app, former, serviceOf.known);
    if (how.length === 0) continue;
    part.acts.push({
      lines: [{ sign: '~', what, how }],
      async run({ api }) {
        const { app_type: _, ...body } = bodyOf(app, serviceOf.id());
        const path = pathOf(`PUT ${LIST}/{app}`, { app: former.client_id });
        await api.json({ method: 'PUT', path, json: body });
      },
    });
  }
  for (const { client_id, name } of before) {
    if (!owned.has(keyOf.app(client_id)) || wanted?.some((app) => app.name === name)) continue;
    if (prune) part.acts.push(deletion(client_id, `app ${name}`));
    else part.left.push(`app ${name}`);
  }
  return part;
}

type ServiceOfApp = { known: string | undefined; id: () => string | undefined };

/** The service that the app names by its code: of the file, which may not be there yet, or of the company. */
function serviceIn({ name, service }: WantedApp, { targets, services }: Around): ServiceOfApp {
  if (service === undefined) return { known: undefined, id: () => undefined };
  const target = targets.find(({ wanted }) => wanted.code === service);
  const known = target?.id ?? services.find(({ share_code }) => share_code === service)?.id;
  if (target === undefined && known === undefined) {
    throw new Problem(
      `The app ${name} names the service ${service}, which is neither in the file nor there.`,
      {
        exitCode: 2,
      },
    );
  }
  return { known, id: () => (target === undefined ? known : idOf(target)) };
}

function creation(app: WantedApp, what: string, service: ServiceOfApp): Act {
  return {
    lines: [{ sign: '+', what, how: [] }],
    ...((app.app_type ?? 'confidential') === 'confidential' && { makesSecret: true as const }),
    async run({ api, owned, keep }) {
      const json = bodyOf(app, service.id());
      const made = await api.json<OAuthAppWithSecret>({ method: 'POST', path: LIST, json });
      const { client_id, client_secret, name } = made;
      owned.change({ add: [keyOf.app(client_id)] });
      if (client_secret !== null) {
        keep(`app-${client_id}.json`, `${JSON.stringify({ client_id, client_secret, name }, null, 2)}\n`);
      }
    },
  };
}

function deletion(app: string, what: string): Act {
  return {
    lines: [{ sign: '-', what, how: ['nobody can sign in to it any more'] }],
    async run({ api, owned }) {
      await api.json({ method: 'DELETE', path: pathOf(`DELETE ${LIST}/{app}`, { app }) });
      owned.change({ remove: [keyOf.app(app)] });
    },
  };
}

function bodyOf({ service: _, ...app }: WantedApp, service_id: string | undefined) {
  return { ...app, ...(service_id !== undefined && { service_id }) };
}

/** @throws Problem for another kind of app, which one cannot become */
function changesOf(app: WantedApp, former: OAuthApp, service_id: string | undefined): string[] {
  const { redirect_uris, claim_config, app_type, service, ...plain } = app;
  if (app_type !== undefined && app_type !== former.app_type) {
    throw new Problem(
      `The app ${app.name} is ${former.app_type} and cannot become ${app_type}. Create another.`,
    );
  }
  const how = differences(plain, former);
  if (!isSame([...redirect_uris].sort(), [...former.redirect_uris].sort())) {
    how.push(`redirect_uris: ${shown(former.redirect_uris)} → ${shown(redirect_uris)}`);
  }
  if (service !== undefined && service_id !== former.service_id) how.push(`service: ${service}`);
  if (claim_config !== undefined && !hasClaims(claim_config, former.claim_config))
    how.push('claim_config: another');
  return how;
}

type Claims = OAuthApp['claim_config'];

/** The platform fills in what is left out. */
function hasClaims(wanted: Claims, former: Claims): boolean {
  return (
    wanted.length === former.length &&
    wanted.every((claim) => {
      const there = former.find(({ name }) => name === claim.name);
      return there !== undefined && differences(claim, there).length === 0;
    })
  );
}
