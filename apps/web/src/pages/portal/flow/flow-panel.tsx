import { Group, Stack, Text } from '@mantine/core';
import type { FlowConstant } from '@symbolon/flows';
import {
  FLOW_KEY_PATTERN,
  type FlowValueType,
  flowOutputModes,
  flowValueTypes,
  OWNER_PARTY,
} from '@symbolon/protocol/constants';
import { useId, useState } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import { addConstant, addParty, answerKeys, changeConstant, changeParty, without } from './edits.ts';
import { ExpressionForm } from './expression-form.tsx';
import { Fold } from './fold.tsx';
import { KeyLine, Line, Pick, Sign, Small, Tick } from './inputs.tsx';
import { IssueList } from './issue-list.tsx';
import classes from './panels.module.css';
import { expressionText } from './sentence.ts';

/** What concerns the whole flow: its name, what it yields, its parties and constants. */
export function FlowPanel() {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  return (
    <Stack gap="md">
      <IssueList path="/entry" />
      <Line
        label={t('flow.name')}
        value={definition.name}
        change={(name) => change({ ...definition, name }, 'name')}
      />
      <Pick
        label={t('flow.mode')}
        value={definition.output_mode}
        choices={flowOutputModes.map((mode) => ({ value: mode, label: t(`flow.mode.${mode}`) }))}
        change={(mode) => change({ ...definition, output_mode: mode as (typeof flowOutputModes)[number] })}
      />
      <Pick
        label={t('flow.entry.label')}
        value={definition.entry ?? ''}
        choices={definition.nodes.map(({ key, title }) => ({ value: key, label: title || key }))}
        change={(entry) => change({ ...definition, entry })}
      />
      <Parties />
      <Constants />
    </Stack>
  );
}

function Parties() {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const heading = useId();
  const { parties } = definition;
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Text id={heading} fw={650}>
        {t('flow.parties')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('flow.parties.lead')}
      </Text>
      {parties.map((party, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key of a party is typed here
        <div key={place} className={classes.card}>
          <IssueList path={`/parties/${place}`} />
          <Group gap={4} wrap="nowrap" align="end">
            <Group grow gap="xs" className={classes.name} style={{ flex: 1 }}>
              <Line
                label={t('flow.party.label')}
                value={party.label}
                change={(label) => change(changeParty(definition, party.key, { label }), `party/${place}`)}
              />
              <KeyLine
                label={t('flow.key')}
                value={party.key}
                pattern={FLOW_KEY_PATTERN}
                taken={[...parties.map(({ key }) => key), 'signature']}
                change={(key) => change(changeParty(definition, party.key, { key }))}
              />
            </Group>
            <Sign
              of="remove"
              label={t('flow.party.remove', { party: party.label })}
              disabled={parties.length === 1 || definition.nodes.some((node) => node.party === party.key)}
              act={() => change({ ...definition, parties: without(parties, place) })}
            />
          </Group>
          <Tick
            label={t('flow.party.owner')}
            value={party.type === OWNER_PARTY}
            change={(isOwner) => {
              const { type: _type, ...kept } = party;
              const next = isOwner ? { ...kept, type: OWNER_PARTY } : kept;
              change({ ...definition, parties: parties.map((each) => (each === party ? next : each)) });
            }}
          />
        </div>
      ))}
      <Group>
        <Small act={() => change(addParty(definition, t('flow.party.new')))}>{t('flow.party.add')}</Small>
      </Group>
    </section>
  );
}

function Constants() {
  const texts = usePortalText();
  const { t } = texts;
  const { definition, change, names } = useEditor();
  const heading = useId();
  const [open, setOpen] = useState<number>();
  const constants = definition.constants ?? [];
  const set = (place: number, constant: FlowConstant, member: string) =>
    change(changeConstant(definition, place, constant), `constant/${place}/${member}`);
  const add = () => {
    change(addConstant(definition, t('flow.constant.new')));
    setOpen(constants.length);
  };
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Text id={heading} fw={650}>
        {t('flow.constants')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('flow.constants.lead')}
      </Text>
      {constants.map((constant, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key of a constant is typed here
        <Fold key={place} place={place} open={open} setOpen={setOpen}>
          <summary>
            <Text component="span" size="sm" fw={600}>
              {constant.label || constant.key}
            </Text>{' '}
            <span className={classes.kind}>= {expressionText(constant.expr, names, texts)}</span>
          </summary>
          <IssueList deep path={`/constants/${place}`} />
          {open === place && (
            <div className={classes.body}>
              <Line
                label={t('flow.constant.label')}
                value={constant.label}
                change={(label) => set(place, { ...constant, label }, 'label')}
              />
              <ExpressionForm
                label={t('flow.constant.expr')}
                value={constant.expr}
                change={(expr) => set(place, { ...constant, expr }, 'expr')}
              />
              <Pick
                label={t('flow.constant.type')}
                value={constant.result_type}
                choices={flowValueTypes.map((type) => ({ value: type, label: t(`value.${type}`) }))}
                change={(type) => set(place, { ...constant, result_type: type as FlowValueType }, 'type')}
              />
              <KeyLine
                label={t('flow.key')}
                value={constant.key}
                pattern={FLOW_KEY_PATTERN}
                taken={[...answerKeys(definition), 'item']}
                change={(key) => set(place, { ...constant, key }, 'key')}
              />
              <Group justify="flex-end">
                <Sign
                  of="remove"
                  label={t('flow.constant.remove', { label: constant.label })}
                  act={() => {
                    change({ ...definition, constants: without(constants, place) });
                    setOpen(undefined);
                  }}
                />
              </Group>
            </div>
          )}
        </Fold>
      ))}
      <Group>
        <Small act={add}>{t('flow.constant.add')}</Small>
      </Group>
    </section>
  );
}
