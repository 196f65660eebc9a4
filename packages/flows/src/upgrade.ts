import { isJsonObject, memberOf } from './json.ts';

/**
 * A definition in today's form (wire 13.1): the `pdfs` of an older package become outputs. What is no definition comes back
 * as it is, for the checks to refuse.
 */
export function upgradeDefinition(value: unknown): unknown {
  const nodes = isJsonObject(value) ? memberOf(value, 'nodes') : undefined;
  return isJsonObject(value) && Array.isArray(nodes) ? { ...value, nodes: nodes.map(upgradeNode) } : value;
}

function upgradeNode(node: unknown): unknown {
  if (!isJsonObject(node) || !Object.hasOwn(node, 'pdfs')) return node;
  const { pdfs, ...rest } = node;
  if (!Array.isArray(pdfs) || pdfs.length === 0) return rest;
  const party = memberOf(node, 'party');
  const older = pdfs.map((pdf) => outputOf(isJsonObject(pdf) ? pdf : {}, party));
  const outputs = memberOf(node, 'outputs');
  return { ...rest, outputs: [...(Array.isArray(outputs) ? outputs : []), ...older] };
}

function outputOf(pdf: object, party: unknown): object {
  const [asset, tags] = [memberOf(pdf, 'asset_key'), memberOf(pdf, 'tags')];
  const rule = { condition: memberOf(pdf, 'condition') ?? null, asset_key: asset, tags: tags ?? [] };
  return { key: asset, name: asset, rules: [rule], signers: [{ party, sign: true }] };
}
