import { Group, Stack, Text } from '@mantine/core';
import type { FlowNode, FlowOutput, FlowRule } from '@symbolon/flows';
import { FLOW_KEY_PATTERN } from '@symbolon/protocol/constants';
import { useId } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { ConditionForm } from './condition-form.tsx';
import { useEditor } from './context.ts';
import { changeNode, freeKey, moved, replaced, without } from './edits.ts';
import { KeyLine, Line, Pick, Sign, Small, Tick } from './inputs.tsx';
import { IssueList } from './issue-list.tsx';
import classes from './panels.module.css';

/** The documents that are made where a flow ends. */
export function OutputsForm({ node }: { node: FlowNode }) {
  const { t } = usePortalText();
  const { definition, change, draft } = useEditor();
  const heading = useId();
  const at = `/nodes/${definition.nodes.indexOf(node)}/outputs`;
  const outputs = node.outputs ?? [];
  const set = (next: FlowOutput[], member: string) =>
    change(changeNode(definition, node.key, { outputs: next }), `${node.key}/outputs/${member}`);
  const add = () => {
    const key = freeKey(
      'document',
      outputs.map((output) => output.key),
    );
    const asset = draft.flow.assets[0]?.asset_key;
    const rules = asset === undefined ? [] : [{ asset_key: asset, tags: [] }];
    const signers = [{ party: node.party, sign: true }];
    set([...outputs, { key, name: t('flow.output.new'), rules, signers }], 'order');
  };
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Text id={heading} fw={650}>
        {t('flow.outputs.title')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('flow.outputs.lead')}
      </Text>
      {outputs.map((output, place) => (
        <Stack
          key={output.key}
          gap="xs"
          role="group"
          aria-label={output.name || output.key}
          className={classes.card}
        >
          <IssueList path={`${at}/${place}`} deep />
          <Group gap={4} wrap="nowrap" align="end">
            <div className={classes.name} style={{ flex: 1 }}>
              <Line
                label={t('flow.output.name')}
                value={output.name}
                change={(name) => set(replaced(outputs, place, { ...output, name }), `${place}/name`)}
              />
            </div>
            <Sign
              of="remove"
              label={t('flow.output.remove', { name: output.name })}
              act={() => set(without(outputs, place), 'order')}
            />
          </Group>
          <RulesForm
            output={output}
            change={(next) => set(replaced(outputs, place, next), `${place}/rules`)}
          />
          <SignersForm
            output={output}
            change={(next) => set(replaced(outputs, place, next), `${place}/signers`)}
          />
          <KeyLine
            label={t('flow.output.key')}
            value={output.key}
            pattern={FLOW_KEY_PATTERN}
            taken={outputs.map(({ key }) => key)}
            change={(key) => set(replaced(outputs, place, { ...output, key }), `${place}/key`)}
          />
        </Stack>
      ))}
      <Group>
        <Small act={add}>{t('flow.output.add')}</Small>
      </Group>
    </section>
  );
}

type Props = { output: FlowOutput; change: (next: FlowOutput) => void };

