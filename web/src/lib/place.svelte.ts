/** Which page is shown. Tokens are kept behind the `#`, so that they reach no server log. */

/** Pages that need nothing but their name. */
const PLAIN = ["matches", "sign-in", "sign-up", "you", "notices", "moderation"] as const;
type Plain = (typeof PLAIN)[number];

export type Place =
  | { page: "lobby" | Plain }
  | { page: "match"; id: string; token: string; at?: number }
  | { page: "review"; id: string; token: string }
  | { page: "table"; id: string; invitation: string }
  | { page: "person"; name: string }
  | { page: "game"; game: string; number: string; at: number }
  | { page: "new"; game: string };

export function placeOf(hash: string): Place {
  const [page = "", id = "", more = "", at = ""] = hash.replace(/^#/, "").split("/").slice(1).map(decodeURIComponent);
  if (page === "match" && id) return { page, id, token: more, ...(/^\d+$/.test(at) ? { at: Number(at) } : {}) };
  if (page === "review" && id) return { page, id, token: more };
  if (page === "table" && id) return { page, id, invitation: more };
  if (page === "game" && id) return { page, game: id, number: more, at: Number(at) || 0 };
  if (page === "person" && id) return { page, name: id };
  if (page === "new") return { page, game: id };
  return { page: PLAIN.find((plain) => plain === page) ?? "lobby" };
}

export function addressOf(id: string, token: string): string {
  return `#/match/${encodeURIComponent(id)}${token ? `/${encodeURIComponent(token)}` : ""}`;
}

/** A match at one of its past moments. */
export function momentAddress(id: string, token: string, at: number): string {
  return `#/match/${encodeURIComponent(id)}/${encodeURIComponent(token)}/${at}`;
}

export function reviewAddress(id: string, token: string): string {
  return `#/review/${encodeURIComponent(id)}${token ? `/${encodeURIComponent(token)}` : ""}`;
}

/** A table before it begins; with its invitation, for whoever is invited. */
export function tableAddress(id: string, invitation = ""): string {
  return `#/table/${encodeURIComponent(id)}${invitation ? `/${encodeURIComponent(invitation)}` : ""}`;
}

export function personAddress(name: string): string {
  return `#/person/${encodeURIComponent(name)}`;
}

export function linkFor(id: string, token: string): string {
  return new URL(addressOf(id, token), document.baseURI).href;
}

class Location {
  here: Place = $state(placeOf(location.hash));
  /** Where to go back to after signing in. */
  before = "";

  constructor() {
    addEventListener("hashchange", ({ oldURL }) => {
      const past = placeOf(new URL(oldURL).hash);
      if (past.page !== "sign-in" && past.page !== "sign-up") this.before = new URL(oldURL).hash;
      this.here = placeOf(location.hash);
    });
  }
}

export const route = new Location();

export function goTo(hash: string): void {
  location.hash = hash;
}
