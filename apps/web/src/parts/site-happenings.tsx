import { Button, Stack, Text } from '@mantine/core';
import type { SignIn } from '@symbolon/protocol';
import { IconLogin2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { revokeSignIn, signInsQuery } from '../platform/history.ts';
import { type Read, useRead } from '../platform/read.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { Happening } from '../ui/timeline.tsx';
import { ActButtons } from './act-buttons.tsx';
import { Problem, useAct } from './problem.tsx';
import { When } from './when.tsx';

interface Sites {
  readonly read: Read<SignIn[]>;
  readonly happenings: readonly { readonly at: string; readonly happening: Happening }[];
  /** Asks before it ends what a site reads. */
  readonly sheet: ReactNode;
}

/** What the person answered to sites, with the way to end what they read. @param companyId of one company alone */
export function useSites(companyId?: string): Sites {
  const { t } = useInsideText();
  const read = useRead(signInsQuery);
  const [ending, setEnding] = useState<SignIn>();
  const all = (read.found ?? []).filter(({ company }) =>
    [undefined, company.company_user_id].includes(companyId),
  );
  // One act ends all sign-ins of a site, so it stands at the last one.
  const last = new Map(
    all.filter(({ outcome }) => outcome === 'approved').map((each) => [siteOf(each), each.sign_in_id]),
  );
  const happenings = all.map((signIn) => {
    const { sign_in_id: id, company, outcome, at } = signIn;
    const app = nameOf(signIn);
    return {
      at,
      happening: {
        key: `site ${id}`,
        icon: IconLogin2,
        tone: outcome === 'approved' ? ('accent' as const) : ('neutral' as const),
        title: t(`activity.site.${outcome}`, { app }),
        when: <When at={at} />,
        detail: company.display_name,
        ...(last.get(siteOf(signIn)) === id && {
          aside: (
            <Button
              variant="subtle"
              size="compact-md"
              mih={44}
              aria-label={t('activity.end.of', { app })}
              onClick={() => setEnding(signIn)}
            >
              {t('activity.end')}
            </Button>
          ),
        }),
      },
    };
  });
  const sheet = ending && <EndSheet signIn={ending} ended={read.load} close={() => setEnding(undefined)} />;
  return { read, happenings, sheet };
}

const siteOf = ({ app, company }: SignIn) => `${company.company_user_id} ${app.client_id}`;
const nameOf = ({ app, company }: SignIn) => app.name ?? company.display_name;

function EndSheet(props: { signIn: SignIn; ended: () => Promise<void>; close: () => void }) {
  const { signIn, ended, close } = props;
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const app = nameOf(signIn);
  return (
    <Sheet title={t('activity.end.of', { app })} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text>{t('activity.end.text', { app })}</Text>
        <Problem error={error} />
        <ActButtons
          color="red"
          label={t('activity.end.confirm')}
          busy={busy}
          act={() =>
            run(async () => {
              await revokeSignIn(signIn.sign_in_id);
              await ended();
              close();
            })
          }
          cancel={close}
        />
      </Stack>
    </Sheet>
  );
}
