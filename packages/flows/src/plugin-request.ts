import type { PluginRequest } from '@symbolon/protocol';
import { FLOW_KEY_PATTERN, flowLimits, limits } from '@symbolon/protocol/constants';
import { isJsonObject, memberOf } from './json.ts';

const KEY = new RegExp(FLOW_KEY_PATTERN);

/**
 * What a device asks of a plugin, as the plugin opened it (wire 14.5). Some languages write an empty map as `[]`.
 *
 * @returns undefined for anything that is no request
 */
export function readPluginRequest(text: string): PluginRequest | undefined {
  const sent = parse(text);
  const keyed = (name: string) => asText(memberOf(sent, name), KEY);
  const [picks, values, inputs] = ['picks', 'values', 'inputs'].map((name) => asMap(memberOf(sent, name)));
  const field_type = keyed('field_type');
  const reply_key = asText(memberOf(sent, 'reply_key'), /^[A-Za-z0-9+/=]{1,600}$/);
  if (!picks || !values || !inputs || field_type === undefined || reply_key === undefined) return undefined;
  const members = { field_type, picks, values, inputs, reply_key };
  if (memberOf(sent, 'op') === 'outputs') return { op: 'outputs', ...members };
  const block = keyed('block');
  const query = memberOf(sent, 'query');
  if (memberOf(sent, 'op') !== 'options' || block === undefined || typeof query !== 'string')
    return undefined;
  return query.length > limits.pluginQueryMost ? undefined : { op: 'options', block, query, ...members };
}

const asText = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** Values by key; a missing map is empty. */
function asMap(value: unknown = {}): PluginRequest['values'] | undefined {
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const isFit = entries.length <= flowLimits.pluginMembersMost && entries.every(([, each]) => isScalar(each));
  return isFit ? (value as PluginRequest['values']) : undefined;
}

const isScalar = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
