/** Questions about what lies open: odds, refusals, overlays. They change nothing. */

import { Denied } from "./live";
import type { Preview, Refusal } from "./protocol";
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
  /** What each overlay that was asked for covers. */
  overlaid: Record<string, string[]> = $state.raw({});

  async previewOf(option: string): Promise<void> {
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
