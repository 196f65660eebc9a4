import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { type Language, languages } from '../text/language.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

interface Choice {
  /** Among other text, without a box of its own. */
  readonly isPlain?: boolean;
}

/** Both, among other text: at the foot of pages. */
export function PageChoices() {
  return (
    <>
      <LanguageChoice isPlain />
      <AppearanceChoice isPlain />
    </>
  );
}

/** In which language the pages of this browser speak. */
export function LanguageChoice({ isPlain = false }: Choice) {
  const { t, language, choose } = useText();
  return (
    <NativeSelect
      {...(isPlain ? { variant: 'unstyled' } : {})}
      aria-label={t('app.language')}
      autoComplete="language"
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      value={language}
      onChange={(event) => choose(event.currentTarget.value as Language)}
    />
  );
}

/** Whether the pages of this browser are light or dark. */
export function AppearanceChoice({ isPlain = false }: Choice) {
  const { t } = useText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      {...(isPlain ? { variant: 'unstyled' } : {})}
      aria-label={t('app.appearance')}
      autoComplete="off"
      data={SCHEMES.map((value) => ({ value, label: t(`app.appearance.${value}`) }))}
      value={colorScheme}
      onChange={(event) => setColorScheme(event.currentTarget.value as (typeof SCHEMES)[number])}
    />
  );
}
