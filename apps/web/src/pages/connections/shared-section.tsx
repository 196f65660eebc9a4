import { Button, Stack, Text } from '@mantine/core';
import type { RequestField } from '@symbolon/protocol';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Asked, candidates, rowAsked } from '../../parts/answers/asked.ts';
import { kindOf } from '../../parts/field-icon.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { useShownField } from '../../parts/shown-field.ts';
import { When } from '../../parts/when.tsx';
import { answer, type Connection, stopSharing } from '../../platform/connections.ts';
import { isAsSent, type OpenField } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { offerUndo } from '../../platform/undo.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { whyText } from '../../text/why.ts';
import { Empty } from '../../ui/empty.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowButton } from '../../ui/list.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';
import { Answering, type AnsweringProps } from './answering.tsx';

type Mapping = Connection['mappings'][number];

/** What the service has of the person, row by row, and what else it would take. */
export function SharedSection(props: AnsweringProps) {
  const { t } = useInsideText();
  const { company, mappings, request_fields: asked } = props.connection;
  const [openId, setOpenId] = useState<string>();
  const close = () => setOpenId(undefined);
  const given = new Set(mappings.map(({ request_field_id: id }) => id));
  // What it asked for lately stands in a section of its own.
  const pending = new Set(props.connection.pending_consent?.request_fields.map(({ id }) => id));
  const open = asked.filter(({ id }) => !given.has(id) && !pending.has(id));
  const rowOf = (id: string) => asked.find((row) => row.id === id);
  const opened = mappings.find(({ request_field_id: id }) => id === openId);
  const wanted = open.find(({ id }) => id === openId);
  return (
    <>
      <Group title={t('connections.yours', { company: company.display_name })}>
        {mappings.length === 0 ? (
          <Empty title={t('connections.nothing')}>{t('companies.nothing.text')}</Empty>
        ) : (
          <List>
            {mappings.map((mapping) => (
              <GivenRow
                key={mapping.request_field_id}
                {...props}
                mapping={mapping}
                row={rowOf(mapping.request_field_id)}
                open={() => setOpenId(mapping.request_field_id)}
              />
            ))}
          </List>
        )}
      </Group>
      {open.length > 0 && (
        <Group title={t('companies.more')}>
          <List>
            {open.map((row) => (
              <OpenRow key={row.id} {...props} row={row} open={() => setOpenId(row.id)} />
            ))}
          </List>
        </Group>
      )}
      {opened && (
        <GivenSheet {...props} mapping={opened} row={rowOf(opened.request_field_id)} close={close} />
      )}
      {wanted && <OpenSheet {...props} row={wanted} close={close} />}
    </>
  );
}

type GivenProps = AnsweringProps & { mapping: Mapping; row: RequestField | undefined };

/** What is known of an answer: what it is called, which field it came from, and whether that still holds what was sent. */
function useGiven({ fields, mapping, row }: GivenProps) {
  const labelOf = useFieldLabel();
  const shown = useShownField(fields);
  const field = fields.fields.find(({ id }) => id === mapping.field_id);
  const isSame = field !== undefined && isAsSent(field, mapping);
  const type = field?.type ?? row?.type ?? 'text';
  return {
    label: row ? (row.label ?? labelOf(row.type, fields.types)) : mapping.slug,
    field,
    isSame,
    isLive: mapping.kind === 'live',
    typeName: labelOf(type, fields.types),
    icon: kindOf(type, fields.types).icon,
    value: field && isSame ? shown(field) : undefined,
  };
}

/** A row that the person has answered. */
function GivenRow(props: GivenProps & { open: () => void }) {
  const { t } = useInsideText();
  const { label, icon, isLive, value } = useGiven(props);
  return (
    <RowButton
      onClick={props.open}
      leading={<IconTile icon={icon} />}
      title={value ?? label}
      detail={value === undefined ? t('companies.unknown') : label}
      trailing={
        <Status tone={isLive ? 'good' : 'neutral'}>
          {t(isLive ? 'connections.kind.live' : 'connections.kind.once')}
        </Status>
      }
    />
  );
}

