import { createTheme, type MantineColorsTuple } from '@mantine/core'

const harbor: MantineColorsTuple = [
  '#e9f6f8',
  '#d3ebef',
  '#a6d6de',
  '#76c1cd',
  '#52b0bf',
  '#2f9bad',
  '#16849a',
  '#0b6c7e',
  '#085a69',
  '#054652',
]

const slate: MantineColorsTuple = [
  '#f6f8f9',
  '#edf1f3',
  '#e1e7eb',
  '#d2dae0',
  '#b5c0c9',
  '#8f9ca8',
  '#5b6874',
  '#465260',
  '#2f3a45',
  '#1b242c',
]

const night: MantineColorsTuple = [
  '#d5dee6',
  '#b3bfca',
  '#94a2af',
  '#66747f',
  '#37424c',
  '#2a343d',
  '#1f282f',
  '#171e24',
  '#12181d',
  '#0c1115',
]

/** The last shades are darker than those of Mantine's orange, so that text has enough contrast on the light tint. */
const amber: MantineColorsTuple = [
  '#fff4e6',
  '#ffe8cc',
  '#ffd8a8',
  '#ffc078',
  '#ffa94d',
  '#ff922b',
  '#fd7e14',
  '#c25a06',
  '#a84b04',
  '#8f3e02',
]

/** The colour of success: of what passed, was delivered or is installed. The accent says nothing about that. */
const leaf: MantineColorsTuple = [
  '#e8f6ed',
  '#d2eedc',
  '#a9dfbf',
  '#7bcb9b',
  '#55b97f',
  '#3aa76d',
  '#2b8a57',
  '#1f7446',
  '#155c36',
  '#0d4a2a',
]

export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: 7,
  colors: { harbor, gray: slate, dark: night, orange: amber, green: leaf },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', 'DejaVu Sans Mono', monospace",
  defaultRadius: 'md',
  focusRing: 'auto',
  cursorType: 'pointer',
  fontSizes: { xs: '0.75rem', sm: '0.84375rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      styles: { title: { fontWeight: 620, fontSize: '1.0625rem' } },
      defaultProps: {
        radius: 'lg',
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        // The page keeps its scrollbar while a dialog is open, so Mantine must not add padding in its place.
        removeScrollProps: { removeScrollBar: false },
      },
    },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550 } },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, removeScrollProps: { removeScrollBar: false } },
    },
    Loader: { defaultProps: { size: 'sm' } },
  },
})
