import { List as Bullets, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { download } from '../../parts/download.ts';
import { PasswordField } from '../../parts/fields.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { type MadeExport, makeExport } from '../../platform/export/export.ts';
import { useRead } from '../../platform/read.ts';
import { passwordMeans } from '../../platform/security.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { type InsideTexts, useInsideText } from '../../text/inside/index.tsx';
import { Note } from '../../ui/note.tsx';
import { BackLink, Page } from '../../ui/page.tsx';

const CONTENTS = ['export.has.page', 'export.has.data', 'export.has.files'] as const;

/** Everything that the platform holds about the person, to take along. */
export function ExportPage() {
  const session = useSession();
  return <MeFrame>{session.state === 'in' && <Export session={session} />}</MeFrame>;
}

function Export({ session }: { session: SignedIn }) {
  const { t } = useInsideText();
  const { found: means, error } = useRead(passwordMeans(session));
  return (
    <Page
      back={<BackLink to="/me/account">{t('place.me')}</BackLink>}
      title={t('export.title')}
      lead={t('export.lead')}
    >
      <Bullets>
        {CONTENTS.map((key) => (
          <Bullets.Item key={key}>{t(key)}</Bullets.Item>
        ))}
      </Bullets>
      <Note icon={IconLock}>{t('export.sealed')}</Note>
      <Problem error={error} />
      {means === undefined ? (
        error === undefined && <Skeleton h={96} radius={8} />
      ) : means === 'password' ? (
        <Making session={session} />
      ) : (
        <Unlock />
      )}
    </Page>
  );
}

function Making({ session }: { session: SignedIn }) {
  const texts = useInsideText();
  const { t } = texts;
  const { busy, error, run } = useAct();
  const [password, setPassword] = useState('');
  const [share, setShare] = useState(0);
  const [made, setMade] = useState<MadeExport>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMade(undefined);
    run(async () => {
      const done = await makeExport(session, password, textsOf(texts), setShare);
      download(done.name, done.zip);
      setMade(done);
      setPassword('');
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordField label={t('export.password')} value={password} change={setPassword} />
        {busy && <Progress aria-label={t('export.working')} value={share * 100} />}
        <Problem error={error} />
        <div role="status">{made && <Outcome made={made} />}</div>
        <ActButtons label={t('export.make')} busy={busy} />
      </Stack>
    </form>
  );
}

function Outcome({ made: { name, missing } }: { made: MadeExport }) {
  const { t, count } = useInsideText();
  return (
    <Stack gap="xs">
      <Text size="sm">{t('export.done', { name })}</Text>
      {missing.length > 0 && (
        <>
          <Text size="sm">{count('export.missing', missing.length)}</Text>
          <Bullets size="sm">
            {missing.map(({ what, reason }) => (
              <Bullets.Item key={what}>
                {what} ({reason})
              </Bullets.Item>
            ))}
          </Bullets>
        </>
      )}
    </Stack>
  );
}

const textsOf = ({ t }: Pick<InsideTexts, 't'>) => ({
  readme: t('export.readme'),
  opener: {
    title: t('export.opener.title'),
    password: t('export.opener.password'),
    open: t('export.opener.open'),
    wrong: t('export.opener.wrong'),
    forOthers: t('export.opener.forOthers'),
    files: t('export.opener.files'),
    choose: t('export.opener.choose'),
    save: t('export.opener.save'),
    missing: t('export.opener.missing'),
  },
});