/** One answer, whole: what it says, how it is kept, and the ways to change that. */
function GivenSheet(props: GivenProps & { close: () => void }) {
  const { connection, changed, mapping, row, close } = props;
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const [isChanging, setChanging] = useState(false);
  const { label, field, isLive, isSame, typeName: type, value } = useGiven(props);
  const company = connection.company.display_name;
  const session = useSession();
  const stop = () =>
    run(async () => {
      changed(await stopSharing(connection, mapping.request_field_id));
      close();
      // What was typed, or sent as it was then, this device does not have any more.
      if (session.state !== 'in' || !field || !isSame || (field.text === null && !field.file)) return;
      const before = new Map([[mapping.request_field_id, { field, live: isLive }]]);
      offerUndo({
        text: t('companies.stopped', { label }),
        undo: async () => changed(await answer(session.person.person_user_id, connection, before)),
      });
    });
  const came = field
    ? t(isLive ? 'connections.live.text' : isSame ? 'connections.once.text' : 'connections.once.was', {
        field: field.label,
        type,
        company,
      })
    : t('connections.typed.text', { type, company });
  return (
    <Sheet title={label} opened close={close} closeLabel={t('app.close')}>
      <Stack gap="md">
        {value !== undefined && (
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {came} <When at={mapping.updated_at} />
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
            done={close}
          />
        ) : (
          <>
            {row && (
              <Button onClick={() => setChanging(true)} disabled={busy}>
                {t('connections.change', { label })}
              </Button>
            )}
            {!row?.mandatory_connected && (
              <Button variant="default" loading={busy} onClick={stop}>
                {t('connections.stop', { label })}
              </Button>
            )}
          </>
        )}
      </Stack>
    </Sheet>
  );
}

/** A row that the service would take an answer to. */
function OpenRow({ fields, row, open }: AnsweringProps & { row: RequestField; open: () => void }) {
  const { t, language } = useInsideText();
  const why = row.reason === undefined ? [] : [whyText(row.reason, language)];
  const labelOf = useFieldLabel();
  return (
    <RowButton
      onClick={open}
      leading={<IconTile icon={kindOf(row.type, fields.types).icon} />}
      title={row.label ?? labelOf(row.type, fields.types)}
      detail={[t('connections.kind.none'), ...why].join(' · ')}
      trailing={<IconPlus size={18} aria-hidden="true" />}
    />
  );
}

function OpenSheet(props: AnsweringProps & { row: RequestField; close: () => void }) {
  const { fields, row, close } = props;
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  return (
    <Sheet
      title={t('connections.shareToo', { label: row.label ?? labelOf(row.type, fields.types) })}
      opened
      close={close}
      closeLabel={t('app.close')}
    >
      <Changing {...props} given={undefined} stop={close} done={close} />
    </Sheet>
  );
}

function Changing(
  props: AnsweringProps & {
    row: RequestField;
    given: { field: OpenField; live: boolean } | undefined;
    stop: () => void;
    done: () => void;
  },
) {
  const { connection, fields, row, given, stop, done } = props;
  const { count } = useInsideText();
  // Opened to be answered, so it must be before it can be sent.
  const asked: Asked = { ...rowAsked(row, connection), required: true };
  const isUsable = given && candidates(asked, fields).some(({ id }) => id === given.field.id);
  return (
    <Answering
      isOpen
      {...props}
      about={`${connection.connection_id}.${row.id}`}
      asked={[asked]}
      first={new Map(isUsable ? [[asked.key, given]] : [])}
      label={() => count('connections.provide', 1, { company: connection.company.display_name })}
      share={(personId, answers) => answer(personId, connection, answers)}
      changed={(next) => {
        done();
        props.changed(next);
      }}
      cancel={stop}
    />
  );
}
