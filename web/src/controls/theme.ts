import type { Theme } from "../draw/palette";

/** Light or dark: as the system is set, until the reader chooses. The page's head has set it before the first picture. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];
let chosen: Theme | null = null;

export function currentTheme(): Theme {
  return chosen ?? (dark.matches ? "dark" : "light");
}
export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

function apply(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}

/** The switch in the page's head. */
export function themeSwitch(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "theme";
  const label = (): void => {
    const other = currentTheme() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "☾ Dark" : "☀ Light";
    button.title = `Show the page in ${other} colors`;
  };
  button.addEventListener("click", () => {
    chosen = currentTheme() === "dark" ? "light" : "dark";
    apply();
  });
  dark.addEventListener("change", apply);
  onTheme(label);
  label();
  return button;
}
