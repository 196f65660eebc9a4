import { Problem } from '../problem.ts';
import { keyOf } from './owned.ts';
import { newPart, type Part, type Plan, type Planning, type Target } from './parts.ts';
import { planApps } from './plan-apps.ts';
import { planRows } from './plan-rows.ts';
import { planSettings } from './plan-service.ts';
import { planWebhooks } from './plan-webhooks.ts';
import type { Wanted } from './shape.ts';

/** Compares a file with what is there. @throws Problem for what cannot become as the file says */
export async function planOf(
  { file, folder }: Wanted,
  { present, owned, prune }: Omit<Planning, 'folder'>,
): Promise<Plan> {
  const planning: Planning = { present, owned, prune, folder };
  const services = await present.services();
  const parts: Part[] = [];
  const targets = (file.services ?? []).map((wanted): Target => {
    const found = services.find(({ share_code }) => share_code === wanted.code);
    return { wanted, ...(found && { id: found.id }) };
  });
  for (const target of targets) {
    const record = services.find(({ id }) => id === target.id);
    parts.push(planSettings(target, record));
    parts.push(await planRows(target, 'request_fields', planning));
    parts.push(await planRows(target, 'share_fields', planning));
    parts.push(await planWebhooks(target, planning));
  }
  parts.push(await planApps(file.apps, { targets, services, planning }));
  parts.push(gone(services, targets, planning));
  return {
    acts: parts.flatMap(({ acts }) => acts),
    left: parts.flatMap(({ left }) => left),
    same: parts.flatMap(({ same }) => same),
  };
}

/** Services that the file owned and has no longer. */
function gone(
  services: readonly { id: string; share_code: string; connection_count: number }[],
  targets: readonly Target[],
  { owned, prune }: Planning,
): Part {
  const part = newPart();
  for (const { id, share_code, connection_count } of services) {
    if (!owned.has(keyOf.service(id)) || targets.some((target) => target.id === id)) continue;
    const what = `service ${share_code}`;
    if (!prune) {
      part.left.push(what);
      continue;
    }
    if (connection_count > 0) {
      throw new Problem(
        `${what} has ${connection_count} connections. A file deletes no such service: symbolon services delete ${share_code} --confirm.`,
      );
    }
    part.acts.push({
      lines: [{ sign: '-', what, how: [] }],
      async run({ api, owned: record }) {
        await api.json({ method: 'DELETE', path: `/api/services/${id}` });
        const below = [`field:${id}:`, `share-field:${id}:`, `webhook:${id}:`].flatMap((start) =>
          record.below(start),
        );
        record.change({ remove: [keyOf.service(id), ...below] });
      },
    });
  }
  return part;
}
