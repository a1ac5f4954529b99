/** What a game looks like, by its names: who is who, and how places, phases and results are called. */

import { Palette } from "./faces";
import { Shapes } from "./geometry";
import { capital, inSentence } from "./options";
import type { CardLook, Face, FlagLook, Look, PhaseLook, Piece, Rule, SpaceLook } from "./protocol";
import { tidy } from "./results";
import { words } from "./words";

export class Names {
  readonly faces: Map<string, Face>;
  readonly spaces: Map<string, SpaceLook>;
  readonly rules: Map<string, Rule>;
  readonly flags: Map<string, FlagLook>;
  readonly cards: Map<string, CardLook>;
  readonly shapes: Shapes;
  readonly palette: Palette;

  constructor(
    readonly look: Look,
    rules: readonly Rule[],
  ) {
    this.faces = new Map(look.faces.map((face) => [face.id, face]));
    this.spaces = new Map(look.spaces.map((space) => [space.id, space]));
    this.rules = new Map(rules.map((rule) => [rule.number, rule]));
    this.cards = new Map(look.cards.map((card) => [card.id, card]));
    this.flags = new Map(look.flags.map((flag) => [flag.id, flag]));
    this.shapes = new Shapes(look);
    this.palette = new Palette(look);
  }

  unitName(unit: string): string {
    return this.faces.get(unit)?.name ?? unit;
  }

  /** A sentence of the log with places by their names and results in words. */
  plainly(sentence: string): string {
    // A single letter is a company or a battery before it is a place.
    const placed = tidy(this.placed(sentence)).replace(/\b[0-9A-Z]{2,}\b/g, (word) => {
      const name = this.spaces.get(word)?.name;
      return name && !sentence.includes(name) ? `${name} (${word})` : word;
    });
    return placed.replace(/\b[A-Z][A-Za-z0-9]{1,2}\b/g, (word) => {
      const result = this.look.results.find(({ id }) => id === word);
      return result ? `${word} (${result.name})` : word;
    });
  }

  /** Places by their names with the number after it, where a game says it before. */
  placed(sentence: string): string {
    let said = sentence;
    for (const [, id = ""] of sentence.matchAll(/\b([0-9A-Z]{3,}) /g)) {
      const name = this.spaces.get(id)?.name;
      if (name) said = said.replace(`${id} ${name}`, this.spaceName(id));
    }
    return said;
  }

  marchWords(unit: string, path: readonly string[], others = 0): string {
    const place = this.spaceName(path.at(-1) ?? "");
    if (others) return (path.length > 1 ? words.marchTogether : words.arriveTogether)(this.unitName(unit), others, place);
    return path.length > 1 ? words.marches(this.unitName(unit), place) : words.arrives(this.unitName(unit), place);
  }

  /** The phase that a step of the sequence of play belongs to. */
  phaseAt(step: string): PhaseLook | undefined {
    return this.look.phases.find((phase) => phase.step === step || phase.also.includes(step));
  }

  /** The same in words, with its side. */
  phaseOf(step: string): string {
    const phase = this.phaseAt(step);
    return phase ? capital(`${this.sideName(phase.side)} ${inSentence(this.phaseName(phase))}`.trim()) : "";
  }

  flagWords(flag: string): string {
    return this.flags.get(flag)?.words ?? flag.replaceAll("_", " ");
  }

  /** What has become of a unit, in words. */
  statesOf({ flags }: Piece): string {
    return flags.map((flag) => this.flagWords(flag)).join(", ");
  }

  /** By its name; its number is said with it, a letter or a word of the rules is not. */
  spaceName(id: string): string {
    const name = this.spaces.get(id)?.name;
    return name && !/\d/.test(id) ? name : name ? `${name} (${id})` : id;
  }

  sideName(id: string): string {
    return this.look.sides.find((side) => side.id === id)?.name ?? id;
  }

  /** A side as those who play it, within a sentence. */
  people(id: string): string {
    return this.look.sides.find((side) => side.id === id)?.people || this.sideName(id);
  }

  /** The side of the board that somebody plays for: several people may share a command (`Side North` for `Side`). */
  campOf(player: string | null): string | null {
    const camp = this.look.sides.find(({ id }) => player === id || player?.startsWith(`${id} `));
    return camp?.id ?? player;
  }

  /** A phase without the name of its side, which stands beside it. */
  phaseName({ side, name }: { side: string; name: string }): string {
    const prefix = `${this.sideName(side)} `;
    return capital(name.startsWith(prefix) ? name.slice(prefix.length) : name);
  }
}
