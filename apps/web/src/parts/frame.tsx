import { Box, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/index.tsx';
import { PageTitle } from '../ui/page.tsx';
import classes from './frame.module.css';
import { Wordmark } from './mark.tsx';
import { PageChoices } from './page-choices.tsx';

/** What is around every page: the mark, its settings, and the content in the middle. */
export function Frame({
  children,
  wide = false,
  asSheet = false,
  aside,
}: {
  children: ReactNode;
  /** Wider than a form; `full` takes the window. */
  wide?: boolean | 'full';
  /** On a phone the content comes from below, as sheets do. */
  asSheet?: boolean;
  aside?: ReactNode;
}) {
  const { t } = useText();
  return (
    <Box className={classes.frame} data-sheet={asSheet || undefined}>
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
      <Group component="footer" justify="center" gap="xs" className={classes.foot}>
        <PageChoices />
      </Group>
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
