/** The games that there are, asked for once. */

import { api } from "./api";
import type { GameInfo } from "./protocol";

class Catalogue {
  games: GameInfo[] = $state.raw([]);
  private asked = false;

  /** Ask, unless that was done; what cannot be had now is asked for again by the next page. */
  async want(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      this.games = await api.games();
    } catch {
      this.asked = false;
    }
  }

  of(game: string): GameInfo | undefined {
    return this.games.find(({ id }) => id === game);
  }

  title(game: string): string {
    return this.of(game)?.title ?? game;
  }

  scenario(game: string, scenario: string): string {
    return this.of(game)?.scenarios.find(({ id }) => id === scenario)?.title ?? scenario;
  }
}

export const catalogue = new Catalogue();
