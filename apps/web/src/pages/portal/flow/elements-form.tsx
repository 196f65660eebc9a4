import { Group, Text } from '@mantine/core';
import type { FlowElement, FlowNode } from '@symbolon/flows';
import { bodyOf } from '@symbolon/flows';
import { useId, useState } from 'react';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import { answerKeys, changeElement, changeNode, freeKey, moved, without } from './edits.ts';
import { FieldForm } from './field-form.tsx';
import { Fold } from './fold.tsx';
import { Lines, Sign, Small } from './inputs.tsx';
import { IssueList } from './issue-list.tsx';
import classes from './panels.module.css';
import { PluginForm } from './plugin-form.tsx';

/** What a step asks and says. */
export function ElementsForm({ node }: { node: FlowNode }) {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const heading = useId();
  const [open, setOpen] = useState<number>();
  const index = definition.nodes.indexOf(node);
  const { elements } = node;
  const set = (next: FlowElement[]) => change(changeNode(definition, node.key, { elements: next }));
  const add = (element: FlowElement) => {
    set([...elements, element]);
    setOpen(elements.length);
  };
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Text id={heading} fw={650}>
        {t('flow.elements.title')}
      </Text>
      {elements.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('flow.elements.none')}
        </Text>
      )}
      {elements.map((element, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have no id of their own
        <Fold key={place} place={place} open={open} setOpen={setOpen}>
          <Summary element={element} />
          {open === place && (
            <div className={classes.body}>
              <IssueList path={`/nodes/${index}/elements/${place}`} />
              <ElementForm node={node} place={place} element={element} />
              <Group gap={0} justify="flex-end">
                <Sign
                  of="up"
                  label={t('flow.element.up')}
                  disabled={place === 0}
                  act={() => {
                    set(moved(elements, place, -1));
                    setOpen(place - 1);
                  }}
                />
                <Sign
                  of="down"
                  label={t('flow.element.down')}
                  disabled={place === elements.length - 1}
                  act={() => {
                    set(moved(elements, place, 1));
                    setOpen(place + 1);
                  }}
                />
                <Sign
                  of="remove"
                  label={t('flow.element.remove')}
                  act={() => {
                    set(without(elements, place));
                    setOpen(undefined);
                  }}
                />
              </Group>
            </div>
          )}
          {open !== place && <IssueList deep path={`/nodes/${index}/elements/${place}`} />}
        </Fold>
      ))}
      <AddElement add={add} />
    </section>
  );
}

function AddElement({ add }: { add: (element: FlowElement) => void }) {
  const { t } = usePortalText();
  const { definition, plugins } = useEditor();
  const answered = () => ({
    slug: freeKey('answer', answerKeys(definition)),
    label: t('flow.field.new'),
    required: true,
  });
  const plugin = { plugin_id: '', field_type: '', inputs: {} };
  return (
    <Group gap="xs">
      <Small act={() => add({ kind: 'field', field_type: 'text', ...answered() })}>
        {t('flow.field.add')}
      </Small>
      <Small act={() => add({ kind: 'text', body: '' })}>{t('flow.text.add')}</Small>
      {plugins.some(({ field_types: types }) => types.length > 0) && (
        <Small act={() => add({ kind: 'plugin', plugin, ...answered() })}>{t('flow.plugin.add')}</Small>
      )}
    </Group>
  );
}

function Summary({ element }: { element: FlowElement }) {
  const { t } = usePortalText();
  const { typeRows } = useEditor();
  const labelOf = useFieldLabel();
  const kind =
    element.kind === 'field'
      ? labelOf(element.field_type, { rows: typeRows })
      : t(`flow.element.${element.kind}`);
  const name = element.kind === 'text' ? bodyOf(element).slice(0, 80) : element.label;
  return (
    <summary>
      <Text component="span" size="sm" fw={600}>
        {name || t('flow.element.unnamed')}
      </Text>{' '}
      <span className={classes.kind}>
        {kind}
        {element.kind !== 'text' && ` · ${t(element.required ? 'flow.required' : 'flow.optional')}`}
      </span>
    </summary>
  );
}

function ElementForm({ node, place, element }: { node: FlowNode; place: number; element: FlowElement }) {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const set = (next: FlowElement, member: string) =>
    change(changeElement(definition, node, place, next), `${node.key}/${place}/${member}`);
  if (element.kind === 'field') return <FieldForm field={element} change={set} />;
  if (element.kind === 'plugin') return <PluginForm element={element} change={set} />;
  return (
    <Lines
      label={t('flow.text.body')}
      description={t('flow.text.hint')}
      value={bodyOf(element)}
      change={(body) => set({ kind: 'text', body }, 'body')}
    />
  );
}
