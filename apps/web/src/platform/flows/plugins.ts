import { generateKeyPair, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import type { FlowPlugin } from '@symbolon/flows';
import type { PluginAnswer, PluginPass, PluginReply, PluginRequest } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { call } from '../api.ts';
import { runAddress } from './runs.ts';

type Blocks = PluginAnswer['blocks'];
type Asked<Op> = Op extends PluginRequest ? Omit<Op, 'reply_key'> : never;
type Snapshot = NonNullable<FlowPlugin['plugin']['snapshot']>;

/** What is asked of a plugin about one element. */
export type PluginQuestion = {
  runId: string;
  slug: string;
  blocks: Blocks;
  /** By the keys of the plugin's inputs. */
  inputs: Readonly<Record<string, string | number | boolean | null>>;
};

/** What the plugin offers for a block. */
export async function pluginOptions(
  question: PluginQuestion,
  block: string,
  query: string,
): Promise<{ options: readonly { id: string; label: string }[]; more: boolean }> {
  const reply = await ask(question, (field_type) => ({
    op: 'options',
    block,
    query,
    field_type,
    ...filled(question),
  }));
  return 'options' in reply ? reply : { options: [], more: false };
}

/** What the plugin computes from the blocks; undefined when a pick does not exist any more. */
export async function pluginOutputs(
  question: PluginQuestion,
): Promise<Readonly<Record<string, string | number | boolean | null>> | undefined> {
  const reply = await ask(question, (field_type) => ({ op: 'outputs', field_type, ...filled(question) }));
  return 'outputs' in reply ? reply.outputs : undefined;
}

/** The answer as it is sealed. @param outputs undefined while it is not finished */
export function pluginAnswer(
  { plugin_id: plugin, field_type: type }: FlowPlugin['plugin'],
  { outputs: described }: Snapshot,
  blocks: Blocks,
  outputs: Readonly<Record<string, string | number | boolean | null>>,
): string {
  const answer: PluginAnswer = {
    plugin,
    type,
    blocks,
    outputs: described.map(({ key, type: kind, label }) => ({
      key,
      type: kind,
      label,
      value: outputs[key] ?? null,
    })),
  };
  return JSON.stringify(answer);
}

function filled({ blocks, inputs }: PluginQuestion) {
  const picks = blocks.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id] as const]));
  const values = blocks.flatMap(({ key, id, value }) => (id === undefined ? [[key, value] as const] : []));
  return { picks: Object.fromEntries(picks), values: Object.fromEntries(values), inputs };
}

const passes = new Map<string, { pass: Promise<PluginPass>; at: number }>();
/** They are good for ten minutes. */
const PASS_MS = 8 * 60_000;

function passOf(runId: string, isFresh: boolean): Promise<PluginPass> {
  const kept = passes.get(runId);
  if (!isFresh && kept !== undefined && Date.now() - kept.at < PASS_MS) return kept.pass;
  const pass = call<PluginPass>('POST', runAddress(runId, '/plugin-pass'), {});
  passes.set(runId, { pass, at: Date.now() });
  pass.catch(() => passes.delete(runId));
  return pass;
}

/** Sealed to the plugin, answered sealed to a key of this call: the forwarder reads neither. */
async function ask(
  { runId, slug }: PluginQuestion,
  request: (fieldType: string) => Asked<PluginRequest>,
  isFresh = false,
): Promise<PluginReply> {
  const { pass, forwarder_url: base, plugins, specs } = await passOf(runId, isFresh);
  const spec = specs[slug];
  const key = plugins.find(({ id }) => id === spec?.plugin_id)?.public_key;
  if (spec === undefined || !key) throw failed('plugin.unavailable');
  const { publicKey, privateKey } = await generateKeyPair();
  const asked = { ...request(spec.field_type), reply_key: publicKey };
  const body = { pass, plugin_id: spec.plugin_id, request: await sealValue(JSON.stringify(asked), key) };
  const answer = await fetch(`${base}/call`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_MS),
  }).catch(() => undefined);
  if (answer === undefined) throw failed('plugin.not_responding');
  const told = (await answer.json().catch(() => ({}))) as { reply?: unknown; error_key?: string };
  if (answer.ok) {
    const reply = typeof told.reply === 'string' ? told.reply : JSON.stringify(told.reply);
    return JSON.parse(await openText(reply, await importPrivateKey(privateKey))) as PluginReply;
  }
  // A changed key is taken from the platform, never from the forwarder.
  const isOld = told.error_key === 'plugin.key_changed' || told.error_key === 'plugin.pass_invalid';
  if (isOld && !isFresh) return ask({ runId, slug } as PluginQuestion, request, true);
  throw failed(told.error_key ?? 'plugin.not_responding');
}

const CALL_MS = 6_000;
const failed = (errorKey: string) => new SymbolonError({ errorKey, message: 'The plugin did not answer.' });
