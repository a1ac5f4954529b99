/** Whoever sits at this browser: who they are, and which of their matches wait for them. */

import { commitmentOf, forgetPart, keptPart, partFor } from "./dice";
import { forgetInvitations, invitationTo, people, tables } from "./people";
import type { Me, TableSummary } from "./protocol";
import { forgetAllWatched } from "./watched";

const ASK_EVERY = 15_000;

class Visitor {
  me: Me | null = $state.raw(null);
  /** Whether the server has said who one is. */
  known = $state(false);
  tables: TableSummary[] = $state.raw([]);
  readonly waiting: number = $derived(this.tables.filter(waits).length);

  constructor() {
    void this.meet();
    setInterval(() => void this.refresh(), ASK_EVERY);
    addEventListener("focus", () => void this.refresh());
  }

  private async meet(): Promise<void> {
    this.become(await people.me().catch(() => null));
  }

  become(me: Me | null): void {
    if (this.me && !me) {
      forgetAllWatched();
      forgetInvitations();
    }
    this.me = me;
    this.known = true;
    if (me) void this.refresh();
    else this.tables = [];
  }

  /** Look again at one's matches, and give to the dice what they wait for. */
  async refresh(): Promise<void> {
    if (!this.me) return;
    const found = await tables.mine().catch(() => this.tables);
    this.tables = found;
    if ((await Promise.all(found.map(giveDice))).some((gave) => gave)) this.tables = await tables.mine();
  }

  async leave(): Promise<void> {
    await people.signOut();
    this.become(null);
  }
}

export const visitor = new Visitor();

/** Whether a match needs something of the one who reads. */
export function waits({ my_turn, offer, mine, ending }: TableSummary): boolean {
  return my_turn || (!ending && !!offer && !!mine && ![offer.side, ...offer.agreed].includes(mine));
}

/** Sit down, and thereby agree to the terms; one's part of the dice is made now and told when all sit. */
export async function sitDown(table: string, side: string, invitation = invitationTo(table)): Promise<void> {
  await tables.sit(table, side, commitmentOf(partFor(table)), invitation);
}

/** Commit to a part of the dice, or tell it, where that is wanted. The answer is whether it was. */
export function giveDice({ id, mine, wanted }: Pick<TableSummary, "id" | "mine" | "wanted">): Promise<boolean> {
  if (!mine || !wanted) return Promise.resolve(false);
  const going = giving.get(id) ?? give(id).finally(() => giving.delete(id));
  giving.set(id, going);
  return going;
}

/** What is being given now: a list and a room may see at once that it is wanted. */
const giving = new Map<string, Promise<boolean>>();

async function give(id: string): Promise<boolean> {
  try {
    const { mine, wanted } = await tables.one(id, invitationTo(id));
    if (!mine || !wanted) return false;
    const part = keptPart(id);
    if (wanted === "commit") await sitDown(id, mine);
    else if (part) {
      await tables.reveal(id, part);
      forgetPart(id);
    } else {
      // It was made in another browser and cannot be told from here: all commit to new ones.
      await tables.leave(id);
      await sitDown(id, mine);
    }
  } catch {
    return false; // The page asks again by itself.
  }
  return true;
}
