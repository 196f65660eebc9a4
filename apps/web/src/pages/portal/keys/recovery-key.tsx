import { Alert, Button, Checkbox, Group as Line, Stack, Text, useMatches } from '@mantine/core';
import type { RecoveryKeyHolder } from '@symbolon/protocol';
import { type ReactNode, useMemo, useState } from 'react';
import { KeyWords } from '../../../parts/key-words.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { PasswordForm } from '../../../parts/password-form.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { WithLoginKey } from '../../../parts/portal/with-login-key.tsx';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { proverOf } from '../../../platform/portal/presence.ts';
import {
  giveRecoveryKey,
  holdersQuery,
  ownWords,
  type ReadyHolder,
  type SealedShare,
  sendShare,
  shareAct,
} from '../../../platform/portal/recovery-copies.ts';
import { knownRecoveryKey, recoveryKeyQuery, wordsQuery } from '../../../platform/portal/recovery-key.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Status } from '../../../ui/status.tsx';

/** With fewer who hold it, one accident loses everything that is sealed to the recovery key alone. */
const HOLDERS_LEAST = 2;

/** The recovery key in words, and who holds it, which is for admins. */
export function RecoveryKey() {
  const { t } = usePortalText();
  const key = useRead(recoveryKeyQuery);
  const isAdmin = mayAs(usePortalLogin(), 'admin');
  return (
    <Group title={t('keys.recovery')} lead={t('keys.recovery.lead')}>
      <Loaded of={key} height={40}>
        {({ public_key_sha256: sha256 }) => <Words sha256={sha256} />}
      </Loaded>
      {isAdmin && <Holders />}
    </Group>
  );
}

/** The words that colleagues compare: of a key that this browser knows, or of the first one that it sees. */
function Words({ sha256 }: { sha256: string }) {
  const { t } = usePortalText();
  const { found } = useRead(wordsQuery(sha256));
  const known = knownRecoveryKey(usePortalLogin().company.company_user_id);
  if (known !== undefined && known !== sha256)
    return (
      <Alert variant="light" color="red" role="alert">
        {t('keys.recovery.other')}
      </Alert>
    );
  return (
    <Text size="sm">
      {t('keys.words')} <strong>{found ?? '…'}</strong>
    </Text>
  );
}

function Holders() {
  const { t } = usePortalText();
  const { login } = usePortalLogin();
  const holders = useRead(holdersQuery);
  return (
    <Loaded of={holders} height={100}>
      {(found) => {
        const holding = found.filter(({ holds }) => holds);
        const mayGive = holding.some(({ login_id: id }) => id === login.id);
        return (
          <>
            {holding.length < HOLDERS_LEAST && (
              <Alert variant="light" color="yellow" role="note">
                {t('keys.holders.few')}
              </Alert>
            )}
            <List label={t('keys.holders')}>
              {found.map((holder) => (
                <HolderRow
                  key={holder.login_id}
                  holder={holder}
                  act={
                    holder.login_id === login.id ? (
                      <OwnWords />
                    ) : (
                      mayGive && isReady(holder) && <Give holder={holder} done={holders.load} />
                    )
                  }
                />
              ))}
            </List>
          </>
        );
      }}
    </Loaded>
  );
}

const isReady = (holder: RecoveryKeyHolder): holder is ReadyHolder =>
  !holder.holds && holder.public_key !== null;

function HolderRow({
  holder: { name, email, role, holds, public_key: key },
  act,
}: {
  holder: RecoveryKeyHolder;
  act: ReactNode;
}) {
  const { t } = usePortalText();
  const isPhone = useMatches({ base: true, xs: false });
  const state = (
    <Status tone={holds ? 'good' : 'neutral'}>{t(holds ? 'keys.holds' : 'keys.holdsNot')}</Status>
  );
  return (
    <Row
      leading={<Avatar name={name || email} letters={2} />}
      title={name || email}
      detail={
        <>
          {email} · {t(`portal.role.${role}`)}
          {key === null && ` · ${t('keys.holder.noKey')}`}
        </>
      }
      trailing={
        isPhone ? (
          <Stack gap="xs" align="flex-end">
            {state}
            {act}
          </Stack>
        ) : (
          <Line gap="xs">
            {state}
            {act}
          </Line>
        )
      }
    />
  );
}

