import type { Theme } from './colors';

const KEY = 'heatline-theme';

/** What was chosen before, or else what the system prefers, followed as it changes. */
export function initialTheme(changed: (theme: Theme) => void): Theme {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  prefersDark.addEventListener('change', () => {
    if (remembered() === null) changed(prefersDark.matches ? 'dark' : 'light');
  });
  return remembered() ?? (prefersDark.matches ? 'dark' : 'light');
}

export function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is off in some documents; the choice then lasts as long as the page.
  }
}

function remembered(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}
