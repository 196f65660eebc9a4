import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { Invitation } from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '../../../parts/fields.tsx';
import { Frame, Sheet } from '../../../parts/frame.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingPage } from '../../../parts/loading-page.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { NeedsSiteData } from '../../../parts/site-data.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { useKeptInTab } from '../../../parts/use-kept-in-tab.ts';
import { PORTAL_FORMS } from '../../../platform/forms.ts';
import { type PortalSignedIn, signOutOfPortal, usePortalSession } from '../../../platform/portal/session.ts';
import { acceptInvitation, invitationQuery, type MadeLogin } from '../../../platform/portal/ways-in.ts';
import { useRead } from '../../../platform/read.ts';
import { PortalTextProvider, usePortalText } from '../../../text/portal/index.tsx';
import { NewLogin } from './made-login.tsx';

/** For a colleague who was invited by mail: the token stands behind the # of the address. */
export function InvitationPage() {
  return (
    <PortalTextProvider>
      <Invited />
    </PortalTextProvider>
  );
}

function Invited() {
  const { t } = usePortalText();
  const session = usePortalSession();
  const [token] = useState(() => location.hash.slice(1));
  const [made, setMade] = useState<MadeLogin & { readonly email: string }>();
  const invitation = useRead(invitationQuery(token));
  if (session.state === 'unknown') return <LoadingPage />;
  return (
    <Frame>
      {made && <NewLogin email={made.email} made={made} />}
      {!made && session.state === 'in' && <SignOutFirst session={session} />}
      {!made && session.state !== 'in' && invitation.found === undefined && (
        <Sheet title={t('invitation.yours')}>
          <Loaded of={invitation} height={200} />
          <TextLink to="/portal/sign-in" size="sm">
            {t('portal.signIn')}
          </TextLink>
        </Sheet>
      )}
      {!made && session.state !== 'in' && invitation.found && (
        <Accept
          invitation={invitation.found}
          accept={async (input) => {
            const { found } = invitation;
            if (found) setMade({ ...(await acceptInvitation(token, found, input)), email: found.email });
          }}
        />
      )}
    </Frame>
  );
}

/** One browser has one login at a time. */
function SignOutFirst({ session: { company, login } }: { session: PortalSignedIn }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  return (
    <Sheet
      title={t('invitation.other')}
      lead={t('invitation.other.text', { login: login.email, company: company.name })}
    >
      <Problem error={error} />
      <Button loading={busy} onClick={() => run(signOutOfPortal)}>
        {t('invitation.other.go')}
      </Button>
      <TextLink to="/portal" size="sm">
        {t('overview.title')}
      </TextLink>
    </Sheet>
  );
}

function Accept({
  invitation: { company_name: company, email, role },
  accept,
}: {
  invitation: Invitation;
  accept: (input: { name: string; password: string }) => Promise<void>;
}) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptInTab(`${PORTAL_FORMS}invited.${email}`, () => ({ name: '' }));
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await accept({ name: value.name.trim(), password });
      drop();
    });
  };
  return (
    <Sheet title={t('invitation.title', { company })} lead={t('invitation.lead', { email })}>
      <Text size="sm">
        {t(`portal.role.${role}`)}: {t(`team.role.${role}`)}
      </Text>
      <form onSubmit={submit}>
        <Stack>
          <NeedsSiteData />
          {/* For the one who keeps passwords: whose it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextInput
            label={t('invitation.name')}
            description={t('invitation.name.hint')}
            name="name"
            autoComplete="name"
            required
            maxLength={100}
            value={value.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <PasswordField label={t('password')} isNew value={password} change={setPassword} />
          <Problem error={error} />
          <Button type="submit" loading={busy}>
            {t('invitation.submit')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  );
}
