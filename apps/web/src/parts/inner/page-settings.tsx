import { Group, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useText } from '../../text/index.tsx';
import { type Language, languages } from '../../text/language.ts';
import classes from './page-settings.module.css';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Language and appearance, at the foot of every page. */
export function PageSettings() {
  const { t, language, choose } = useText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group component="footer" justify="center" gap="xs" className={classes.foot}>
      <NativeSelect
        variant="unstyled"
        aria-label={t('app.language')}
        autoComplete="language"
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={(event) => choose(event.currentTarget.value as Language)}
      />
      <NativeSelect
        variant="unstyled"
        aria-label={t('app.appearance')}
        autoComplete="off"
        data={SCHEMES.map((value) => ({ value, label: t(`app.appearance.${value}`) }))}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as (typeof SCHEMES)[number])}
      />
    </Group>
  );
}
