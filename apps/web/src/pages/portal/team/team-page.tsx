import { Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { Delegate } from '@symbolon/protocol';
import { IconUserPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import {
  changeRole,
  delegatesQuery,
  inviteDelegate,
  removeDelegate,
  resendInvitation,
} from '../../../platform/portal/account.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { signInPolicyQuery } from '../../../platform/portal/sign-in-policy.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Status } from '../../../ui/status.tsx';
import { FactorForAll } from './factor-for-all.tsx';

export function TeamPage() {
  return (
    <PortalPage>
      <Team />
    </PortalPage>
  );
}

const ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
type Role = (typeof ROLES)[number];

function Team() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'admin');
  const list = useRead(delegatesQuery);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Page
      title={t('team.title')}
      lead={t('team.lead')}
      aside={
        mayEdit && (
          <Button
            leftSection={<IconUserPlus size={18} aria-hidden="true" />}
            onClick={() => setIsInviting(true)}
          >
            {t('team.invite')}
          </Button>
        )
      }
    >
      <LoadedList of={list} none={t('team.title')} noneText={t('team.lead')}>
        {(found) => (
          <List label={t('team.title')}>
            {found.map((delegate) => (
              <DelegateRow key={delegate.id} delegate={delegate} mayEdit={mayEdit} changed={list.load} />
            ))}
          </List>
        )}
      </LoadedList>
      <FactorForAll />
      <SameByApi {...sameCalls.invite} />
      {isInviting && <InviteSheet close={() => setIsInviting(false)} invited={list.load} />}
    </Page>
  );
}

function DelegateRow(props: { delegate: Delegate; mayEdit: boolean; changed: () => Promise<void> }) {
  const { delegate, mayEdit, changed } = props;
  const { id, email, name, role, status, company_login: isCompany } = delegate;
  const { t } = usePortalText();
  const { login } = usePortalLogin();
  const { busy, error, run } = useAct();
  const [isRemoving, setIsRemoving] = useState(false);
  const isSelf = login.id === id;
  const about = useAbout(delegate, isSelf);
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      await does();
      await changed();
      setIsRemoving(false);
    });
  return (
    <>
      <Row
        leading={<Avatar name={name ?? email} letters={2} size={36} />}
        title={name ?? email}
        detail={about}
        trailing={
          <Group gap="xs" wrap="nowrap">
            {status === 'invited' && <Status tone="warn">{t('team.invited')}</Status>}
            {mayEdit && !isSelf && !isCompany ? (
              <>
                <NativeSelect
                  autoComplete="off"
                  aria-label={`${t('team.role')}: ${email}`}
                  value={role}
                  disabled={busy}
                  data={ROLES.map((value) => ({ value, label: t(`portal.role.${value}`) }))}
                  onChange={(event) => {
                    const next = event.currentTarget.value as Role;
                    act(() => changeRole(id, next));
                  }}
                />
                {status === 'invited' && (
                  <Button variant="default" size="sm" onClick={() => act(() => resendInvitation(id))}>
                    {t('team.resend')}
                  </Button>
                )}
                <Button
                  variant="subtle"
                  color="red"
                  size="sm"
                  aria-label={`${t('team.remove')}: ${email}`}
                  onClick={() => setIsRemoving(true)}
                >
                  {t('team.remove')}
                </Button>
              </>
            ) : (
              <Status>{t(`portal.role.${role}`)}</Status>
            )}
          </Group>
        }
      />
      {!isRemoving && <Problem error={error} />}
      {isRemoving && (
        <Question title={t('team.remove.title', { name: name ?? email })} close={() => setIsRemoving(false)}>
          <Text size="sm">{t('team.remove.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('team.remove')}
            busy={busy}
            color="red"
            act={() => act(() => removeDelegate(id))}
            cancel={() => setIsRemoving(false)}
          />
        </Question>
      )}
    </>
  );
}

/** What is said of a login below its name. */
function useAbout({ id, email, name, status, company_login: isCompany }: Delegate, isSelf: boolean): string {
  const { t } = usePortalText();
  const { found: policy } = useRead(signInPolicyQuery);
  const about = [
    name === null ? undefined : email,
    isSelf ? t('team.you') : undefined,
    isCompany ? t('team.companyLogin') : undefined,
    status === 'active' && policy
      ? t(policy.without_second_factor.some((one) => one.id === id) ? 'team.noTwoFactor' : 'team.twoFactor')
      : undefined,
  ];
  return about.filter((each) => each !== undefined).join(' · ');
}

function InviteSheet({ close, invited }: { close: () => void; invited: () => Promise<void> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm<{ email: string; role: Role }>('invitation', () => ({
    email: '',
    role: 'developer',
  }));
  const { email, role } = value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await inviteDelegate(email.trim(), role);
      drop();
      await invited();
      close();
    });
  };
  return (
    <Sheet title={t('team.invite')} opened close={close} closeLabel={t('app.close')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('team.invite.email')}
            type="email"
            autoComplete="off"
            required
            value={email}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <Radio.Group
            label={t('team.invite.role')}
            value={role}
            onChange={(chosen) => change({ role: chosen as Role })}
          >
            <Stack gap="xs" mt="xs">
              {ROLES.map((each) => (
                <Radio
                  key={each}
                  value={each}
                  label={t(`portal.role.${each}`)}
                  description={t(`team.role.${each}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('team.invite.send')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  );
}
