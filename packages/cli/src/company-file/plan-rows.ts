import { Problem } from '../problem.ts';
import { pathOf } from '../resources/find.ts';
import type { Members } from '../resources/structured-file.ts';
import { keyOf } from './owned.ts';
import {
  differences,
  idOf,
  isSame,
  type Line,
  newPart,
  type Part,
  type Planning,
  type Target,
} from './parts.ts';
import type { PresentRows, RowsMember } from './present.ts';

const KINDS = {
  request_fields: {
    named: 'field',
    inFile: 'fields',
    path: 'request-fields',
    key: keyOf.field,
    /** What a row that leaves it out has. */
    usual: {
      one_time: false,
      mandatory_provide: false,
      mandatory_connected: false,
      verified: false,
      verified_max_age_days: null,
      audience: 'both',
      reason: null,
    },
  },
  share_fields: {
    named: 'share field',
    inFile: 'share_fields',
    path: 'share-fields',
    key: keyOf.shareField,
    usual: {},
  },
} as const;

/** The rows of a service, which are published whole, under the token under which they were read. */
export async function planRows(
  target: Target,
  member: RowsMember,
  { present, owned, prune }: Planning,
): Promise<Part> {
  const kind = KINDS[member];
  const part = newPart();
  const { id } = target;
  const wanted = target.wanted[kind.inFile];
  const isOwned = (slug: unknown) => id !== undefined && owned.has(kind.key(id, String(slug)));
  if (wanted === undefined && (id === undefined || owned.below(kind.key(id, '')).length === 0)) return part;
  const read: PresentRows | undefined = id === undefined ? undefined : await present.rows(id, member);
  const before = read?.rows ?? [];
  const rows = (wanted ?? []).map((row): Members => ({ ...kind.usual, ...row }));
  const extra = before.filter((row) => !rows.some(({ slug }) => slug === row.slug));
  const goes = extra.filter(({ slug }) => prune && isOwned(slug));
  const of = `of ${target.wanted.code}`;
  part.left.push(
    ...extra.filter(({ slug }) => !prune && isOwned(slug)).map(({ slug }) => `${kind.named} ${slug} ${of}`),
  );
  const after = [...rows, ...extra.filter((row) => !goes.includes(row))];
  const lines = linesOf(`${kind.named}`, of, { before, rows, goes });
  const slugs = rows.map(({ slug }) => String(slug));
  if (id !== undefined)
    part.same.push(
      ...slugs.filter((slug) => before.some((row) => row.slug === slug)).map((slug) => kind.key(id, slug)),
    );
  const isOrder = lines.length === 0 && !isSame(before.map(slugOf), after.map(slugOf));
  if (isOrder) lines.push({ sign: '~', what: `${kind.named}s ${of}`, how: ['their order'] });
  if (lines.length === 0) return part;
  part.acts.push({
    lines,
    async run({ api, owned: record }) {
      const service = idOf(target);
      const path = pathOf(`PUT /api/services/{service}/${kind.path}`, { service });
      const config_token = read?.token ?? (await present.rows(service, member)).token;
      await api.json({ method: 'PUT', path, json: { config_token, [member]: after.map(asSent) } });
      record.change({
        add: slugs.map((slug) => kind.key(service, slug)),
        remove: goes.map(({ slug }) => kind.key(service, String(slug))),
      });
    },
  });
  return part;
}

/** A row without a reason does not name it: platforms from before reasons refuse the member. */
function asSent({ reason, ...row }: Members): Members {
  return reason === undefined || reason === null ? row : { ...row, reason };
}

type Rows = { before: readonly Members[]; rows: readonly Members[]; goes: readonly Members[] };

/** @throws Problem for another type, which a published row cannot get */
function linesOf(named: string, of: string, { before, rows, goes }: Rows): Line[] {
  const lines: Line[] = [];
  for (const row of rows) {
    const what = `${named} ${row.slug} ${of}`;
    const former = before.find(({ slug }) => slug === row.slug);
    if (former === undefined) {
      lines.push({ sign: '+', what, how: [`type: ${row.type}`] });
      continue;
    }
    if (former.type !== row.type) {
      throw new Problem(
        `The ${what} is of the type ${former.type} and cannot become ${row.type}. Choose another slug.`,
      );
    }
    const how = differences(row, former);
    if (former.plugin !== undefined && row.plugin === undefined) how.push('plugin: none');
    if (how.length > 0) lines.push({ sign: '~', what, how });
  }
  return [
    ...lines,
    ...goes.map(({ slug }): Line => ({ sign: '-', what: `${named} ${slug} ${of}`, how: [] })),
  ];
}

const slugOf = ({ slug }: Members): unknown => slug;