/** A button at the end of a row, with a sheet of its own. @param label of the button, for those who hear it alone */
function ButtonSheet({
  text,
  label,
  heading,
  children,
}: {
  text: string;
  label: string;
  heading: string;
  children: (close: () => void) => ReactNode;
}) {
  const { t } = usePortalText();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" size="sm" aria-label={label} onClick={() => setOpened(true)}>
        {text}
      </Button>
      <Sheet title={heading} opened={opened} close={close} closeLabel={t('app.close')}>
        {children(close)}
      </Sheet>
    </>
  );
}

/** The words of one's own key, made of its private half: the platform could show others. */
function OwnWords() {
  const { t } = usePortalText();
  return (
    <ButtonSheet
      text={t('keys.own')}
      label={`${t('keys.own')}: ${t('keys.own.title')}`}
      heading={t('keys.own.title')}
    >
      {(close) => (
        <WithLoginKey>
          <OwnWordsForm close={close} />
        </WithLoginKey>
      )}
    </ButtonSheet>
  );
}

function OwnWordsForm({ close }: { close: () => void }) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const [words, setWords] = useState<string>();
  if (words === undefined)
    return (
      <PasswordForm
        label={t('keys.own.show')}
        text={t('keys.own.text')}
        act={async (password) => setWords(await ownWords(session, password))}
        cancel={close}
      />
    );
  return (
    <Stack role="status">
      <Text fw={600}>{words}</Text>
      <Text size="sm">{t('keys.own.read')}</Text>
      <Button onClick={close}>{t('app.close')}</Button>
    </Stack>
  );
}

function Give({ holder, done }: { holder: ReadyHolder; done: () => Promise<void> }) {
  const { t } = usePortalText();
  const name = holder.name || holder.email;
  return (
    <ButtonSheet
      text={t('keys.give')}
      label={`${t('keys.give')}: ${name}`}
      heading={t('keys.give.title', { name })}
    >
      {(close) => (
        <WithLoginKey>
          <GiveForm
            holder={holder}
            name={name}
            done={async () => {
              close();
              await done();
            }}
            close={close}
          />
        </WithLoginKey>
      )}
    </ButtonSheet>
  );
}

function GiveForm(props: {
  holder: ReadyHolder;
  name: string;
  done: () => Promise<void>;
  close: () => void;
}) {
  const { holder, name, done, close } = props;
  const { t } = usePortalText();
  const session = usePortalLogin();
  /** The key whose words were compared: a list that is read again may name another one. */
  const [compared, setCompared] = useState<string>();
  const [sealed, setSealed] = useState<SealedShare>();
  if (sealed !== undefined) return <SendForm share={sealed} done={done} close={close} />;
  const isCompared = compared === holder.public_key;
  return (
    <Stack>
      <Text size="sm">{t('keys.give.text', { name })}</Text>
      <KeyWords publicKey={holder.public_key} label={t('keys.give.words', { name })} />
      <Checkbox
        label={t('keys.give.compared', { name })}
        checked={isCompared}
        onChange={(event) => setCompared(event.currentTarget.checked ? holder.public_key : undefined)}
      />
      <PasswordForm
        label={t('keys.give.act')}
        disabled={!isCompared}
        act={async (password, code) => {
          const open = await giveRecoveryKey(session, holder, { password, code });
          if (open === undefined) await done();
          else setSealed(open);
        }}
        cancel={close}
      />
    </Stack>
  );
}

/** Each code is good once, and opening the key has used one. */
function SendForm({
  share,
  done,
  close,
}: {
  share: SealedShare;
  done: () => Promise<void>;
  close: () => void;
}) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  return (
    <Stack>
      <Text size="sm">{t('keys.give.again')}</Text>
      <ProverContext value={prover}>
        <ProofForm
          act={shareAct(share.loginId)}
          label={t('keys.give.act')}
          prove={async (proof) => {
            await sendShare(share, proof);
            await done();
          }}
          cancel={close}
        />
      </ProverContext>
    </Stack>
  );
}
