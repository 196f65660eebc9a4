import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../text/index.tsx';
import classes from './frame.module.css';
import { PageSettings } from './inner/page-settings.tsx';
import { Wordmark } from './mark.tsx';

/** What is around every page: the mark, its settings, and the content in the middle. */
export function Frame({
  children,
  wide = false,
  aside,
}: {
  children: ReactNode;
  /** Wider than a form; `full` takes the window. */
  wide?: boolean | 'full';
  aside?: ReactNode;
}) {
  const { t } = useText();
  return (
    <Box className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {t('app.skip')}
      </a>
      <Group component="header" justify="space-between" className={classes.head}>
        <Wordmark />
        {aside}
      </Group>
      <main id="content" className={classes.main} data-wide={wide || undefined} tabIndex={-1}>
        {children}
      </main>
      <PageSettings />
    </Box>
  );
}

/** One purpose in the middle of the page. */
export function Sheet({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Panel>
      <PageHead title={title} lead={lead} />
      {children}
    </Panel>
  );
}

/** The heading of a page, and what the page is for. */
export function PageHead({ title, lead }: { title: string; lead?: ReactNode }) {
  return (
    <Stack gap={6}>
      <PageTitle>{title}</PageTitle>
      {lead !== undefined && <Text c="dimmed">{lead}</Text>}
    </Stack>
  );
}

/** The ground of what stands in the middle of the page; on a phone it has no edge. */
export function Panel({ children }: { children: ReactNode }) {
  return (
    <Paper className={classes.sheet} withBorder>
      <Stack gap="lg">{children}</Stack>
    </Paper>
  );
}

/** The heading of a page. It gets the focus when the page changes, so that a screen reader says where one is. */
export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Symbolon`;
    heading.current?.focus({ preventScroll: true });
  }, [children]);
  return (
    <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
      {children}
    </Title>
  );
}

/** What will be in a list, and the one step to get there. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper className={classes.empty} p="xl">
      <Stack gap="xs" align="center">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Paper>
  );
}
