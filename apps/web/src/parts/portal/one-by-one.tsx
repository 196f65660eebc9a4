import { Progress as Bar, Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { usePortalText } from '../../text/portal/index.tsx';
import { List, Row } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { useErrorText } from '../problem.tsx';
import { Section } from '../section.tsx';
import { Question } from './question.tsx';

/** Which texts say what is done. */
type Words = 'issued' | 'asking' | 'reminding';

/** How far an act is that is done for many, one after the other. */
interface Work<Item> {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly { readonly item: Item; readonly error: unknown }[];
  readonly isUnderWay: boolean;
}

/** Does something for many, one after the other. One that fails holds up no other; those are tried again alone. */
export function useOneByOne<Item>() {
  const [work, setWork] = useState<Work<Item>>();
  const start = async (items: readonly Item[], act: (item: Item) => Promise<unknown>, before = 0) => {
    const total = before + items.length;
    let done = before;
    let failed: Work<Item>['failed'] = [];
    const show = (isUnderWay: boolean) => setWork({ total, done, failed, isUnderWay });
    show(true);
    for (const item of items) {
      try {
        await act(item);
        done++;
      } catch (error) {
        failed = [...failed, { item, error }];
      }
      show(true);
    }
    show(false);
  };
  return { work, start, drop: () => setWork(undefined) };
}

/**
 * How far it is; those for which it failed, why, and the way to try again. Who leaves before it is over is asked first.
 * @param nameOf what a row says of who it failed for
 */
export function OneByOne<Item>({
  work,
  words,
  retry,
  nameOf,
  onward,
}: {
  work: Work<Item>;
  words: Words;
  retry: (failed: readonly Item[], done: number) => void;
  nameOf: (item: Item) => { key: string; name: string };
  /** Where one goes from here, once it is over. */
  onward: ReactNode;
}) {
  const { t } = usePortalText();
  const textOf = useErrorText();
  const { total, done, failed, isUnderWay } = work;
  return (
    <>
      <Leaving isAsked={isUnderWay} words={words} />
      <Section title={isUnderWay ? t(`${words}.sending`) : t(`${words}.over`)}>
        <Stack gap="xs">
          <Bar value={((done + failed.length) / total) * 100} aria-label={t(`${words}.sending`)} />
          <Text size="sm" role="status">
            {t(`${words}.progress`, { done, total })}
          </Text>
          {!isUnderWay && onward}
        </Stack>
      </Section>
      {failed.length > 0 && (
        <Section title={t(`${words}.failed`)} lead={t(`${words}.failed.text`)}>
          <Stack>
            <List label={t(`${words}.failed`)}>
              {failed.map(({ item, error }) => {
                const { key, name } = nameOf(item);
                const trailing = <Status tone="bad">{t(`${words}.notSent`)}</Status>;
                return <Row key={key} title={name} detail={textOf(error)} trailing={trailing} />;
              })}
            </List>
            <Group>
              <Button
                onClick={() =>
                  retry(
                    failed.map(({ item }) => item),
                    done,
                  )
                }
                disabled={isUnderWay}
              >
                {t('oneByOne.again')}
              </Button>
            </Group>
          </Stack>
        </Section>
      )}
    </>
  );
}

/** What was not done yet is lost with the page. */
function Leaving({ isAsked, words }: { isAsked: boolean; words: Words }) {
  const { t } = usePortalText();
  const blocked = useBlocker({
    shouldBlockFn: () => isAsked,
    enableBeforeUnload: () => isAsked,
    withResolver: true,
  });
  if (blocked.status !== 'blocked') return null;
  return (
    <Question title={t(`${words}.leave`)} close={blocked.reset}>
      <Text size="sm">{t(`${words}.leave.text`)}</Text>
      <Group>
        <Button onClick={blocked.reset}>{t(`${words}.leave.stay`)}</Button>
        <Button variant="default" onClick={blocked.proceed}>
          {t('oneByOne.leave.go')}
        </Button>
      </Group>
    </Question>
  );
}
