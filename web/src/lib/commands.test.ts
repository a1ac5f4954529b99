import { describe, expect, it, vi } from "vitest";
import { answer } from "./commands";
import { Offer } from "./options";
import type { Decision, Face, Option, Piece, SpaceLook } from "./protocol";
import type { Table } from "./table.svelte";

const face = (id: string, name: string, side: string): Face => ({ id, name, short: id, side, style: "", symbol: "infantry", size: "XX", bracketed: false, band: "", values: ["0", "1", "3"], arrives: "", said: [] });
const space = (id: string, name = "", words = "clear"): SpaceLook => ({ id, x: 0, y: 0, name, words, kind: "hex", width: 0, height: 0 });
const option = (id: string, more: Partial<Option> = {}): Option => ({ id, words: id, spaces: [], units: [], cost: null, sides: [], cards: [], role: "", rolls: false, has_preview: false, ...more });

function table(options: Option[]): Table {
  const faces = [face("SSP", "SS Kampfgruppe Peiper", "German"), face("1SS", "1st SS Panzer Division", "German"), face("101", "101st Airborne Division", "Allied")];
  const spaces = [space("1412", "Bastogne", "clear, town"), space("0401"), space("0402")];
  const pieces: Piece[] = [
    { unit: "SSP", space: "0401", steps: 2, flags: [] },
    { unit: "101", space: "1412", steps: 1, flags: ["out_of_supply"] },
  ];
  const decision: Decision = { side: "German", prompt: "Move a unit.", rule: "9.2", mine: true, kind: "unit", top: true, about: null, together: null, bare: [], options };
  const fake = {
    look: { faces, spaces },
    lastTurn: 2,
    faces: new Map(faces.map((each) => [each.id, each])),
    spaces: new Map(spaces.map((each) => [each.id, each])),
    pieces: new Map(pieces.map((each) => [each.unit, each])),
    stacks: new Map(pieces.map((each) => [each.space, [each]])),
    rules: new Map([
      ["9.2", { number: "9.2", title: "Moving", words: "One unit at a time.", cases: ["9.2A"] }],
      ["9.2A", { number: "9.2A", title: "Stacks", words: "They move apart.", cases: [] }],
    ]),
    offer: new Offer(decision),
    state: { decision, side: "German", undo: false, redo: false },
    shown: { scene: { turn: 2, step: "move", scores: [{ label: "Points", value: 3, of: 12, rule: "", words: "" }], waiting: [] }, events: [] },
    shapes: { neighbours: () => ["1412"] },
    reach: { costs: { "0402": "1" }, paths: {}, modes: {}, notes: {}, words: "" },
    picked: "SSP",
    about: null,
    seen: null,
    complaint: null,
    markersAt: (id: string) => (id === "1412" ? ["entrenched"] : []),
    spaceName: (id: string) => (id === "1412" ? "Bastogne (1412)" : id),
    flagWords: (flag: string) => flag.replaceAll("_", " "),
    sideName: (id: string) => id,
    phaseOf: () => "German movement",
    choose: vi.fn(async () => undefined),
    go: vi.fn(async () => undefined),
  };
  return fake as unknown as Table;
}

describe("the text board", () => {
  const options = [option("SSP", { units: ["SSP"], words: "Peiper in 0401" }), option("done", { words: "end the phase" })];

  it.each([
    ["what is in 1412", "Bastogne (1412). clear, town. entrenched. There: 101st Airborne Division, strength 1, 1 of 2 steps, out of supply."],
    ["What is in Bastogne?", "Bastogne (1412). clear, town. entrenched. There: 101st Airborne Division, strength 1, 1 of 2 steps, out of supply."],
    ["where is peiper", "SS Kampfgruppe Peiper is in 0401."],
    ["where is 1SS", "1st SS Panzer Division is not on the map."],
    ["where can Peiper go?", "SS Kampfgruppe Peiper can go to: 0402 for 1."],
    ["where is the moon", "There is no hex or unit called “the moon”."],
    ["where is ss", "Which one: SS Kampfgruppe Peiper; 1st SS Panzer Division?"],
    ["options", "Move a unit. Peiper in 0401; end the phase."],
    ["near 0401", "Next to it: 101st Airborne Division, strength 1, 1 of 2 steps, out of supply, Bastogne (1412)."],
    ["score", "Points: 3 of 12."],
    ["turn", "Turn 2 of 2. German movement."],
    ["rule 9.2a", "Stacks. They move apart."],
    ["rule 99", "Look this number up in your rulebook."],
    ["odds", "No attack is being made ready."],
    ["undo", "Nothing can be undone now."],
    ["101", "That cannot be chosen now. Ask “why not” and its name."],
    ["sing", "I did not understand. “help” lists what can be said."],
  ])("%s", async (asked, said) => {
    expect(await answer(table(options), asked)).toEqual([said]);
  });

  it.each(["why 9.2", "rule 9.2"])("%s gives the section and its cases", async (asked) => {
    expect(await answer(table(options), asked)).toEqual(["Moving. One unit at a time.", "9.2A Stacks. They move apart."]);
  });

  it("chooses by name, id or words, and walks to a hex far off", async () => {
    const here = table(options);
    expect(await answer(here, "move Peiper")).toEqual(["Chosen: Peiper in 0401."]);
    expect(await answer(here, "end the phase")).toEqual(["Chosen: end the phase."]);
    expect(here.choose).toHaveBeenNthCalledWith(1, "SSP");
    expect(here.choose).toHaveBeenNthCalledWith(2, "done");
    await answer(here, "go to 0402");
    expect(here.go).toHaveBeenCalledWith("0402");
  });
});
