import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { type Language, languages, useText } from '../text/index.tsx';

/** Language and appearance. */
export function PageSettings() {
  const { t, language, choose } = useText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('app.menu')}>
          <svg
            width="20"
            height="20"
            viewBox="0 0 20 20"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.6"
            aria-hidden="true"
          >
            <path d="M3 6h8M15 6h2M3 14h2M9 14h8" strokeLinecap="round" />
            <circle cx="13" cy="6" r="2" />
            <circle cx="7" cy="14" r="2" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('app.language')}</Menu.Label>
        {Object.entries(languages).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            lang={tag}
            aria-current={tag === language}
            rightSection={tag === language ? '✓' : null}
            onClick={() => choose(tag as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('app.appearance')}</Menu.Label>
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            aria-current={scheme === colorScheme}
            rightSection={scheme === colorScheme ? '✓' : null}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`app.appearance.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
