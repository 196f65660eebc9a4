import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { RequestField } from '@symbolon/protocol';
import { useState } from 'react';
import { type Asked, candidates, rowAsked } from '../../parts/answers/asked.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { answer, type Connection, stopSharing } from '../../platform/connections.ts';
import { isAsSent, type OpenField } from '../../platform/fields.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { useText } from '../../text/index.tsx';
import { Answering, type AnsweringProps } from './answering.tsx';

type Mapping = Connection['mappings'][number];

/** What the service gets of the person, row by row, and what else it would take. */
export function SharedSection(props: AnsweringProps) {
  const { t } = useText();
  const { company, mappings, request_fields: asked } = props.connection;
  const given = new Set(mappings.map(({ request_field_id: id }) => id));
  // What it asked for lately stands in a section of its own.
  const pending = new Set(props.connection.pending_consent?.request_fields.map(({ id }) => id));
  const open = asked.filter(({ id }) => !given.has(id) && !pending.has(id));
  return (
    <Section
      title={t('connections.yours', { company: company.display_name })}
      lead={t('connections.yours.text')}
    >
      {mappings.length === 0 && <Text>{t('connections.nothing')}</Text>}
      {mappings.map((mapping) => (
        <Given
          // A changed answer closes what was open to change it.
          key={`${mapping.request_field_id} ${mapping.updated_at}`}
          {...props}
          mapping={mapping}
          row={asked.find(({ id }) => id === mapping.request_field_id)}
        />
      ))}
      {open.map((row) => (
        <Open key={row.id} {...props} row={row} />
      ))}
    </Section>
  );
}

/** A row that the person has answered. */
function Given(props: AnsweringProps & { mapping: Mapping; row: RequestField | undefined }) {
  const { connection, fields, changed, mapping, row } = props;
  const { t, language } = useText();
  const labelOf = useFieldLabel();
  const { busy, error, run } = useAct();
  const [isChanging, setChanging] = useState(false);
  const company = connection.company.display_name;
  const label = row ? (row.label ?? labelOf(row.type, fields.types)) : mapping.slug;
  const field = fields.fields.find(({ id }) => id === mapping.field_id);
  const isLive = mapping.kind === 'live';
  const isSame = field !== undefined && isAsSent(field, mapping);
  const type = labelOf(field?.type ?? row?.type ?? 'text', fields.types);
  return (
    <Stack component="section" gap="xs" aria-label={label}>
      <Group gap="xs">
        <Text fw={600} className={rows.name}>
          {label}
        </Text>
        <Badge variant="light" color={isLive ? 'teal' : 'gray'} tt="none">
          {t(isLive ? 'connections.kind.live' : 'connections.kind.once')}
        </Badge>
      </Group>
      {field && isSame && (
        <Text className={rows.name}>
          {field.text === null
            ? field.label
            : shownValue(field.text, fields.types.resolved.get(field.type), language)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {field
          ? t(isLive ? 'connections.live.text' : isSame ? 'connections.once.text' : 'connections.once.was', {
              field: field.label,
              type,
              company,
            })
          : t('connections.typed.text', { type, company })}{' '}
        <When at={mapping.updated_at} />
      </Text>
      {row?.mandatory_connected && (
        <Text size="sm" c="dimmed">
          {t('connections.must', { company })}
        </Text>
      )}
      <Problem error={error} />
      {isChanging && row ? (
        <Changing
          {...props}
          row={row}
          given={field && { field, live: isLive }}
          stop={() => setChanging(false)}
        />
      ) : (
        <Group gap="xs">
          {row && (
            <Button variant="default" onClick={() => setChanging(true)}>
              {t('connections.change', { label })}
            </Button>
          )}
          {!row?.mandatory_connected && (
            <Button
              variant="subtle"
              color="gray"
              loading={busy}
              onClick={() =>
                run(async () => changed(await stopSharing(connection, mapping.request_field_id)))
              }
            >
              {t('connections.stop', { label })}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** A row that the service would take an answer to. */
function Open(props: AnsweringProps & { row: RequestField }) {
  const { fields, row } = props;
  const { t } = useText();
  const labelOf = useFieldLabel();
  const [isOpen, setOpen] = useState(false);
  const label = row.label ?? labelOf(row.type, fields.types);
  return (
    <Stack component="section" gap="xs" aria-label={label}>
      {isOpen ? (
        <Changing {...props} row={row} given={undefined} stop={() => setOpen(false)} />
      ) : (
        <>
          <Group gap="xs">
            <Text fw={600} className={rows.name}>
              {label}
            </Text>
            <Badge variant="light" color="gray" tt="none">
              {t('connections.kind.none')}
            </Badge>
          </Group>
          <Group>
            <Button variant="default" onClick={() => setOpen(true)}>
              {t('connections.shareToo', { label })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

function Changing(
  props: AnsweringProps & {
    row: RequestField;
    given: { field: OpenField; live: boolean } | undefined;
    stop: () => void;
  },
) {
  const { connection, fields, row, given, stop } = props;
  const { count } = useText();
  // Opened to be answered, so it must be before it can be sent.
  const asked: Asked = { ...rowAsked(row, connection), required: true };
  const isUsable = given && candidates(asked, fields).some(({ id }) => id === given.field.id);
  return (
    <Answering
      {...props}
      asked={[asked]}
      first={new Map(isUsable ? [[asked.key, given]] : [])}
      label={() => count('connections.provide', 1, { company: connection.company.display_name })}
      share={(personId, answers) => answer(personId, connection, answers)}
      changed={(next) => {
        stop();
        props.changed(next);
      }}
      cancel={stop}
    />
  );
}
