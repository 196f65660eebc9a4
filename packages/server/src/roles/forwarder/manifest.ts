import { checkPublicKey } from '@symbolon/crypto';
import { type PluginFieldType, PluginManifest } from '@symbolon/protocol';
import { Compile } from 'typebox/compile';
import { Clean } from 'typebox/value';
import { withoutMark } from '../../core/byte-order-mark.ts';

const Manifest = Compile(PluginManifest);

/**
 * The description of a plugin as its server sent it; members that we do not know are left out.
 * @returns why it is refused, as a sentence for the plugin's author
 */
export async function readManifest(
  body: Uint8Array,
): Promise<{ readonly manifest: PluginManifest } | { readonly problem: string }> {
  const sent = withLists(parsed(body));
  if (!Manifest.Check(sent)) {
    const [issue] = Manifest.Errors(sent);
    const place = issue?.instancePath ? `${issue.instancePath} ` : '';
    return { problem: `The manifest is malformed: ${place}${issue?.message ?? 'must be a JSON object'}.` };
  }
  const manifest = Clean(PluginManifest, sent) as PluginManifest;
  const double = doubleKey(manifest.field_types);
  if (double !== undefined) return { problem: `The manifest has the key ${double} twice.` };
  try {
    await checkPublicKey(manifest.public_key);
  } catch {
    return { problem: 'public_key must be the base64 of the DER SPKI of an RSA-2048 key.' };
  }
  return { manifest };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(withoutMark(Buffer.from(body)).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A field type without blocks, inputs or outputs may leave the list out. */
function withLists(sent: unknown): unknown {
  if (!isObject(sent) || !Array.isArray(sent.field_types)) return sent;
  const field_types = sent.field_types.map((type: unknown) =>
    isObject(type) ? { blocks: [], inputs: [], outputs: [], ...type } : type,
  );
  return { ...sent, field_types };
}

/** Blocks and outputs share the map of answers. */
function doubleKey(types: readonly PluginFieldType[]): string | undefined {
  const groups = [
    types,
    ...types.flatMap(({ blocks, inputs, outputs }) => [[...blocks, ...outputs], inputs]),
  ];
  return groups.map((group) => firstDouble(group.map(({ key }) => key))).find((key) => key !== undefined);
}

const firstDouble = (keys: readonly string[]) => keys.find((key, index) => keys.indexOf(key) !== index);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
