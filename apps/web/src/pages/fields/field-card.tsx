import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { FileForm } from '../../parts/answers/file-form.tsx';
import { ValueForm } from '../../parts/answers/value-form.tsx';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { useSize } from '../../parts/size.ts';
import { When } from '../../parts/when.tsx';
import { changeField } from '../../platform/change-field.ts';
import {
  bytesOf,
  deleteField,
  type Fields,
  isFileType,
  type OpenField,
  verifiedBy,
} from '../../platform/fields.ts';
import { saveFile } from '../../platform/files.ts';
import { useSession } from '../../platform/session.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { useText } from '../../text/index.tsx';
import classes from './fields.module.css';
import { FileView } from './file-view.tsx';
import { VerifyForm } from './verify-form.tsx';

type Props = { field: OpenField; fields: Fields; changed: () => Promise<void> };

/** One field: what it holds, and what can be done with it. */
export function FieldCard(props: Props) {
  const { field, fields } = props;
  const { t, language } = useText();
  const labelOf = useFieldLabel();
  const size = useSize();
  const heading = useId();
  const [doing, setDoing] = useState<'change' | 'delete' | 'show' | 'verify'>();
  const { label } = field;
  const isFile = isFileType(fields.types, field.type);
  const by = verifiedBy(fields.types, field);
  const stop = () => setDoing(undefined);
  return (
    <Paper component="article" withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Stack gap={2} miw={0}>
            <Title order={2} id={heading} className={classes.value}>
              {label}
            </Title>
            <Text size="sm" c="dimmed">
              {labelOf(field.type, fields.types)}
              {field.file && ` · ${size(bytesOf(field.file))}`}
            </Text>
          </Stack>
          {field.verifiedAt !== undefined && (
            <Badge variant="light" tt="none" miw="fit-content">
              {t('fields.verified')} <When at={new Date(field.verifiedAt).toISOString()} />
            </Badge>
          )}
        </Group>
        {isFile ? (
          field.file === undefined && <Text c="dimmed">{t('fields.empty')}</Text>
        ) : (
          <Text className={classes.value}>
            {field.text === null
              ? t('fields.unreadable')
              : shownValue(field.text, fields.types.resolved.get(field.type), language)}
          </Text>
        )}
        {doing === 'show' && <FileView field={field} />}
        {doing === 'change' && <Changing {...props} isFile={isFile} stop={stop} />}
        {doing === 'verify' && <VerifyForm field={field} by={by} done={props.changed} stop={stop} />}
        {doing === 'delete' && <Deleting {...props} stop={stop} />}
        {(doing === undefined || doing === 'show') && (
          <Group gap="xs">
            {field.file && (
              <Button variant="default" onClick={() => setDoing(doing === 'show' ? undefined : 'show')}>
                {t(doing === 'show' ? 'fields.hide' : 'fields.show', { label })}
              </Button>
            )}
            <Button variant="default" onClick={() => setDoing('change')}>
              {t(isFile ? 'fields.replace' : 'fields.edit', { label })}
            </Button>
            {by !== undefined && (
              <Button variant="default" onClick={() => setDoing('verify')}>
                {t(field.verifiedAt === undefined ? 'verification.open' : 'verification.verified', { label })}
              </Button>
            )}
            <Button variant="subtle" color="gray" onClick={() => setDoing('delete')}>
              {t('fields.delete', { label })}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Changing({ field, fields, changed, isFile, stop }: Props & { isFile: boolean; stop: () => void }) {
  const { t } = useText();
  const session = useSession();
  const type = fields.types.resolved.get(field.type);
  if (type === undefined || session.state !== 'in') return null;
  const { label } = field;
  const done = async () => {
    await changed();
    stop();
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{t('fields.live')}</Text>
      {isFile ? (
        <FileForm
          type={type}
          label={label}
          submit={t('fields.save')}
          save={async (content, report) => {
            await saveFile(field.id, content, report);
            await done();
          }}
          cancel={stop}
        />
      ) : (
        <ValueForm
          type={type}
          label={label}
          initial={field.text ?? ''}
          submit={t('fields.save')}
          save={async (value) => {
            await changeField(session.person.person_user_id, field, value, fields);
            await done();
          }}
          cancel={stop}
        />
      )}
    </Stack>
  );
}

function Deleting({ field, changed, stop }: Props & { stop: () => void }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const { label } = field;
  return (
    <Stack gap="sm">
      <Text size="sm">{t('fields.delete.text', { label })}</Text>
      <Problem error={error} />
      <ActButtons
        color="red"
        label={t('fields.delete', { label })}
        busy={busy}
        act={() =>
          run(async () => {
            await deleteField(field.id);
            await changed();
          })
        }
        cancel={stop}
      />
    </Stack>
  );
}
