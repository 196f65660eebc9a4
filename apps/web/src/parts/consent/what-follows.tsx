import { Stack } from '@mantine/core';
import { IconEye, IconLock } from '@tabler/icons-react';
import type { Request } from '../../platform/consent.ts';
import { useText } from '../../text/index.tsx';
import { Note } from '../../ui/note.tsx';
import type { Asked } from '../answers/asked.ts';

/** What of a request says what follows from it. */
export interface Following extends Pick<Request, 'mode'> {
  readonly app: Pick<Request['app'], 'name'>;
  readonly company: Pick<Request['company'], 'display_name'>;
}

/** What the button says that shares some answers, or none. */
export function useShareLabel({ mode, app: { name: app } }: Following, answers: number): string {
  const { t, count } = useText();
  return answers === 0 ? t(`consent.approve.${mode}`, { app }) : count('consent.share', answers, { app });
}

/** Until when, and how to end it. */
export function WhatFollows(props: {
  request: Following;
  /** The person is enrolled already. */
  enrolled: boolean;
  asked: readonly Asked[];
}) {
  const { request, enrolled, asked } = props;
  const { t } = useText();
  const app = request.app.name;
  const company = request.company.display_name;
  const isReadable = asked.some(({ readable }) => readable);
  const lines = [
    request.mode === '2fa_enroll'
      ? t(enrolled ? 'consent.follows.enrolled' : 'consent.follows.2fa_enroll', { company })
      : t('consent.follows.shareCode', { app }),
    ...(asked.some(({ kind }) => kind === 'claim') ? [t('consent.follows.once', { app })] : []),
    ...(request.mode === 'connect' ? [t('consent.follows.connect', { company })] : []),
    ...(asked.length > 0 && !isReadable ? [t('consent.follows.sealed', { app })] : []),
  ];
  return (
    <Stack component="section" gap="sm" aria-label={t('consent.follows')}>
      <Note icon={IconLock}>
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </Note>
      {isReadable && (
        <Note icon={IconEye} tone="warn">
          {t('consent.follows.readable', { app })}
        </Note>
      )}
    </Stack>
  );
}
