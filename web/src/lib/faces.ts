/** Colours of counters. Polarity carries the side: one is light on dark, the other dark on light. */

import type { Face, Look, SideLook } from "./protocol";
import { words } from "./words";

export interface Paint {
  ground: string;
  ink: string;
  rim: string;
}

const BY_POLARITY: Record<string, Paint> = {
  dark: { ground: "#2C2E31", ink: "#F2ECDF", rim: "#15161A" },
  light: { ground: "#C9CD93", ink: "#23261A", rim: "#7B8049" },
};

const PLAIN: Paint = { ground: "#FBF8F0", ink: "#2A2723", rim: "#716958" };

const BANDS = ["#D9A441", "#7FB2CC", "#C79AD0", "#8A5A2B", "#2F6B8A", "#8C3B32", "#5A3A6A", "#6F9A5B"];

export class Palette {
  private readonly sides: Map<string, SideLook>;
  private readonly styles: Map<string, Paint>;
  private readonly bands = new Map<string, string>();

  constructor(look: Pick<Look, "sides" | "styles" | "faces">) {
    this.sides = new Map(look.sides.map((side) => [side.id, side]));
    this.styles = new Map(look.styles.map((style) => [style.id, style]));
    for (const face of look.faces)
      if (face.band && !this.bands.has(face.band))
        this.bands.set(face.band, BANDS[this.bands.size % BANDS.length] ?? "#888");
  }

  of({ style, side }: { style: string; side: string }): Paint {
    return this.styles.get(style) ?? this.ofSide(side);
  }

  ofSide(id: string): Paint {
    const side = this.sides.get(id);
    return this.styles.get(side?.style ?? "") ?? BY_POLARITY[side?.polarity ?? "light"] ?? PLAIN;
  }

  band(face: Face): string | null {
    return face.band ? (this.bands.get(face.band) ?? null) : null;
  }
}

/** The number printed large for a unit with so many steps left. */
export function valueOf(face: Face, steps: number): string {
  return face.values[Math.min(steps, face.values.length - 1)] ?? "";
}

/** The same in words: strength, movement. */
export function saidOf(face: Face, steps: number): string {
  const value = valueOf(face, steps);
  return face.said[Math.min(steps, face.said.length - 1)] || (value ? words.strengthOf(value) : "");
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
