/** What this reader prefers, kept in the browser. */

type Theme = "auto" | "light" | "dark";

/** How fast the enemy's turn is told; 0 tells nothing of it by itself. */
export const PACES = [1, 2, 4];

const KEY = "bulge.settings";

/** What can be on or off, with what it is at first. */
const SWITCHES = { reasons: false, confirms: true, still: false, leftHanded: false, largeText: false, sound: false, safeColours: false };

export type Switch = keyof typeof SWITCHES;

class Settings {
  theme: Theme = $state("auto");
  overlays: string[] = $state([]);
  pace = $state(2);
  /** Guided games that were ended or skipped. */
  guided: string[] = $state([]);
  private switches: Record<Switch, boolean> = $state({ ...SWITCHES });

  constructor() {
    try {
      this.read(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>);
    } catch {
      // An unreadable setting is no setting.
    }
    this.apply();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.apply());
  }

  private read(kept: Record<string, unknown>): void {
    if (kept["theme"] === "light" || kept["theme"] === "dark") this.theme = kept["theme"];
    if (Array.isArray(kept["overlays"])) this.overlays = kept["overlays"] as string[];
    if (Array.isArray(kept["guided"])) this.guided = kept["guided"] as string[];
    if (typeof kept["pace"] === "number" && kept["pace"] >= 0) this.pace = kept["pace"];
    for (const id of Object.keys(SWITCHES) as Switch[]) if (typeof kept[id] === "boolean") this.switches[id] = kept[id];
  }

  /** The log tells what computer players had in mind. */
  get reasons(): boolean {
    return this.switches.reasons;
  }

  /** The end of a turn with things undone is asked about. */
  get confirms(): boolean {
    return this.switches.confirms;
  }

  /** Nothing moves by itself. */
  get still(): boolean {
    return this.switches.still;
  }

  get leftHanded(): boolean {
    return this.switches.leftHanded;
  }

  get largeText(): boolean {
    return this.switches.largeText;
  }

  /** A knock when dice fall, a tone when it is one's turn. */
  get sound(): boolean {
    return this.switches.sound;
  }

  /** Results in colours that differ for every eye. */
  get safeColours(): boolean {
    return this.switches.safeColours;
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  turn(id: Switch): void {
    this.switches[id] = !this.switches[id];
    this.apply();
    this.keep();
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

  startGuide(game: string): void {
    this.guided = this.guided.filter((each) => each !== game);
    this.keep();
  }

  endGuide(game: string): void {
    this.guided = [...new Set([...this.guided, game])];
    this.keep();
  }

  private apply(): void {
    const { dataset } = document.documentElement;
    dataset["theme"] = this.dark ? "dark" : "light";
    dataset["text"] = this.largeText ? "large" : "";
    dataset["colours"] = this.safeColours ? "safe" : "";
    dataset["hand"] = this.leftHanded ? "left" : "";
  }

  private keep(): void {
    const { theme, overlays, pace, guided, switches } = this;
    localStorage.setItem(KEY, JSON.stringify({ theme, overlays, pace, guided, ...switches }));
  }
}

export const settings = new Settings();

export function calmMotion(): boolean {
  return settings.still || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether this is a device without a pointer that could hover. */
export function byTouch(): boolean {
  return matchMedia("(hover: none)").matches;
}
