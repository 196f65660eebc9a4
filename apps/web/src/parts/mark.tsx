import { Box, Center, VisuallyHidden } from '@mantine/core';
import { useText } from '../text/index.tsx';
import classes from './mark.module.css';

/** The ring broken in two along one line. While something loads, the halves meet. */
export function Mark({ size = 28, loading = false }: { size?: number; loading?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      className={classes.mark}
      data-loading={loading || undefined}
    >
      <path className={classes.right} d="M18.5 4.2A12 12 0 0 1 18.5 27.8L17 24l3-4-3-5 3-4z" />
      <path className={classes.left} d="M13.5 4.2A12 12 0 0 0 13.5 27.8L15 24l3-4-3-5 3-4z" />
    </svg>
  );
}

/** In place of what is not there yet. */
export function Loading() {
  const { t } = useText();
  return (
    <Center mih="60dvh" role="status">
      <Mark size={48} loading />
      <VisuallyHidden>{t('app.loading')}</VisuallyHidden>
    </Center>
  );
}

export function Wordmark() {
  return (
    <Box className={classes.wordmark}>
      <Mark />
      <span>Symbolon</span>
    </Box>
  );
}
