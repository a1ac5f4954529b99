/** Questions about what lies open: odds, refusals, overlays. They change nothing. */

import { Denied } from "./live";
import type { Dangers, Preview, Refusal, Threats, Trace } from "./protocol";
import { Wire } from "./wire.svelte";

export interface WhyNot extends Refusal {
  about: string;
  /** Where on the screen it was asked. */
  x: number;
  y: number;
}

export interface Seen {
  option: string;
  preview: Preview;
}

export abstract class Asking extends Wire {
  seen: Seen | null = $state.raw(null);
  whyNot: WhyNot | null = $state.raw(null);
  /** Places that something pointed at beside the map belongs to. */
  lit: string[] = $state.raw([]);
  /** What each overlay that was asked for covers. */
  overlaid: Record<string, string[]> = $state.raw({});

  /** Of several ways of moving, the only one whose reach is shown. */
  manner: string | null = $state(null);

  /** The unit that the pointer is over. */
  hovered: string | null = null;
  /** What a unit could do and who could attack it, were it the other side's turn. */
  threats: Threats | null = $state.raw(null);

  /** Show that of a unit, or no longer. */
  async turnThreats(unit: string): Promise<void> {
    if (this.threats?.could.unit === unit) this.threats = null;
    else if (!this.past) this.threats = await this.request<Threats>("threat", { unit });
  }

  /** Of some places, those that are the reader's to lose, as far as the game says who holds what. */
  async ownPlaces(places: string[]): Promise<string[]> {
    const camp = this.campOf(this.state.side);
    const holding = this.look.overlays.filter(({ holds }) => holds);
    const covered = holding.length ? await this.question<Record<string, string[]>>("overlays", { ids: holding.map(({ id }) => id) }) : null;
    const heldBy = (own: boolean) => holding.filter(({ holds }) => (holds === camp) === own).flatMap(({ id }) => covered?.[id] ?? []);
    const mine = heldBy(true);
    const theirs = heldBy(false);
    return places.filter((place) => (holding.some(({ holds }) => holds === camp) ? mine.includes(place) : !theirs.includes(place)));
  }

  /** What the others could do to one's own side next, were it their turn now. */
  askDangers(places: string[]): Promise<Dangers | null> {
    return this.question<Dangers>("dangers", { places });
  }

  /** What can be said of a unit or place without choosing it: why it cannot be chosen, how it is supplied. */
  async tell(unit: string | null, about: string): Promise<{ why: Refusal | null; trace: Trace | null }> {
    const mine = this.state.decision?.mine && !this.past;
    const [why, trace] = await Promise.all([
      mine ? this.question<Refusal>("why", { about }) : null,
      unit && !this.past ? this.question<Trace>("trace", { unit }) : null,
    ]);
    return { why, trace };
  }

  /** What an option would lead to; only where its rule can say so. */
  async previewOf(option: string): Promise<void> {
    if (!this.state.decision?.options.find(({ id }) => id === option)?.has_preview) return;
    const preview = await this.question<Preview>("preview", { id: option });
    if (preview) this.seen = { option, preview };
  }

  async askWhy(about: string, x: number, y: number): Promise<WhyNot | null> {
    if (!this.state.decision?.mine || this.past) return null;
    try {
      const refusal = await this.live.ask<Refusal>("why", this.state, { about });
      this.whyNot = refusal ? { ...refusal, about, x, y } : null;
    } catch (error) {
      if (error instanceof Denied) this.whyNot = { rule: error.rule ?? "", words: error.message, about, x, y };
    }
    return this.whyNot;
  }

  /** Ask for what these layers cover now. */
  async fetchOverlays(ids: string[]): Promise<void> {
    if (ids.length && !this.past) this.overlaid = (await this.question<Record<string, string[]>>("overlays", { ids })) ?? this.overlaid;
  }
}