/** From which PDF it is made: the first rule whose condition holds. */
function RulesForm({ output, change }: Props) {
  const { t } = usePortalText();
  const { rules } = output;
  const { definition, draft, surroundings } = useEditor();
  const files = definition.nodes.flatMap(({ elements }) =>
    elements.flatMap((each) =>
      each.kind === 'field' && surroundings.fieldTypes.isBinary(each.field_type) ? [each] : [],
    ),
  );
  const sources = [
    ...draft.flow.assets.map((asset) => ({
      value: `asset ${asset.asset_key}`,
      label: asset.original_name || asset.asset_key,
    })),
    ...files.map(({ slug, label }) => ({
      value: `field ${slug}`,
      label: t('flow.rule.field', { label: label || slug }),
    })),
  ];
  const set = (next: FlowRule[]) => change({ ...output, rules: next });
  return (
    <Stack gap="xs">
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id of their own
        <Stack key={place} gap="xs">
          <Group gap={4} wrap="nowrap" align="end">
            <div className={classes.name} style={{ flex: 1 }}>
              <Pick
                label={t('flow.rule.source')}
                placeholder={t('flow.rule.choose')}
                value={sourceOf(rule)}
                choices={sources}
                change={(source) => set(replaced(rules, place, withSource(rule, source)))}
              />
            </div>
            <Sign
              of="up"
              label={t('flow.rule.up')}
              disabled={place === 0}
              act={() => set(moved(rules, place, -1))}
            />
            <Sign of="remove" label={t('flow.rule.remove')} act={() => set(without(rules, place))} />
          </Group>
          <ConditionForm
            label={t('flow.rule.when')}
            value={rule.condition}
            change={(condition) => {
              const { condition: _former, ...kept } = rule;
              set(replaced(rules, place, condition ? { ...kept, condition } : kept));
            }}
          />
        </Stack>
      ))}
      <Group>
        <Small
          disabled={sources.length === 0}
          act={() => set([...rules, withSource({ tags: [] }, sources[0]?.value ?? '')])}
        >
          {t('flow.rule.add')}
        </Small>
      </Group>
      {sources.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('flow.rule.noFiles')}
        </Text>
      )}
    </Stack>
  );
}

/** The source of a rule as one text, to be chosen by. */
function sourceOf({ asset_key: asset, source_field: field, source_connection: connection }: FlowRule) {
  if (asset !== undefined) return `asset ${asset}`;
  if (field !== undefined) return `field ${field}`;
  return connection === undefined ? '' : `connection ${connection.party} ${connection.request_slug}`;
}

function withSource({ condition, tags = [] }: FlowRule, source: string): FlowRule {
  const [kind, ...name] = source.split(' ');
  const kept = { ...(condition && { condition }), tags };
  return kind === 'asset'
    ? { ...kept, asset_key: name.join(' ') }
    : { ...kept, source_field: name.join(' ') };
}

/** Who gets the document, and who signs or accepts it in which order. */
function SignersForm({ output, change }: Props) {
  const { t } = usePortalText();
  const { definition } = useEditor();
  const { signers } = output;
  const set = (next: FlowOutput['signers']) => change({ ...output, signers: next });
  const labelOf = (party: string) => definition.parties.find(({ key }) => key === party)?.label || party;
  const others = definition.parties.filter(({ key }) => !signers.some(({ party }) => party === key));
  return (
    <Stack gap={6} role="group" aria-label={t('flow.signers')}>
      <Text size="sm" fw={500}>
        {t('flow.signers')}
      </Text>
      {signers.map((signer, place) => (
        <Group key={signer.party} gap="xs" wrap="nowrap">
          <Text size="sm" className={classes.name} style={{ flex: 1 }}>
            {place + 1}. {labelOf(signer.party)}
          </Text>
          <Tick
            label={t('flow.signer.sign')}
            value={signer.sign === true}
            change={(sign) => set(replaced(signers, place, { ...signer, sign }))}
          />
          <Tick
            label={t('flow.signer.accept')}
            value={signer.accept === true}
            change={(accept) => set(replaced(signers, place, { ...signer, accept }))}
          />
          <Sign
            of="up"
            label={t('flow.signer.up', { party: labelOf(signer.party) })}
            disabled={place === 0}
            act={() => set(moved(signers, place, -1))}
          />
          <Sign
            of="remove"
            label={t('flow.signer.remove', { party: labelOf(signer.party) })}
            act={() => set(without(signers, place))}
          />
        </Group>
      ))}
      {others.length > 0 && (
        <Pick
          isBare
          label={t('flow.signer.add')}
          placeholder={t('flow.signer.add')}
          value=""
          choices={others.map(({ key, label }) => ({ value: key, label: label || key }))}
          change={(party) => party !== '' && set([...signers, { party, sign: true }])}
        />
      )}
    </Stack>
  );
}
