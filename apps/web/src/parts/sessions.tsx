import { Button } from '@mantine/core';
import type { SessionView } from '@symbolon/protocol';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import type { Query } from '../platform/queries.ts';
import { useRead } from '../platform/read.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { Group } from '../ui/group.tsx';
import { IconTile } from '../ui/icon.tsx';
import { List, Row } from '../ui/list.tsx';
import { Status } from '../ui/status.tsx';
import { Loaded } from './loaded.tsx';
import { Problem, useAct } from './problem.tsx';
import { When } from './when.tsx';

const PHONES = /android|iphone|ipad|ios/i;

/** The sessions of an account, and the end of each. */
export function Sessions(props: {
  of: Query<readonly SessionView[]>;
  end: (id: string) => Promise<unknown>;
  endOthers: () => Promise<unknown>;
}) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const read = useRead(props.of);
  const { found: list = [], load } = read;
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      await does();
      await load();
    });
  return (
    <Group id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
      <Problem error={error} />
      <Loaded of={read} height={60} />
      {list.length > 0 && (
        <List>
          {list.map(({ id, user_agent: browser, last_seen_at, current }) => (
            <Row
              key={id}
              leading={<IconTile icon={PHONES.test(browser) ? IconDeviceMobile : IconDeviceLaptop} />}
              title={browser}
              detail={
                <>
                  {t('sessions.seen')} <When at={last_seen_at} />
                </>
              }
              trailing={
                current ? (
                  <Status tone="good">{t('sessions.current')}</Status>
                ) : (
                  <Button
                    variant="default"
                    flex="none"
                    disabled={busy}
                    aria-label={t('sessions.end.of', { browser })}
                    onClick={() => act(() => props.end(id))}
                  >
                    {t('sessions.end')}
                  </Button>
                )
              }
            />
          ))}
        </List>
      )}
      {list.length > 1 && (
        <Button variant="default" disabled={busy} onClick={() => act(props.endOthers)}>
          {t('sessions.endOthers')}
        </Button>
      )}
    </Group>
  );
}
