import type { Service } from '@symbolon/protocol';
import { pathOf } from '../resources/find.ts';
import type { Template } from '../resources/table/types.ts';
import { keyOf } from './owned.ts';
import { type Act, differences, newPart, type Part, type Target } from './parts.ts';
import type { WantedService } from './shape.ts';

/** Each setting has a call of its own (wire 4.6). */
const CALLS = {
  name: 'PUT /api/services/{service}',
  admin_email: 'PUT /api/services/{service}/admin-email',
  audience: 'PUT /api/services/{service}/audience',
  require_2fa: 'PUT /api/services/{service}/require-2fa',
  number_matching: 'PUT /api/services/{service}/number-matching',
} as const satisfies Record<string, Template>;
type Setting = keyof typeof CALLS;

/** The service itself: it is created, or its settings are changed. */
export function planSettings(target: Target, present: Service | undefined): Part {
  const { wanted } = target;
  const part = newPart();
  const what = `service ${wanted.code}`;
  const settings = settingsOf(wanted);
  if (present === undefined) {
    part.acts.push(creation(target, what, settings));
    return part;
  }
  const how = differences(settings, present);
  part.same.push(keyOf.service(present.id));
  if (how.length === 0) return part;
  part.acts.push({
    lines: [{ sign: '~', what, how }],
    run: ({ api }) => change(api, present.id, settings, present),
  });
  return part;
}

function creation(target: Target, what: string, settings: Partial<Record<Setting, unknown>>): Act {
  const { code, name, admin_email } = target.wanted;
  return {
    lines: [{ sign: '+', what, how: [`name: ${name}`] }],
    makesSecret: true,
    async run({ api, company, owned, keep }) {
      const created = await (await company()).createService({ name, adminEmail: admin_email });
      const { service } = created;
      keep(`${code}/service-key.pem`, created.pem);
      keep(`${code}/passphrase.txt`, `${created.passphrase}\n`);
      target.id = service.id;
      owned.change({ add: [keyOf.service(service.id)] });
      const path = pathOf('PUT /api/services/{service}/share-code', { service: service.id });
      await api.json({ method: 'PUT', path, json: { share_code: code } });
      await change(api, service.id, settings, service);
    },
  };
}

type Api = Parameters<Act['run']>[0]['api'];

async function change(
  api: Api,
  service: string,
  settings: Partial<Record<Setting, unknown>>,
  present: Service,
): Promise<void> {
  for (const [name, value] of Object.entries(settings) as [Setting, unknown][]) {
    if (value === present[name]) continue;
    await api.json({ method: 'PUT', path: pathOf(CALLS[name], { service }), json: { [name]: value } });
  }
}

function settingsOf(wanted: WantedService): Partial<Record<Setting, unknown>> {
  const names = Object.keys(CALLS) as Setting[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== undefined).map((name) => [name, wanted[name]]),
  );
}
