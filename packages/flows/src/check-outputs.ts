import type { FlowOutput, FlowRule } from '@symbolon/protocol';
import { type FlowIssue, issue } from './issue.ts';

/** What the rules of outputs may name. */
export interface OutputSources {
  readonly parties: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
  /** Slugs of fields that are answered with a file. */
  readonly files: ReadonlySet<string>;
}

/** An output with at least one PDF to take, and known signers (wire 13.2). */
export function* checkOutput(output: FlowOutput, known: OutputSources, path: string): Generator<FlowIssue> {
  if (output.rules.length === 0)
    yield issue('output_source_missing', `${path}/rules`, 'Say which PDF this output is made from.');
  for (const [index, rule] of output.rules.entries()) yield* checkRule(rule, known, `${path}/rules/${index}`);
  for (const [index, { party }] of output.signers.entries()) {
    if (!known.parties.has(party))
      yield issue('reference_unknown', `${path}/signers/${index}/party`, 'There is no such party.');
  }
}

function* checkRule(rule: FlowRule, known: OutputSources, path: string): Generator<FlowIssue> {
  const { asset_key: asset, source_field: field, source_connection: connection } = rule;
  if ([asset, field, connection].filter((source) => source !== undefined).length !== 1)
    yield issue('output_source_missing', path, 'Name one PDF: asset_key, source_field or source_connection.');
  if (asset !== undefined && !known.assets.has(asset))
    yield issue('reference_unknown', `${path}/asset_key`, 'There is no such file.');
  if (field !== undefined && !known.files.has(field))
    yield issue('reference_unknown', `${path}/source_field`, 'No field with this slug takes a file.');
  if (connection !== undefined && !known.parties.has(connection.party))
    yield issue('reference_unknown', `${path}/source_connection/party`, 'There is no such party.');
}
