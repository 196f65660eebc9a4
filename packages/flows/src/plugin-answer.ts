import { FLOW_KEY_PATTERN, flowLimits } from '@symbolon/protocol/constants';
import { isJsonObject, memberOf } from './json.ts';
import { isAnswered, textOf } from './values.ts';

/**
 * The values of a plugin's answer by their keys in the map of answers; nothing as long as it is not finished, or when it
 * is no answer (wire 13.5).
 *
 * @param answer The JSON text that was sealed, or what it says.
 */
export function* pluginValues(slug: string, answer: unknown): Generator<[key: string, value: unknown]> {
  const parsed = parse(answer);
  const outputs = memberOf(parsed, 'outputs');
  if (!Array.isArray(outputs)) return;
  const blocks = [...membersOf(memberOf(parsed, 'blocks'))];
  const shown = blocks.map(({ value }) => value).filter(isAnswered);
  yield [slug, shown.map(textOf).join(' / ')];
  for (const { key, value, id } of blocks) {
    yield [`${slug}.${key}`, value];
    if (id !== null) yield [`${slug}.${key}.id`, id];
  }
  for (const { key, value } of membersOf(outputs)) yield [`${slug}.${key}`, value];
}

const KEY = new RegExp(FLOW_KEY_PATTERN);

/** The blocks or outputs whose key can be one. */
function* membersOf(list: unknown): Generator<{ key: string; value: unknown; id: unknown }> {
  if (!Array.isArray(list)) return;
  for (const each of list.slice(0, flowLimits.pluginMembersMost)) {
    if (!isJsonObject(each)) continue;
    const key = memberOf(each, 'key');
    if (typeof key !== 'string' || !KEY.test(key) || key === 'id') continue;
    yield { key, value: scalar(memberOf(each, 'value')), id: scalar(memberOf(each, 'id')) };
  }
}

function scalar(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function parse(answer: unknown): object {
  try {
    const value: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
