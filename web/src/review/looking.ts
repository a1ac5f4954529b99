/** A review as one side sees it. */

import type { Moment, Review, Turning } from "../lib/protocol";

export type Sort = "mistake" | "stroke" | "luck";

export class Seen {
  constructor(
    readonly review: Review,
    readonly side: string,
    private readonly turns: readonly string[],
  ) {}

  /** Chances are kept for the first side; whoever looks wants one's own up. */
  get flips(): boolean {
    return this.side !== this.review.first;
  }

  chance(first: number): number {
    return this.flips ? 1 - first : first;
  }

  swing(first: number): number {
    return this.flips ? -first : first;
  }

  band({ low, high }: Moment): [number, number] {
    return this.flips ? [1 - high, 1 - low] : [low, high];
  }

  /** The result as a chance; null where nobody has won yet. */
  get end(): number {
    const { winner } = this.review;
    return winner === null ? 0.5 : winner === this.side ? 1 : 0;
  }

  turnName(turn: number): string {
    const begun = this.review.moments[0]?.turn ?? 1;
    return this.turns[turn - begun] ?? String(turn);
  }

  sort({ kind, swing, side }: Turning): Sort {
    if (kind === "luck") return "luck";
    return swing > 0 === (side === this.review.first) ? "stroke" : "mistake";
  }

  /** The phase in which a turning point lies. */
  placeOf({ at }: Turning): number {
    const { moments } = this.review;
    const after = moments.findIndex((moment) => moment.at >= at);
    return after < 0 ? moments.length - 1 : Math.max(0, after - 1);
  }

  /** What leads from the set-up to the result; what is left over stands for itself. */
  get balance(): { label: "setUp" | "mistakes" | "strokes" | "rest" | "dice" | "result"; side: string; from: number; to: number }[] {
    const { play, strokes, luck, moments } = this.review;
    const rows: ReturnType<() => Seen["balance"]> = [];
    let at = this.chance(moments[0]?.chance ?? 0.5);
    rows.push({ label: "setUp", side: "", from: 0, to: at });
    const add = (label: "mistakes" | "strokes" | "rest" | "dice", side: string, by: number) => {
      if (Math.abs(by) < 0.005) return;
      rows.push({ label, side, from: at, to: at + by });
      at += by;
    };
    for (const [side, lost] of Object.entries(play)) add("mistakes", side, side === this.side ? -lost : lost);
    for (const [side, won] of Object.entries(strokes)) add("strokes", side, side === this.side ? won : -won);
    add("dice", "", this.swing(luck));
    add("rest", "", this.end - at);
    rows.push({ label: "result", side: "", from: 0, to: this.end });
    return rows;
  }
}
