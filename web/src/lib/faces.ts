/** Colours of counters. Polarity carries the side: one is light on dark, the other dark on light. */

import type { Face, SideLook } from "./protocol";

export interface Paint {
  ground: string;
  ink: string;
  rim: string;
}

const STYLES: Record<string, Paint> = {
  german_mechanized: { ground: "#2C2E31", ink: "#F2ECDF", rim: "#15161A" },
  german_foot: { ground: "#5F6864", ink: "#FFFFFF", rim: "#3C4340" },
  german: { ground: "#2C2E31", ink: "#F2ECDF", rim: "#6B6E72" },
  us: { ground: "#C9CD93", ink: "#23261A", rim: "#7B8049" },
  british: { ground: "#D8A98A", ink: "#2E1A10", rim: "#94684C" },
  blue: { ground: "#26405C", ink: "#EEF3F8", rim: "#142536" },
  red: { ground: "#E3A48D", ink: "#33130A", rim: "#9C5B44" },
};

const BY_POLARITY: Record<SideLook["polarity"], Paint> = {
  dark: { ground: "#2C2E31", ink: "#F2ECDF", rim: "#15161A" },
  light: { ground: "#C9CD93", ink: "#23261A", rim: "#7B8049" },
};

const BANDS = ["#D9A441", "#7FB2CC", "#C79AD0", "#8A5A2B", "#2F6B8A", "#8C3B32", "#5A3A6A", "#6F9A5B"];

export class Palette {
  private readonly polarity: Map<string, SideLook["polarity"]>;
  private readonly bands = new Map<string, string>();

  constructor(sides: readonly SideLook[], faces: readonly Face[]) {
    this.polarity = new Map(sides.map((side) => [side.id, side.polarity]));
    for (const face of faces)
      if (face.band && !this.bands.has(face.band))
        this.bands.set(face.band, BANDS[this.bands.size % BANDS.length] ?? "#888");
  }

  of(face: Face): Paint {
    return STYLES[face.style] ?? this.ofSide(face.side);
  }

  ofSide(side: string): Paint {
    return STYLES[side.toLowerCase()] ?? BY_POLARITY[this.polarity.get(side) ?? "light"];
  }

  band(face: Face): string | null {
    return face.band ? (this.bands.get(face.band) ?? null) : null;
  }
}

/** The number printed large for a unit with so many steps left. */
export function valueOf(face: Face, steps: number): string {
  return face.values[Math.min(steps, face.values.length - 1)] ?? "";
}

export function fullSteps(face: Face): number {
  return Math.max(face.values.length - 1, 1);
}

const DIAGONALS = "M-17 -11 17 11M-17 11 17 -11";

/** Lines inside the 34 by 22 box of a NATO symbol. */
export const SYMBOL_LINES: Record<string, string> = {
  infantry: DIAGONALS,
  mechanized: DIAGONALS,
  airborne: DIAGONALS,
  cavalry: "M-17 11 17 -11",
  armored_cavalry: "M-17 11 17 -11",
  headquarters: "M-17 -3H17",
  air_defence: "M-17 11a17 15 0 0 1 34 0",
  engineers: "M-10 5V-4H10V5M0 -4V5",
};

export const HAS_TRACKS = new Set(["armor", "mechanized", "armored_cavalry"]);
export const HAS_WINGS = new Set(["airborne"]);
export const HAS_DOT = new Set(["artillery"]);
