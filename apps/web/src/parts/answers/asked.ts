import type { PluginSnapshot, RequestField } from '@symbolon/protocol';
import { accepts, type Fields, isFileType, type OpenField } from '../../platform/fields.ts';
import { type PassFor, passForService } from '../../platform/plugin-pass.ts';

/** One thing that is asked: a claim of a site, or a row of a service that one connects to. */
export type Asked = {
  key: string;
  kind: 'claim' | 'row';
  /** The claim's name or the row's id. */
  id: string;
  type: string;
  label: string | null;
  /** Of a row: why the service asks it. */
  reason?: string | undefined;
  required: boolean;
  verified: boolean;
  maxAgeDays: number | null;
  /** Whether the site reads it as it is. */
  readable: boolean;
  /** Of a row: whether it may follow the field. */
  mayLive: boolean;
  /** Whether it must: the service needs it as long as the connection lasts. */
  mustLive: boolean;
  /** The slug that the site expects such a field to have. */
  suggest: string | undefined;
  /** How the site or the service names it in its own words: fields that are named alike come first. */
  names: readonly string[];
  /** What answers in place of a field, and what a pass for it is asked with. */
  plugin?: { slug: string; snapshot: PluginSnapshot; passFor: PassFor };
};
/** A field that answers, or what a plugin answered. */
export type Picked =
  | { field: OpenField; live: boolean /** The page picked it. */; isGuess?: true }
  | { field?: undefined; text: string };

/** The service of rows. */
type Codes = {
  company: { company_code: string };
  service: { share_code: string };
};

export function rowAsked(row: RequestField, { company, service }: Codes): Asked {
  const { slug, plugin } = row;
  const passFor = passForService(company.company_code, service.share_code);
  return {
    ...(plugin && { plugin: { slug, snapshot: plugin.snapshot, passFor } }),
    key: `row ${row.id}`,
    kind: 'row',
    id: row.id,
    type: row.type,
    label: row.label,
    reason: row.reason,
    required: row.mandatory_provide || row.mandatory_connected,
    verified: row.verified,
    maxAgeDays: row.verified_max_age_days,
    readable: false,
    mayLive: !row.one_time,
    mustLive: row.mandatory_connected,
    suggest: undefined,
    names: [slug, row.label ?? ''],
  };
}

/** Whether only a file answers. */
export function asksFile({ type }: Asked, { types }: Fields): boolean {
  return isFileType(types, type);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The fields that may answer: of the type or one below it, readable here, verified where that is asked. The best guess is first. */
export function candidates(asked: Asked, { fields, types }: Fields, now = Date.now()): OpenField[] {
  const usable = fields.filter(({ type, text, file, verifiedAt }) => {
    const hasValue = isFileType(types, type) ? file !== undefined : text !== null && text !== '';
    if (!hasValue || !accepts(types, asked.type, type)) return false;
    if (!asked.verified) return true;
    if (verifiedAt === undefined) return false;
    return asked.maxAgeDays === null || now - verifiedAt <= asked.maxAgeDays * DAY_MS;
  });
  const rank = (field: OpenField) => alikeness(asked, field) + (field.type === asked.type ? 100 : 0);
  return usable.sort((a, b) => rank(b) - rank(a));
}

/** How many words a field has in common with what is asked; without bound for the one that the site expects. */
function alikeness({ names, suggest }: Asked, { slug, label }: OpenField): number {
  if (slug === suggest) return Number.POSITIVE_INFINITY;
  const wanted = new Set(names.flatMap(wordsOf));
  const words = new Set([...wordsOf(slug), ...wordsOf(label)]);
  return [...words].filter((word) => wanted.has(word)).length;
}

/**
 * The same in two parts. Every address and every number is a text too, so what is asked as a text is first offered the texts. A file
 * has one only: a passport is the usual proof of identity.
 */
export function offersOf(asked: Asked, fields: Fields): { first: OpenField[]; others: OpenField[] } {
  const usable = candidates(asked, fields);
  const isFirst = ({ type, slug }: OpenField) => type === asked.type || slug === asked.suggest;
  if (asksFile(asked, fields)) return { first: usable, others: [] };
  return { first: usable.filter(isFirst), others: usable.filter((field) => !isFirst(field)) };
}

/** What may be left out waits behind what is needed, until something is picked for it. Where nothing is needed, nothing waits. */
export function foldedOf(asked: readonly Asked[], picked: ReadonlyMap<string, Picked>): Asked[] {
  if (!asked.some(({ required }) => required)) return [];
  return asked.filter(({ key, required }) => !required && !picked.has(key));
}

/** A field as it is picked first: it is sent once, unless the service needs it as long as the connection lasts. */
export const pickOf = ({ mustLive }: Pick<Asked, 'mustLive'>, field: OpenField): Picked => ({
  field,
  live: mustLive,
});

/**
 * What stands in a form when it is opened: what was picked the last time, and for what is needed the field that is most likely meant.
 * What may be left out, is a file, or follows the field is never picked here: that is an act of the person.
 * @param remembered the ids of fields, by claims
 */
export function firstPicks(
  asked: readonly Asked[],
  fields: Fields,
  remembered: Readonly<Record<string, string>> = {},
): Map<string, Picked> {
  const picks = asked.flatMap((each): [string, Picked][] => {
    const before =
      each.kind === 'claim'
        ? candidates(each, fields).find(({ id }) => id === remembered[each.id])
        : undefined;
    if (before) return [[each.key, { field: before, live: false }]];
    const guess = bestGuess(each, fields);
    return guess ? [[each.key, { field: guess, live: false, isGuess: true }]] : [];
  });
  return new Map(picks);
}

/** The field that is most likely meant; none where several are equally likely. */
function bestGuess(asked: Asked, fields: Fields): OpenField | undefined {
  if (!asked.required || asked.mustLive || asked.plugin || asksFile(asked, fields)) return undefined;
  const [best, second] = offersOf(asked, fields).first;
  if (best === undefined) return undefined;
  const lead = alikeness(asked, best);
  if (second !== undefined) return lead > alikeness(asked, second) ? best : undefined;
  return lead > 0 || !SAY_LITTLE.has(best.type) ? best : undefined;
}

/** Types of which a person may have a single field that means something else. */
const SAY_LITTLE: ReadonlySet<string> = new Set([
  'text',
  'url',
  'country',
  'date',
  'number',
  'integer',
  'decimal',
  'float',
  'select',
  'multiselect',
]);

/** The words of a slug or a label. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
}

/** They stand in many labels and say nothing of what is asked. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['your', 'the', 'ihr', 'ihre', 'der', 'die', 'das']);

/** What was chosen, by the name of the claim or the id of the row. */
export function pickedOf(
  kind: Asked['kind'],
  asked: readonly Asked[],
  picked: ReadonlyMap<string, Picked>,
): Map<string, Picked> {
  const chosen = asked.flatMap((each) => {
    const choice = each.kind === kind ? picked.get(each.key) : undefined;
    return choice ? [[each.id, choice] as const] : [];
  });
  return new Map(chosen);
}
