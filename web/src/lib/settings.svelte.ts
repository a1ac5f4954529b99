/** What this reader prefers, kept in the browser. */

type Theme = "auto" | "light" | "dark";

/** How fast the enemy's turn is told; 0 tells nothing of it by itself. */
export const PACES = [1, 2, 4];

const KEY = "bulge.settings";

interface Kept {
  theme: Theme;
  overlays: string[];
  reasons: boolean;
  confirms: boolean;
  pace: number;
}

class Settings {
  theme: Theme = $state("auto");
  overlays: string[] = $state([]);
  /** The log tells what computer players had in mind. */
  reasons = $state(false);
  /** The end of a turn with things undone is asked about. */
  confirms = $state(true);
  pace = $state(2);

  constructor() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
      if (kept.theme === "light" || kept.theme === "dark") this.theme = kept.theme;
      if (Array.isArray(kept.overlays)) this.overlays = kept.overlays;
      this.reasons = kept.reasons === true;
      this.confirms = kept.confirms !== false;
      if (typeof kept.pace === "number" && kept.pace >= 0) this.pace = kept.pace;
    } catch {
      // An unreadable setting is no setting.
    }
    this.apply();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.apply());
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  turnTheme(): void {
    this.theme = this.dark ? "light" : "dark";
    this.apply();
    this.keep();
  }

  turnOverlay(id: string): void {
    this.overlays = this.overlays.includes(id) ? this.overlays.filter((on) => on !== id) : [...this.overlays, id];
    this.keep();
  }

  setPace(pace: number): void {
    this.pace = pace;
    this.keep();
  }

  turnReasons(): void {
    this.reasons = !this.reasons;
    this.keep();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
  }

  private keep(): void {
    const kept: Kept = { theme: this.theme, overlays: this.overlays, reasons: this.reasons, confirms: this.confirms, pace: this.pace };
    localStorage.setItem(KEY, JSON.stringify(kept));
  }
}

export const settings = new Settings();

export function calmMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether this is a device without a pointer that could hover. */
export function byTouch(): boolean {
  return matchMedia("(hover: none)").matches;
}
