import { isJsonObject, type JsonObject, memberOf } from './json.ts';

/**
 * A definition in today's form (wire 13.1): the `pdfs` of an older package become outputs, and expressions that are discriminated
 * by `kind` get `type`. Anything else comes back as it is, for the checks to refuse.
 */
export function upgradeDefinition(value: unknown): unknown {
  const nodes = isJsonObject(value) ? memberOf(value, 'nodes') : undefined;
  if (!isJsonObject(value) || !Array.isArray(nodes)) return value;
  const constants = memberOf(value, 'constants');
  const upgraded = Array.isArray(constants) && { constants: constants.map(upgradeConstant) };
  return { ...value, nodes: nodes.map(upgradeNode), ...upgraded };
}

function upgradeConstant(constant: unknown): unknown {
  return isJsonObject(constant) && Object.hasOwn(constant, 'expr')
    ? { ...constant, expr: upgradeExpression(constant.expr) }
    : constant;
}

function upgradeNode(node: unknown): unknown {
  if (!isJsonObject(node)) return node;
  const elements = memberOf(node, 'elements');
  const upgraded = Array.isArray(elements) ? { ...node, elements: elements.map(upgradeElement) } : node;
  return Object.hasOwn(node, 'pdfs') ? withOutputs(upgraded) : upgraded;
}

/** Members of a field that may be expressions. */
const COMPUTED = ['default', 'min', 'max'];

function upgradeElement(element: unknown): unknown {
  if (!isJsonObject(element) || memberOf(element, 'kind') !== 'field') return element;
  const computed = COMPUTED.filter((member) => isJsonObject(memberOf(element, member)));
  if (computed.length === 0) return element;
  const upgraded = computed.map((member) => [member, upgradeExpression(element[member])]);
  return { ...element, ...Object.fromEntries(upgraded) };
}

/** The expressions in an expression stand in lists, at `from`, `to`, `then` and `else`; a `value` holds no expression. */
const INNER = ['parts', 'args', 'from', 'to', 'else', 'then', 'cases'];

/** With a list of what is left instead of calls in calls: an expression may be nested as deeply as JSON can be. */
function upgradeExpression(expression: unknown): unknown {
  const top = { expression };
  const pending: { holder: object; member: string }[] = [{ holder: top, member: 'expression' }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { holder, member } = place;
    const found = memberOf(holder, member);
    if (Array.isArray(found)) {
      const list = [...found];
      Reflect.set(holder, member, list);
      for (const index of list.keys()) pending.push({ holder: list, member: String(index) });
    } else if (isJsonObject(found)) {
      const upgraded = byType(found);
      Reflect.set(holder, member, upgraded);
      for (const inner of INNER)
        if (Object.hasOwn(upgraded, inner)) pending.push({ holder: upgraded, member: inner });
    }
  }
  return top.expression;
}

/** The same members in their order, with `type` in the place of `kind`. */
function byType(object: JsonObject): JsonObject {
  if (Object.hasOwn(object, 'type') || !Object.hasOwn(object, 'kind')) return { ...object };
  const { kind, ...rest } = object;
  return { type: kind, ...rest };
}

function withOutputs({ pdfs, ...rest }: JsonObject): unknown {
  if (!Array.isArray(pdfs) || pdfs.length === 0) return rest;
  const party = memberOf(rest, 'party');
  const older = pdfs.map((pdf) => outputOf(isJsonObject(pdf) ? pdf : {}, party));
  const outputs = memberOf(rest, 'outputs');
  return { ...rest, outputs: [...(Array.isArray(outputs) ? outputs : []), ...older] };
}

function outputOf(pdf: object, party: unknown): object {
  const [asset, tags] = [memberOf(pdf, 'asset_key'), memberOf(pdf, 'tags')];
  const rule = { condition: memberOf(pdf, 'condition') ?? null, asset_key: asset, tags: tags ?? [] };
  return { key: asset, name: asset, rules: [rule], signers: [{ party, sign: true }] };
}
