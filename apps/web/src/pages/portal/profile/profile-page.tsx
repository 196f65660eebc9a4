import { Text, TextInput } from '@mantine/core';
import type { Profile } from '@symbolon/protocol';
import type { FormEvent } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { CompanyAvatar } from '../../../parts/company-avatar.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { profileQuery, renameCompany } from '../../../platform/portal/profile.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { BusinessCard } from './business-card.tsx';
import { Photos } from './photos.tsx';

export function ProfilePage() {
  return (
    <PortalPage>
      <Whole />
    </PortalPage>
  );
}

/** How people and other companies see the company. */
function Whole() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const profile = useRead(profileQuery);
  return (
    <Page title={t('profile.title')} lead={t('profile.lead')}>
      <Loaded of={profile} height={120}>
        {(found) => (
          <>
            <List label={t('profile.seen')}>
              <Row
                leading={<CompanyAvatar company={found} size={56} />}
                title={found.display_name}
                detail={t('profile.code', { code: found.company_code })}
              />
            </List>
            {mayEdit && <Name key={found.display_name} profile={found} saved={profile.load} />}
          </>
        )}
      </Loaded>
      <Photos mayEdit={mayEdit} changed={profile.load} />
      <BusinessCard mayEdit={mayEdit} />
      <SameByApi {...sameCalls.profile} />
    </Page>
  );
}

function Name({ profile, saved }: { profile: Profile; saved: () => Promise<unknown> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change } = useKeptForm<{ name?: string | undefined }>('profile', () => ({}));
  const { name = profile.display_name } = value;
  const isNew = name.trim() !== profile.display_name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await renameCompany(name.trim());
      change({ name: undefined });
      await saved();
    });
  };
  return (
    <Group title={t('profile.name')}>
      <form onSubmit={submit}>
        <TextInput
          aria-label={t('profile.name')}
          autoComplete="organization"
          required
          maxLength={100}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Problem error={error} />
        {isNew && (
          <>
            <Text size="sm" my="xs">
              {t('profile.name.text')}
            </Text>
            <ActButtons label={t('settings.save')} busy={busy} cancel={() => change({ name: undefined })} />
          </>
        )}
      </form>
    </Group>
  );
}
