import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const slate: MantineColorsTuple = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#cbd5e1',
  '#94a3b8',
  '#64748b',
  '#475569',
  '#334155',
  '#1e293b',
  '#0f172a',
];
/** Mantine counts its dark scale from the text to the ground. */
const dark: MantineColorsTuple = [
  '#e2e8f0',
  '#cbd5e1',
  '#a3b1c6',
  '#7b8ba3',
  '#475569',
  '#334155',
  '#1e293b',
  '#0f172a',
  '#0b1120',
  '#070c18',
];
const teal: MantineColorsTuple = [
  '#e6f6f4',
  '#cdebe7',
  '#9bd9d1',
  '#66c4b9',
  '#3fb3a7',
  '#1b978b',
  '#0f7f76',
  '#0b6b63',
  '#08574f',
  '#05433d',
];

const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#ef4444',
  '#c81e1e',
  '#b91c1c',
  '#991b1b',
  '#7f1d1d',
];
const orange: MantineColorsTuple = [
  '#fff7ed',
  '#ffedd5',
  '#fed7aa',
  '#fdba74',
  '#fb923c',
  '#d97706',
  '#9a4a06',
  '#8a4006',
  '#78350f',
  '#5c2a0a',
];

/** The one place that says how the pages look. White on the accent is 4.5:1 at least, on both grounds. */
export const theme = createTheme({
  colors: { gray: slate, dark, teal, red, orange },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  black: '#0f172a',
  defaultRadius: 8,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // A thumb reaches them: 44 pixels at least. They name companies, so that their text may need several lines.
    Button: {
      defaultProps: { size: 'md', h: 'auto', mih: 44, py: 6 },
      styles: {
        // A link has no middle of its own, as a button has: with its edges and padding this makes the 44 pixels.
        inner: { height: 'auto', minHeight: 30 },
        // Room for what hangs below the line.
        label: {
          height: 'auto',
          lineHeight: 1.4,
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          textAlign: 'center',
        },
      },
    },
    // They name parties of flows, so that their text may need several lines, too.
    Badge: {
      styles: {
        root: { height: 'auto', minHeight: 'var(--badge-height)', borderRadius: 10, overflow: 'visible' },
        label: { lineHeight: 1.4, whiteSpace: 'normal', overflow: 'visible', overflowWrap: 'break-word' },
      },
    },
    // Every field of these forms is needed, so none is marked.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    TextInput: { defaultProps: { size: 'md', withAsterisk: false } },
    PasswordInput: { defaultProps: { size: 'md', withAsterisk: false } },
    Textarea: { defaultProps: { size: 'md', withAsterisk: false } },
    Select: { defaultProps: { size: 'md', withAsterisk: false } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
});

/** Errors are read on both grounds. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': red[6] },
  dark: { '--mantine-color-error': red[4] },
});
