/** Which page is shown. Tokens are kept behind the `#`, so that they reach no server log. */

export type Place = { page: "lobby" } | { page: "match"; id: string; token: string };

export function placeOf(hash: string): Place {
  const [, page, id, token] = hash.replace(/^#/, "").split("/");
  return page === "match" && id && token
    ? { page: "match", id: decodeURIComponent(id), token: decodeURIComponent(token) }
    : { page: "lobby" };
}

export function addressOf(id: string, token: string): string {
  return `#/match/${encodeURIComponent(id)}/${encodeURIComponent(token)}`;
}

export function linkFor(id: string, token: string): string {
  return new URL(addressOf(id, token), document.baseURI).href;
}

class Location {
  here: Place = $state(placeOf(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.here = placeOf(location.hash)));
  }
}

export const route = new Location();

export function goTo(hash: string): void {
  location.hash = hash;
}
