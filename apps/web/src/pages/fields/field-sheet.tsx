import { Button, Stack, Switch, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { typedOf } from '../../parts/answers/field-input.tsx';
import { FileForm } from '../../parts/answers/file-form.tsx';
import { ValueForm } from '../../parts/answers/value-form.tsx';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { useChosen } from '../../parts/use-chosen.ts';
import { When } from '../../parts/when.tsx';
import { changeField } from '../../platform/change-field.ts';
import {
  deleteField,
  type Fields,
  isFileType,
  type OpenField,
  restoreField,
  setPrivate,
  verifiedBy,
} from '../../platform/fields.ts';
import { saveFile } from '../../platform/files.ts';
import { useSession } from '../../platform/session.ts';
import { offerUndo } from '../../platform/undo.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Note } from '../../ui/note.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';
import { FileView } from './file-view.tsx';
import { useSharing } from './sharing.ts';
import { Value } from './value.tsx';
import { VerifyForm } from './verify-form.tsx';

type Props = { field: OpenField; fields: Fields; changed: () => Promise<void> };
/** A form for changing is in the address: who comes back to it finds it open. */
type Opened = { isChanging: boolean; setChanging: (is: boolean) => void };
type Doing = 'change' | 'delete' | 'show' | 'verify';

/** One field, whole: what it holds, who has it, and what can be done with it. */
export function FieldSheet({ close, ...props }: Props & Opened & { close: () => void }) {
  const { field, fields } = props;
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  const { isChanging, setChanging } = props;
  const [other, setOther] = useState<Exclude<Doing, 'change'>>();
  const doing = isChanging ? 'change' : other;
  const setDoing = (next: Doing | undefined) => {
    setOther(next === 'change' ? undefined : next);
    if ((next === 'change') !== isChanging) setChanging(next === 'change');
  };
  const stop = () => setDoing(undefined);
  const by = verifiedBy(fields.types, field);
  const asPrivate = usePrivate(props);
  return (
    <Sheet title={field.label} opened close={close} closeLabel={t('app.close')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {labelOf(field.type, fields.types)}
        </Text>
        <Value {...props} />
        {field.verifiedAt !== undefined && (
          <Note icon={IconShieldCheck} tone="good">
            {t('fields.verified')} <When at={new Date(field.verifiedAt).toISOString()} />
          </Note>
        )}
        {doing === 'show' && <FileView field={field} />}
        {doing === 'change' && <Changing {...props} stop={stop} />}
        {doing === 'verify' && <VerifyForm field={field} by={by} done={props.changed} stop={stop} />}
        {doing === 'delete' && <Deleting {...props} stop={stop} />}
        {(doing === undefined || doing === 'show') && (
          <>
            <Acts {...props} doing={doing} setDoing={setDoing} asPrivate={asPrivate} />
            <Private {...asPrivate} />
            <SharedWith field={field} />
          </>
        )}
      </Stack>
    </Sheet>
  );
}

type ActsProps = Props & {
  doing: Doing | undefined;
  setDoing: (doing: Doing | undefined) => void;
  asPrivate: AsPrivate;
};

function Acts({ field, fields, doing, setDoing, changed, asPrivate }: ActsProps) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const isShared = useSharing().has(field.id);
  const { label } = field;
  const isFile = isFileType(fields.types, field.type);
  const by = verifiedBy(fields.types, field);
  // Nothing is lost by it that making it again does not bring back.
  const canUndo = !isFile && !isShared && field.text !== null && field.verifiedAt === undefined;
  const remove = () =>
    run(async () => {
      await deleteField(field.id);
      offerUndo({
        text: t('fields.deleted', { label }),
        undo: async () => {
          await restoreField({ ...field, isPrivate: asPrivate.isPrivate }, fields);
          await changed();
        },
      });
      await changed();
    });
  return (
    <>
      {field.file && (
        <Button variant="default" onClick={() => setDoing(doing === 'show' ? undefined : 'show')}>
          {t(doing === 'show' ? 'fields.hide' : 'fields.show', { label })}
        </Button>
      )}
      <Button onClick={() => setDoing('change')}>
        {t(isFile ? 'fields.replace' : 'fields.edit', { label })}
      </Button>
      {by !== undefined && (
        <Button variant="default" onClick={() => setDoing('verify')}>
          {t(field.verifiedAt === undefined ? 'verification.open' : 'verification.verified', { label })}
        </Button>
      )}
      <Button
        variant="default"
        c="red"
        loading={busy}
        // What is deleted meanwhile would come back as it was before.
        disabled={asPrivate.busy}
        onClick={canUndo ? remove : () => setDoing('delete')}
      >
        {t('fields.delete', { label })}
      </Button>
      <Problem error={error} />
    </>
  );
}

/** Whether other parties of a flow see that it was answered, and not what was. */
function usePrivate({ field, changed }: Props) {
  const { value: isPrivate, busy, error, choose } = useChosen(field, field.isPrivate);
  const store = async (is: boolean) => {
    await setPrivate(field.id, is);
    await changed();
  };
  return { isPrivate, busy, error, choose: (is: boolean) => choose(is, () => store(is)) };
}

type AsPrivate = ReturnType<typeof usePrivate>;

function Private({ isPrivate, error, choose }: AsPrivate) {
  const { t } = useInsideText();
  return (
    <>
      <Switch
        label={t('fields.private')}
        description={t('fields.private.text')}
        checked={isPrivate}
        onChange={({ currentTarget: { checked } }) => choose(checked)}
      />
      <Problem error={error} />
    </>
  );
}

/** The companies that have it, live or as it was. */
function SharedWith({ field }: { field: OpenField }) {
  const { t } = useInsideText();
  const having = useSharing().get(field.id) ?? [];
  if (having.length === 0) return null;
  return (
    <Group title={t('fields.sharedWith')}>
      <List>
        {having.map(({ connection_id: connectionId, company, service, isLive }) => (
          <RowLink
            key={connectionId}
            to="/me/connections/$connectionId"
            params={{ connectionId }}
            parts={{
              leading: <CompanyAvatar company={company} />,
              title: company.display_name,
              detail: service.name,
              trailing: (
                <Status tone={isLive ? 'good' : 'neutral'}>
                  {t(isLive ? 'connections.kind.live' : 'connections.kind.once')}
                </Status>
              ),
            }}
          />
        ))}
      </List>
    </Group>
  );
}

function Changing({ field, fields, changed, stop }: Props & { stop: () => void }) {
  const { t } = useInsideText();
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
      {isFileType(fields.types, field.type) ? (
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
          keptAs={`field.${field.id}`}
          submit={t('fields.save')}
          save={async (value) => {
            const { person_user_id: personId } = session.person;
            await changeField(personId, field, value, fields);
            await done();
            // What was verified is not verified again by taking it back.
            if (field.text !== null && field.verifiedAt === undefined) {
              const before = typedOf(type, field.text);
              offerUndo({
                text: t('fields.changed', { label }),
                undo: async () => {
                  await changeField(personId, field, before, fields);
                  await changed();
                },
              });
            }
          }}
          cancel={stop}
        />
      )}
    </Stack>
  );
}

function Deleting({ field, changed, stop }: Props & { stop: () => void }) {
  const { t } = useInsideText();
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
