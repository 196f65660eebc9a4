import { type Fact, type TellableFlow, type Telling, type Thing, thingsOf } from './told.ts';

/** What two versions differ in. */
export interface Difference {
  readonly act: 'added' | 'removed' | 'changed';
  /** As it is in the later version; what was removed as it was in the earlier one. */
  readonly thing: Thing;
  readonly lines: readonly Line[];
}
/** What was said of a thing, and what is said of it now. The same text twice: it differs in what is not said in words. */
export interface Line {
  readonly label: Fact['label'];
  readonly before: string;
  readonly after: string;
}

/** What leads from one version of a flow to another, thing by thing. */
export function compareFlows(before: TellableFlow, after: TellableFlow, telling: Telling): Difference[] {
  const earlier = byId(thingsOf(before, telling));
  const later = byId(thingsOf(after, telling));
  const lost = [...earlier.values()].filter(({ id }) => !later.has(id));
  const found: Difference[] = [];
  for (const thing of later.values()) {
    const known = earlier.get(thing.id) ?? rewordedOf(thing, lost);
    if (known === undefined) {
      found.push({ act: 'added', thing, lines: [] });
      continue;
    }
    const lines = linesOf(known, thing);
    if (lines.length > 0) found.push({ act: 'changed', thing, lines });
  }
  return [...found, ...lost.map((thing): Difference => ({ act: 'removed', thing, lines: [] }))];
}

const byId = (things: readonly Thing[]) => new Map(things.map((thing) => [thing.id, thing]));

/** A text has no key. A new one in a step from which another has gone is that one in other words. */
function rewordedOf(thing: Thing, lost: Thing[]): Thing | undefined {
  if (thing.kind !== 'text') return undefined;
  const index = lost.findIndex(({ kind, step }) => kind === 'text' && step?.key === thing.step?.key);
  return index < 0 ? undefined : lost.splice(index, 1)[0];
}

function linesOf(before: Thing, after: Thing): Line[] {
  const facts = after.facts.flatMap((fact): Line[] => {
    const known = before.facts.find(({ label }) => label === fact.label);
    return known?.value === fact.value
      ? []
      : [{ label: fact.label, before: known?.text ?? '', after: fact.text }];
  });
  // A fact that only the earlier version has: a field became a field of a plugin.
  const gone = before.facts
    .filter(({ label }) => !after.facts.some((fact) => fact.label === label))
    .map(({ label, text }): Line => ({ label, before: text, after: '' }));
  const lines = [...facts, ...gone, ...ordersOf(before, after)];
  if (lines.length === 0 && before.whole !== after.whole)
    return [{ label: 'compare.inner', before: '', after: '' }];
  return lines;
}

function ordersOf(before: Thing, after: Thing): Line[] {
  return after.orders.flatMap(({ label, items }): Line[] => {
    const known = before.orders.find((order) => order.label === label)?.items ?? [];
    const was = known.filter(({ id }) => items.some((item) => item.id === id));
    const is = items.filter(({ id }) => known.some((item) => item.id === id));
    if (was.every(({ id }, index) => is[index]?.id === id)) return [];
    return [{ label, before: spelledOut(was), after: spelledOut(is) }];
  });
}

const spelledOut = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).join(', ');
